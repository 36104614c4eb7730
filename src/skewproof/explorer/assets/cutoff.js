// A cut-off on pasted scores: what it comes to at the prevalence of deployment.

const DEFAULT_POSITIVE = ["1", "1.0"];

// The scores, their ROC points, the positive label and which cut-off is chosen.
let pasted = null;

function readScores() {
  const text = element("scores").value;
  if (!text.trim()) {
    pasted = null;
    listLabels(element("scores-positive"), []);
    change({});
    return "";
  }
  element("scores-positive").disabled = true;
  const read = scoresOf(text);
  const said = takeScores(read, read.labels[0], `guessed ${read.guess}`);
  listLabels(element("scores-positive"), read.labels);
  return said;
}

// Show scores with one of their labels as the positive one, first at the best cut-off.
function takeScores(read, positive, how) {
  const roc = rocOf(read, positive);
  const place = bestPlace(shownMetric(), roc, deploymentRatio(state));
  const chosen = { read, roc, positive, place: place ?? Math.floor(roc.tp.length / 2) };
  change(classifierAt(chosen));
  pasted = chosen;
  const area = areaOf(roc);
  const said = `${read.scores.length} scores read, '${shortened(positive)}' as the positive label, ${how}`;
  return area < 0.5
    ? `${said}; AUC is ${digits(area)}, so higher scores go with negatives.`
    : `${said}; AUC is ${digits(area)}.`;
}

function classifierAt({ roc: { tp, fp, positives, negatives }, place }) {
  return classifierOf(tp[place], fp[place], positives - tp[place], negatives - fp[place]);
}

// Move to a cut-off; the level that the slider of the imbalance shows stays.
function moveCutoff(place) {
  pasted.place = place;
  const { tpr, fpr, positives } = classifierAt(pasted);
  change({ tpr, fpr, positives });
}

const shownMetric = () => metrics.get(state.metric);

// The best cut-off is looked for again only if what it depends on has changed.
let lastBest = {};

function bestOfPasted() {
  const [metric, { roc }, ratio] = [shownMetric(), pasted, deploymentRatio(state)];
  if (lastBest.metric !== metric || lastBest.roc !== roc || lastBest.ratio !== ratio) {
    lastBest = { metric, roc, ratio, place: bestPlace(metric, roc, ratio) };
  }
  return lastBest.place;
}

function showCutoff() {
  element("cutoff-panel").hidden = pasted === null;
  if (pasted === null) return;
  const { roc, place } = pasted;
  const [metric, ratio, best] = [shownMetric(), deploymentRatio(state), bestOfPasted()];
  const last = roc.tp.length - 1;
  const slider = element("cutoff");
  slider.max = last;
  setValue(slider, last - place);
  slider.setAttribute("aria-valuetext", cutoffShown() || "above all scores");
  listValues(element("cutoff-values"), cutoffInNumbers(metric, roc, place, ratio));
  setText(element("cutoff-best"), bestCutoffInWords(metric, roc, best, ratio));
  element("cutoff-jump").disabled = best === null || best === place;
  setText(element("cutoff-bound"), boundInWords(roc, place, ratio));
  setText(element("command"), commandFor(pasted.positive, state.deployment));
}

// The cut-off as its field shows it, which is empty above all scores.
function cutoffShown() {
  const threshold = pasted?.roc.thresholds[pasted.place] ?? Infinity;
  return Number.isFinite(threshold) ? String(threshold) : "";
}

// A typed cut-off calls the same instances positive as the lowest score that reaches it.
function readCutoff() {
  const typed = element("cutoff-score").valueAsNumber;
  if (Number.isNaN(typed)) throw new InputError("Expected a number as cut-off");
  moveCutoff(pasted.roc.thresholds.findLastIndex((threshold) => threshold >= typed));
}

function cutoffInNumbers(metric, roc, place, ratio) {
  const { tpr, fpr, precision, alarmsPerHit, shareCalled } = cutoffAt(roc, place, ratio);
  const level = levelText(ratio);
  return [
    ["True positive rate", tpr],
    ["False positive rate", fpr],
    [`Precision at ${level}`, precision],
    ["False alarms for each hit", alarmsPerHit],
    ["Share called positive", shareCalled],
    [`${capitalized(metric.name)} at ${level}`, valueAtCutoff(metric, roc, place, ratio)],
  ].map(([name, value]) => [name, digits(value)]);
}

function listValues(list, values) {
  const make = (tag, text) => {
    const made = document.createElement(tag);
    made.textContent = text;
    return made;
  };
  list.replaceChildren(
    ...values.map(([name, value]) => {
      const pair = document.createElement("div");
      pair.append(make("dt", name), make("dd", value));
      return pair;
    }),
  );
}

function bestCutoffInWords(metric, roc, place, ratio) {
  const name = capitalized(metric.name);
  if (place === null) {
    return metric.hasBest
      ? `${name} is undefined at every cut-off.`
      : `${name} has no best cut-off: neither its highest nor its lowest values are good.`;
  }
  const { threshold, tpr, fpr, shareCalled } = cutoffAt(roc, place, ratio);
  const value = digits(valueAtCutoff(metric, roc, place, ratio));
  const where = Number.isFinite(threshold) ? `at the cut-off ${threshold}` : "above all scores";
  const remark =
    tpr < FACTS.fewestFound
      ? " It finds next to nothing there."
      : shareCalled > FACTS.mostCalled
        ? " It calls nearly everything positive there."
        : fpr === 0
          ? " No negative scores as high, so how many do elsewhere is not known."
          : "";
  return (
    `On these scores ${metric.name} is best at ${levelText(ratio)} ${where}: ${value}.${remark}` +
    " Such a value is too good, since the same scores chose the cut-off: score others to report one."
  );
}

function boundInWords(roc, place, ratio) {
  if (place === 0) return "";
  const { tpr, fpr, precision, confidence } = precisionBound(roc, place, ratio);
  const percent = (share) => `${inPercent(share)} %`;
  return (
    `With ${percent(CUT_OFF_CONFIDENCE)} confidence precision here is at least ${digits(precision)}` +
    ` at ${levelText(ratio)}, if these scores did not choose the cut-off: the true positive rate is` +
    ` at least ${digits(tpr)} and the false positive rate at most ${digits(fpr)}. Each is an exact` +
    ` bound at ${percent(confidence)} (Clopper and Pearson), so that both hold together at` +
    ` ${percent(CUT_OFF_CONFIDENCE)} (Bonferroni).`
  );
}

// The command that promises a cut-off, quoted as a shell reads it.
function commandFor(positive, share) {
  const label = DEFAULT_POSITIVE.includes(positive)
    ? ""
    : ` --pos-label='${positive.replaceAll("'", `'\\''`)}'`;
  const at = `--at ${PLAIN.format(share)}`;
  return `skewproof threshold scores.csv --require "precision >= 0.5" ${at}${label}`;
}

function listenToCutoff() {
  const slider = element("cutoff");
  slider.addEventListener("input", () => moveCutoff(Number(slider.max) - Number(slider.value)));
  element("cutoff-jump").addEventListener("click", () => moveCutoff(bestOfPasted()));
  element("scores-positive").addEventListener("change", (event) =>
    fields.scores.take(() => takeScores(pasted.read, event.target.value, "as chosen")),
  );
  element("copy-command").addEventListener("click", () =>
    copy(element("command").textContent, "command", "It waits for your file and your requirement."),
  );
}

function cutoffsOf(text, metric, ratio) {
  const read = scoresOf(text);
  const roc = rocOf(read, read.labels[0]);
  return {
    points: roc.tp.map((_, place) => cutoffAt(roc, place, ratio)),
    values: roc.tp.map((_, place) => valueAtCutoff(metric, roc, place, ratio)),
    best: bestPlace(metric, roc, ratio),
    area: areaOf(roc),
  };
}
