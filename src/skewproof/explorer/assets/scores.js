// The ROC points of pasted scores, and what a cut-off comes to where the classifier will run.

const TIED = 1e-12;
const CUT_OFF_CONFIDENCE = 0.95;
const BETWEEN_POINTS = 2;

// The true labels and the scores in a text of two columns, and which label is guessed as positive.
function scoresOf(text) {
  const rows = withoutHead(rowsOf(text, "the true label and the score"));
  const labels = rows.map(({ cells: [label] }) => label);
  const guessed = guessedLabels(labels, labels);
  const scores = Float64Array.from(rows, ({ cells: [, score], line }) => {
    const value = Number(score);
    if (Number.isFinite(value)) return value;
    throw new InputError(`Line ${line}, '${shortened(score)}': expected a finite number as score`);
  });
  if (scores.every((score) => score === scores[0])) {
    throw new InputError(`All scores are ${scores[0]}: expected scores that differ`);
  }
  return { trueLabels: labels, scores, ...guessed };
}

// Hits and false alarms at every cut-off, falling from infinity; scores of at least a cut-off are
// called positive.
function rocOf({ trueLabels, scores }, positive) {
  const sorted = [true, false].map((isPositive) =>
    scores.filter((_, place) => (trueLabels[place] === positive) === isPositive).sort(),
  );
  const sizes = sorted.map((ofClass) => ofClass.length);
  const roc = { thresholds: [Infinity], tp: [0], fp: [0], positives: sizes[0], negatives: sizes[1] };
  const left = [...sizes];
  while (left[0] + left[1] > 0) {
    const threshold = Math.max(...sorted.map((ofClass, one) => ofClass[left[one] - 1] ?? -Infinity));
    sorted.forEach((ofClass, one) => {
      while (ofClass[left[one] - 1] === threshold) left[one] -= 1;
    });
    roc.thresholds.push(threshold);
    roc.tp.push(sizes[0] - left[0]);
    roc.fp.push(sizes[1] - left[1]);
  }
  return roc;
}

// The area under the ROC curve, where a tie counts half.
function areaOf({ tp, fp, positives, negatives }) {
  let twice = 0;
  for (let place = 1; place < tp.length; place++) {
    twice += (fp[place] - fp[place - 1]) * (tp[place] + tp[place - 1]);
  }
  return twice / (2 * positives * negatives);
}

// What a cut-off comes to where there are so many negatives for a positive.
function cutoffAt({ thresholds, tp, fp, positives, negatives }, place, ratio) {
  const [tpr, fpr] = [tp[place] / positives, fp[place] / negatives];
  return {
    threshold: thresholds[place],
    tpr,
    fpr,
    precision: tpr / (tpr + ratio * fpr),
    alarmsPerHit: (ratio * fpr) / tpr,
    shareCalled: (tpr + ratio * fpr) / (1 + ratio),
  };
}

// A metric's value at a cut-off, with as many positives as were pasted.
function valueAtCutoff(metric, { tp, fp, positives, negatives }, place, ratio) {
  const others = positives * ratio;
  return metric.compute(
    tp[place],
    others * (fp[place] / negatives),
    positives - tp[place],
    others * ((negatives - fp[place]) / negatives),
  );
}

// The cut-off at which a metric is best, among equal ones the highest; null where it has none.
function bestPlace(metric, roc, ratio) {
  if (!metric.hasBest) return null;
  const sign = metric.lowerIsBetter ? -1 : 1;
  const values = roc.thresholds.map((_, place) => sign * valueAtCutoff(metric, roc, place, ratio));
  const highest = values.reduce((most, value) => (value > most ? value : most), -Infinity);
  const least = Number.isFinite(highest) ? highest - TIED * Math.abs(highest) : highest;
  const place = values.findIndex((value) => value >= least);
  return place < 0 ? null : place;
}

// The exact lower bound for precision at a cut-off, from bounds of both rates.
function precisionBound({ tp, fp, positives, negatives }, place, ratio) {
  const confidence = 1 - (1 - CUT_OFF_CONFIDENCE) / 2;
  const tpr = lowerBound(tp[place], positives, confidence);
  const fpr = upperBound(fp[place], negatives, confidence);
  return { tpr, fpr, precision: tpr / (tpr + ratio * fpr), confidence };
}

// The points to draw: of those that lie too close to be told apart only the first, and the last.
function drawnPoints({ tp, fp, positives, negatives }, placeOf) {
  const points = [];
  const last = tp.length - 1;
  for (let one = 0; one <= last; one++) {
    const point = placeOf({ tpr: tp[one] / positives, fpr: fp[one] / negatives });
    const before = points.at(-1);
    const isFar =
      !before || Math.hypot(point.x - before.x, point.y - before.y) >= BETWEEN_POINTS;
    if (isFar || one === last) points.push(point);
  }
  return points;
}
