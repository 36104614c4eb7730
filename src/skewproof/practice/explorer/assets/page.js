// The page: what one does changes the state, and a frame shows the state.

const SETTLED = 200;
const STEP = 0.01;
const LARGE_STEP = 0.1;
const PLACES = ["metric", "second"];

const element = (id) => document.getElementById(id);

let state = stateFrom(location.hash);
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
  table.update(state);
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
  for (const id of ["level", "metric", "second", "axis", "formula"]) {
    setValue(element(id), state[id]);
  }
  setValue(element("deployment"), Number((100 * state.deployment).toPrecision(9)));
  const counts = countsAt(state.tpr, state.fpr, state.positives, ratioOf(state));
  ["tp", "fp", "fn", "tn"].forEach((id, place) => {
    setValue(element(id), Number(counts[place].toPrecision(6)));
  });
}

// What somebody types in is left alone.
function setValue(input, value) {
  const isTyped = input === document.activeElement && input.type !== "range";
  if (!isTyped && input.value !== String(value)) input.value = value;
}

async function showPanel(panel, metric) {
  panel.root.hidden = metric === undefined;
  if (metric === undefined) return;
  if (panel.axis !== state.axis) {
    panel.axis = state.axis;
    await Promise.all([panel.contours.create(state.axis), panel.indices.create()]);
  }
  if (panel.metric !== metric) showFacts(panel, metric);
  const level = levelText(ratioOf(state));
  const rates = `true positive rate ${digits(state.tpr)}, false positive rate ${digits(state.fpr)}`;
  const value = `${digits(valueHere(metric))} at ${level}`;
  setText(panel.part("value"), `${value}, with ${rates}`);
  const best = bestPoint(metric, state.positives, ratioOf(state));
  setText(panel.part("best"), bestInWords(best, ratioOf(state)));
  setText(panel.part("in-words"), indicesInWords(metric, state));
  panel.part("plot").setAttribute(
    "aria-label",
    `${metric.name}: ${value}. Classifier: ${rates}. The arrow keys move it.`,
  );
  panel.part("indices").setAttribute("aria-label", indicesInWords(metric, state));
  await Promise.all([panel.contours.draw(metric, state, best), panel.indices.draw(metric, state)]);
}

const VERDICTS = {
  same: "Imbalance does not move it: proved.",
  differs: "Imbalance moves it.",
  undecided: "Undecided.",
};

function showFacts(panel, metric) {
  panel.metric = metric;
  setText(panel.root.querySelector("h2"), capitalized(metric.name));
  setText(panel.part("verdict"), VERDICTS[metric.verdict]);
  setText(panel.part("advice"), metric.advice);
  setText(panel.part("evidence"), metric.evidence);
  const { key } = metric.bySampling ? {} : metric;
  copyTemplate(`formula-${key}`, panel.part("formula"));
  copyTemplate(`proof-${key}`, panel.part("proof"));
  const range = `From ${digits(metric.low)} to ${digits(metric.high)}`;
  const facts = metric.bySampling
    ? [`${range}, found at sampled rates; indices by quadrature in this page, without a check`]
    : [
        metric.lowerIsBetter ? `${range}, lower is better` : range,
        `key ${key}`,
        metric.source,
      ];
  if (metric.scale) facts.push(`contours and indices of the metric scaled to [0, 1]: ${metric.scale}`);
  if (metric.sizes) {
    facts.push(`depends on how many instances there are, too: indices at ${FACTS.positives} positives`);
  }
  setText(panel.part("facts"), `${facts.join("; ")}.`);
}

function copyTemplate(id, target) {
  const template = element(id);
  target.replaceChildren(...(template ? [template.content.cloneNode(true)] : []));
}

function newPanel(root) {
  root.append(element("panel").content.cloneNode(true));
  const part = (name) => root.querySelector(`.${name}`);
  const contours = new ContourPanel(part("plot"));
  const panel = { root, part, contours, indices: new IndexChart(part("indices")) };
  const plot = part("plot");
  plot.addEventListener("pointerdown", (event) => {
    plot.setPointerCapture(event.pointerId);
    plot.focus({ preventScroll: true });
    change(contours.ratesAt(event));
  });
  plot.addEventListener("pointermove", (event) => {
    if (plot.hasPointerCapture(event.pointerId)) change(contours.ratesAt(event));
  });
  plot.addEventListener("keydown", movePoint);
  return panel;
}

function movePoint(event) {
  const step = event.shiftKey ? LARGE_STEP : STEP;
  const axis = AXES[state.axis];
  const within = (rate) => Math.min(1, Math.max(0, Number(rate.toPrecision(12))));
  const sideways = (by) => ({ fpr: within(axis.rate(within(axis.place(state.fpr) + by))) });
  const moves = {
    ArrowUp: () => ({ tpr: within(state.tpr + step) }),
    ArrowDown: () => ({ tpr: within(state.tpr - step) }),
    ArrowRight: () => sideways(step),
    ArrowLeft: () => sideways(-step),
  };
  if (Object.hasOwn(moves, event.key)) {
    event.preventDefault();
    change(moves[event.key]());
  }
}

// One's own formula: its metrics in the lists and the table, or what is wrong with it.
function readFormula() {
  for (const key of OWN_KEYS) metrics.delete(key);
  const message = element("formula-message");
  message.classList.remove("fault");
  try {
    const { own, ownNormalized } = state.formula.trim() ? ownMetrics(state.formula) : {};
    if (own) metrics.set("own", own);
    if (ownNormalized) metrics.set("own_i", ownNormalized);
    setText(message, own ? ownInWords(own, ownNormalized) : "");
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    message.classList.add("fault");
    setText(message, error.message);
  }
  if (!metrics.has(state.metric)) {
    state.metric = metrics.has(FIRST.metric) ? FIRST.metric : METRICS.keys().next().value;
  }
  if (!metrics.has(state.second)) state.second = "";
  listMetrics();
  table.setMetrics(metrics);
}

function ownInWords(own, normalized) {
  const range = ({ low, high }) => {
    const rounded = (end) => digits((high - low) * Number((end / (high - low)).toFixed(6)));
    return `from ${rounded(low)} to ${rounded(high)}`;
  };
  const found = own.bySampling ? `Values at sampled rates ${range(own)}` : `Values ${range(own)}`;
  return normalized
    ? `${found}; its normalized variant is in the lists, too.`
    : `${found}; of the rates alone it is no bounded metric.`;
}

function listMetrics() {
  for (const [place, none] of [["metric", false], ["second", true]]) {
    const options = [...metrics].map(([key, metric]) => new Option(capitalized(metric.name), key));
    options.sort((one, other) => one.text.localeCompare(other.text, "en"));
    const own = options.filter((option) => OWN_KEYS.includes(option.value));
    const declared = options.filter((option) => !own.includes(option));
    const nothing = none ? [new Option("nothing", "")] : [];
    element(place).replaceChildren(...nothing, ...own, ...declared);
    element(place).value = state[place];
  }
}

let typing;

function formulaTyped() {
  state = { ...state, formula: element("formula").value };
  clearTimeout(typing);
  typing = setTimeout(() => {
    const wasWrong = !metrics.has("own");
    readFormula();
    if (wasWrong && metrics.has("own")) {
      change({ metric: "own", second: metrics.has("own_i") ? "own_i" : state.second });
    } else {
      change({});
    }
  }, SETTLED);
}

// Say what was read of an input, or what is wrong with it.
function attempt(message, action) {
  message.classList.remove("fault");
  try {
    setText(message, action() ?? "");
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    message.classList.add("fault");
    setText(message, error.message);
  }
}

function countsTyped() {
  attempt(element("classifier-message"), () => {
    const counts = ["tp", "fp", "fn", "tn"].map((id) => element(id).valueAsNumber);
    change(classifierOf(...counts));
  });
}

function labelsPasted() {
  pairs = null;
  const select = element("positive");
  select.replaceChildren();
  select.disabled = true;
  attempt(element("labels-message"), () => {
    if (!element("labels").value.trim()) return "";
    const read = pairsOf(element("labels").value);
    const { labels, guess } = guessedLabels(read);
    pairs = read;
    select.replaceChildren(...labels.map((label) => new Option(shortened(label), label)));
    select.disabled = false;
    return labelsCounted(`guessed ${guess}`);
  });
}

function labelsCounted(how) {
  const positive = element("positive").value;
  const counts = countedPairs(pairs, positive);
  change(classifierOf(...counts));
  return `${pairs.length} pairs counted, '${shortened(positive)}' as the positive label, ${how}.`;
}

function deploymentTyped() {
  const [low, high] = RANGES.deployment;
  const share = element("deployment").valueAsNumber / 100;
  if (share >= low && share <= high) change({ deployment: share });
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
  element("formula").addEventListener("input", formulaTyped);
  element("deployment").addEventListener("input", deploymentTyped);
  for (const id of ["tp", "fp", "fn", "tn"]) element(id).addEventListener("input", countsTyped);
  element("labels").addEventListener("input", labelsPasted);
  element("positive").addEventListener("change", () =>
    attempt(element("labels-message"), () => labelsCounted("as chosen")),
  );
  addEventListener("hashchange", () => {
    state = stateFrom(location.hash);
    readFormula();
    change({});
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) redrawAll();
    width = innerWidth;
  });
}

for (const place of PLACES) panels[place] = newPanel(element(`panel-${place}`));
readFormula();
listen();
change({});

window.skewproof = {
  keys: () => [...metrics.keys()],
  // A metric's value, NaN where it is undefined.
  value: (key, tp, fp, fn, tn) => metricValue(metrics.get(key), tp, fp, fn, tn),
  // The value of a formula as one types it.
  formulaValue: (text, tp, fp, fn, tn) =>
    metricValue({ compute: computing(readSteps(text)) }, tp, fp, fn, tn),
  // Rates and value at a metric's best point on the curve, null where it has none.
  best: (key, positives, ratio) => bestPoint(metrics.get(key), positives, ratio),
  state: () => ({ ...state }),
  frames: () => frames,
};
