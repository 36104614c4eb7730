// Values of metrics: of the declared ones by their printed formulas, of one's own by its steps.

const SAME_SCALE = { to: (x) => x, from: (x) => x };

const METRICS = new Map(FACTS.metrics.map((facts) => [facts.key, declaredMetric(facts)]));

function declaredMetric(facts) {
  return {
    ...facts,
    low: Number(facts.low),
    high: Number(facts.high),
    compute: FORMULAS[facts.key],
    unit: Object.hasOwn(SCALES, facts.key) ? SCALES[facts.key] : SAME_SCALE,
  };
}

// Counts are finite and at least 0; of anything else a metric is undefined.
function metricValue(metric, tp, fp, fn, tn) {
  const counts = [tp, fp, fn, tn];
  if (!counts.every((count) => Number.isFinite(count) && count >= 0)) return NaN;
  return metric.compute(tp, fp, fn, tn);
}

// The counts of a classifier with two rates where there are so many negatives for a positive.
function countsAt(tpr, fpr, positives, ratio) {
  const negatives = positives * ratio;
  return [positives * tpr, negatives * fpr, positives * (1 - tpr), negatives * (1 - fpr)];
}

function valueAt(metric, tpr, fpr, positives, ratio) {
  return metric.compute(...countsAt(tpr, fpr, positives, ratio));
}

// A function of the four counts that follows the steps of a formula.
function computing(steps) {
  const stack = new Float64Array(READER.deepest + 1);
  return (tp, fp, fn, tn) => {
    const counts = { tp, fp, fn, tn, P: tp + fn, N: fp + tn };
    let top = -1;
    for (const step of steps) {
      if (step.takes === 0) {
        stack[++top] = step.number ?? counts[step.operation];
      } else {
        top -= step.takes - 1;
        stack[top] = OPERATIONS[step.operation](stack[top], stack[top + 1]);
      }
    }
    return stack[0];
  };
}

const OPERATIONS = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "**": (a, b) => a ** b,
  positive: (a) => a,
  negative: (a) => -a,
  sqrt: Math.sqrt,
  abs: Math.abs,
  log: Math.log,
  exp: Math.exp,
  min: Math.min,
  max: Math.max,
};
