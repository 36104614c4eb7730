// Values of metrics: of the declared ones by their printed formulas, of one's own by its steps.
// Metrics have exact indices; the atlas's other measures have theirs approximated when asked for.

const SAME_SCALE = { to: (x) => x, from: (x) => x };

const METRICS = new Map(
  [...FACTS.metrics, ...FACTS.measures].map((facts) => [facts.key, declaredMetric(facts)]),
);

// The metrics that the table always has.
const LISTED = new Set(FACTS.metrics.map((facts) => facts.key));

function declaredMetric(facts) {
  const metric = {
    ...facts,
    low: Number(facts.low),
    high: Number(facts.high),
    compute: FORMULAS[facts.key],
    unit: facts.scale === null ? SAME_SCALE : SCALES[facts.scale],
    approximated: facts.indices === undefined,
  };
  if (metric.approximated) {
    let found;
    Object.defineProperty(metric, "indices", {
      get: () => (found ??= indicesOf(metric, tanhSinh(FINE))),
    });
  }
  return metric;
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

// A function of the four counts that follows the steps of a formula. What a step finds is known
// beforehand, since contours ask for thousands of values a frame.
function computing(steps) {
  const numbers = steps.filter((step) => step.operation === "number").map((step) => step.number);
  const inputs = Float64Array.from([...READER.symbols.map(() => NaN), ...numbers]);
  const stack = new Float64Array(READER.deepest + 1);
  let next = READER.symbols.length;
  const program = steps.map(({ operation, takes }) => ({
    apply: takes ? OPERATIONS[operation] : null,
    input: takes ? -1 : operation === "number" ? next++ : READER.symbols.indexOf(operation),
    lower: takes - 1,
  }));
  return (tp, fp, fn, tn) => {
    inputs.set([tp, fp, fn, tn, tp + fn, fp + tn]);
    let top = -1;
    for (const { apply, input, lower } of program) {
      if (apply === null) {
        top += 1;
        stack[top] = inputs[input];
      } else {
        top -= lower;
        stack[top] = apply(stack[top], stack[top + 1]);
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
