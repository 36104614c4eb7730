// The page: what one does changes the state, and a frame shows the state.

const SETTLED = 200;
const PLACES = ["metric", "second"];
const CELLS = ["tp", "fp", "fn", "tn"];

const element = (id) => document.getElementById(id);

let state = FIRST;
let pairs = null;
const metrics = new Map(METRICS);
const panels = {};
const table = new MetricTable(element("values"), (key) => change({ metric: key }));

// Change the state; charts and address follow, once a frame.
let wanted = false;
let drawing = false;
let settling;

function change(changes) {
  state = { ...state, ...changes };
  wanted = true;
  requestAnimationFrame(drawFrame);
}

async function drawFrame() {
  if (drawing || !wanted) return;
  [wanted, drawing] = [false, true];
  try {
    await show();
  } finally {
    drawing = false;
    frames += 1;
    clearTimeout(settling);
    settling = setTimeout(settle, SETTLED);
  }
  if (wanted) requestAnimationFrame(drawFrame);
}

let frames = 0;

async function show() {
  showControls();
  table.setMetrics(metricsInTable());
  table.update(state);
  showCutoff();
  for (const place of PLACES) await showPanel(panels[place], metrics.get(state[place]));
}

// What may wait until nothing moves: the order of rows, the address and what is read aloud.
function settle() {
  table.sort();
  try {
    history.replaceState(null, "", addressOf(state));
  } catch (error) {
    if (error.name !== "SecurityError") throw error; // inside another page there is no address
  }
  const said = PLACES.filter((place) => metrics.has(state[place])).map((place) => {
    const metric = metrics.get(state[place]);
    return `${capitalized(metric.name)} ${digits(valueHere(metric))}`;
  });
  setText(element("announcement"), `${levelText(ratioOf(state))}: ${said.join(", ")}`);
}

function valueHere(metric) {
  return valueAt(metric, state.tpr, state.fpr, state.positives, ratioOf(state));
}

function showControls() {
  const level = levelText(ratioOf(state));
  setText(element("level-text"), level);
  setText(element("here-level"), level);
  setText(element("deployed-level"), levelText(deploymentRatio(state)));
  element("level").setAttribute("aria-valuetext", `${level}, positives to negatives`);
  for (const id of ["level", "metric", "second", "axis"]) setValue(element(id), state[id]);
  for (const field of Object.values(fields)) field.show();
}

// The metrics, and what is chosen beside them.
function metricsInTable() {
  const chosen = [state.metric, state.second, ...OWN_KEYS];
  return new Map([...metrics].filter(([key]) => LISTED.has(key) || chosen.includes(key)));
}

// One's own formula: its metrics in the lists and the table; one that is wrong changes nothing.
function readFormula() {
  const formula = element("formula").value;
  const { own, ownNormalized } = formula.trim() ? ownMetrics(formula) : {};
  const wasThere = metrics.has("own");
  setOwn({ own, own_i: ownNormalized });
  change({ formula });
  if (own && !wasThere) change({ metric: "own", second: ownNormalized ? "own_i" : state.second });
  return own ? ownInWords(own, ownNormalized) : "";
}

function setOwn(found) {
  for (const key of OWN_KEYS) {
    metrics.delete(key);
    if (found[key]) metrics.set(key, found[key]);
  }
  if (!metrics.has(state.metric)) {
    state.metric = metrics.has(FIRST.metric) ? FIRST.metric : METRICS.keys().next().value;
  }
  if (!metrics.has(state.second)) state.second = "";
  listMetrics();
}

function ownInWords(own, normalized) {
  const range = ({ low, high }) => {
    const rounded = (end) => digits((high - low) * Number((end / (high - low)).toFixed(6)));
    return `from ${rounded(low)} to ${rounded(high)}`;
  };
  const found = own.bySampling ? `Values at sampled rates ${range(own)}` : `Values ${range(own)}`;
  return normalized
    ? `${found}; its normalized variant is in the lists, too.`
    : `${found}; its normalized variant is not a bounded metric.`;
}

function listMetrics() {
  const option = ([key, metric]) => new Option(capitalized(metric.name), key);
  const group = (label, chosen) => {
    const made = document.createElement("optgroup");
    made.label = label;
    const options = [...metrics].filter(([key]) => chosen(key)).map(option);
    options.sort((one, other) => one.text.localeCompare(other.text, "en"));
    made.append(...options);
    return options.length ? [made] : [];
  };
  for (const [place, none] of [["metric", false], ["second", true]]) {
    element(place).replaceChildren(
      ...(none ? [new Option("nothing", "")] : []),
      ...group("Your formula", (key) => OWN_KEYS.includes(key)),
      ...group("Metrics", (key) => LISTED.has(key)),
      ...group("Other measures of the atlas", (key) => METRICS.has(key) && !LISTED.has(key)),
    );
    element(place).value = state[place];
  }
}

function readCounts() {
  change(classifierOf(...CELLS.map((id) => element(id).valueAsNumber)));
}

function readLabels() {
  pairs = null;
  const select = element("positive");
  select.replaceChildren();
  select.disabled = true;
  if (!element("labels").value.trim()) return "";
  const read = pairsOf(element("labels").value);
  const { labels, guess } = guessedLabels(read.flat(), read.map(([label]) => label));
  pairs = read;
  listLabels(select, labels);
  return labelsCounted(`guessed ${guess}`);
}

function listLabels(select, labels) {
  select.replaceChildren(...labels.map((label) => new Option(shortened(label), label)));
  select.disabled = labels.length === 0;
}

function labelsCounted(how) {
  const positive = element("positive").value;
  const counts = countedPairs(pairs, positive);
  change(classifierOf(...counts));
  return `${pairs.length} pairs counted, '${shortened(positive)}' as the positive label, ${how}.`;
}

/** A share in percent, with four digits of the rarer side. */
function inPercent(share) {
  const rarer = 100 * Math.min(share, 1 - share);
  const decimals = Math.min(100, 3 - Math.floor(Math.log10(rarer)));
  return Number((100 * share).toFixed(decimals));
}

function readDeployment() {
  const { value, valueAsNumber } = element("deployment");
  const share = valueAsNumber / 100;
  if (!isWithin(share, RANGES.deployment)) {
    const given = value === "" ? "Expected" : `${value} %: expected`;
    const [low, high] = RANGES.deployment.map((end) => PLAIN.format(100 * end));
    throw new InputError(`${given} a percentage from ${low} to ${high}`);
  }
  change({ deployment: share });
}

function search() {
  const word = element("search").value;
  const found = measuresNamed(word);
  listFound(element("found"), found, (place, key) => change({ [place]: key }));
  if (!word.trim()) return "";
  if (found.length) return foundInWords(found);
  throw new InputError(`No measure has '${shortened(word)}' in its names`);
}

const classifierStays = () => "the classifier stays as it was";

const fields = {
  formula: new Field({
    ids: ["formula"],
    message: "formula-message",
    read: readFormula,
    stays: () => (state.formula ? `the page keeps ${shortened(state.formula)}` : ""),
    shown: () => [state.formula],
    wait: SETTLED,
  }),
  deployment: new Field({
    ids: ["deployment"],
    message: "deployment-message",
    read: readDeployment,
    stays: () => `the page keeps ${inPercent(state.deployment)} %`,
    shown: () => [inPercent(state.deployment)],
  }),
  counts: new Field({
    ids: CELLS,
    message: "classifier-message",
    read: readCounts,
    stays: classifierStays,
    shown: countsShown,
  }),
  labels: new Field({
    ids: ["labels"],
    message: "labels-message",
    read: readLabels,
    stays: classifierStays,
  }),
  scores: new Field({
    ids: ["scores"],
    message: "scores-message",
    read: readScores,
    stays: () => (pasted ? "the panel keeps the scores before" : ""),
    wait: SETTLED,
  }),
  cutoff: new Field({
    ids: ["cutoff-score"],
    message: "cutoff-message",
    read: readCutoff,
    stays: () => "the cut-off stays as it was",
    shown: () => [cutoffShown()],
  }),
  search: new Field({ ids: ["search"], message: "search-message", read: search }),
};

function countsShown() {
  const counts = countsAt(state.tpr, state.fpr, state.positives, ratioOf(state));
  return counts.map((count) => Number(count.toPrecision(6)));
}

// Show what an address has; the page starts with it, too.
function open(address) {
  const { state: asked, refused } = stateFrom(address);
  state = { ...asked, formula: "" };
  setOwn({});
  for (const field of Object.values(fields)) field.reset();
  readLabels();
  readScores();
  search();
  element("formula").value = asked.formula;
  fields.formula.take();
  const { metric, second } = asked;
  change({
    metric: metrics.has(metric) ? metric : state.metric,
    second: second === "" || metrics.has(second) ? second : state.second,
  });
  setText(element("link-message"), refusedInWords(refused));
}

function copyLink() {
  const link = new URL(addressOf(state), location.href).href;
  const view = pasted ? "this view without the pasted scores" : "this view";
  return copy(link, "link", `It opens ${view}.`);
}

async function copy(text, what, use) {
  const message = element(`${what}-message`);
  try {
    await navigator.clipboard.writeText(text);
    setText(message, `The ${what} is copied. ${use}`);
  } catch {
    setText(message, `The browser does not let the page copy. The ${what} is ${text}`);
  }
}

// Charts have their colors and sizes from the page: make them anew.
function redrawAll() {
  for (const place of PLACES) panels[place].axis = null;
  change({});
}

function listen() {
  const level = element("level");
  Object.assign(level, { min: FACTS.lowest, max: FACTS.highest });
  setText(element("level-low"), levelText(10 ** FACTS.lowest));
  setText(element("level-high"), levelText(10 ** FACTS.highest));
  level.addEventListener("input", () => change({ level: Number(level.value) }));
  for (const id of ["metric", "second", "axis"]) {
    element(id).addEventListener("change", (event) => change({ [id]: event.target.value }));
  }
  element("positive").addEventListener("change", () =>
    fields.labels.take(() => labelsCounted("as chosen")),
  );
  listenToCutoff();
  element("copy-link").addEventListener("click", copyLink);
  addEventListener("hashchange", () => open(location.hash));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) redrawAll();
    width = innerWidth;
  });
}

for (const place of PLACES) panels[place] = newPanel(element(`panel-${place}`));
listen();
open(location.hash);

window.skewproof = {
  keys: () => [...metrics.keys()],
  // A metric's value, NaN where it is undefined.
  value: (key, tp, fp, fn, tn) => metricValue(metrics.get(key), tp, fp, fn, tn),
  // The value of a formula as one types it.
  formulaValue: (text, tp, fp, fn, tn) =>
    metricValue({ compute: computing(readSteps(text)) }, tp, fp, fn, tn),
  // Keys of the measures that a word means or that have it in their names, and how well they fit.
  find: (word) => measuresNamed(word).map(({ key, rank }) => [key, rank]),
  // A metric's value on its scale from 0 to 1.
  unit: (key, value) => metrics.get(key).unit.to(value),
  indices: (key) => metrics.get(key).indices,
  // Rates and value at a metric's best point on the curve, null where it has none.
  best: (key, positives, ratio) => bestPoint(metrics.get(key), positives, ratio),
  // What each cut-off of scores comes to where so many are positive, and where a metric is best.
  cutoffs: (text, key, share) => cutoffsOf(text, metrics.get(key), (1 - share) / share),
  bounds: (hits, trials, confidence) =>
    [lowerBound, upperBound].map((bound) => bound(hits, trials, confidence)),
  state: () => ({ ...state }),
  frames: () => frames,
};
