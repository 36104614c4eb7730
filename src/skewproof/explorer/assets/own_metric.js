// A formula of one's own as a metric: bounds, verdict and indices from values at many points.

const WIDTH = 3.2;
const [FINE, COARSE] = [40, 6];
const MANY_STEPS = 200;
const EDGE = 1e-9;
const NEAR_EDGE = 1e-6;
const UNBOUNDED = 0.25;
const UNCHANGED = 1e-9;

// Tanh-sinh nodes between 0 and 1 as [node, weight]; the weights' sum is 1.
function tanhSinh(half) {
  const step = WIDTH / half;
  const nodes = Array.from({ length: 2 * half + 1 }, (_, place) => {
    const t = (place - half) * step;
    const node = 1 / (1 + Math.exp(-Math.PI * Math.sinh(t)));
    return [node, node * (1 - node) * Math.cosh(t)];
  });
  const total = nodes.reduce((sum, [, weight]) => sum + weight, 0);
  return nodes.map(([node, weight]) => [node, weight / total]);
}

// The metric of a formula and its normalized variant, or null if the formula is invalid.
function ownMetrics(text) {
  const steps = readSteps(text);
  const nodes = tanhSinh(steps.length > MANY_STEPS ? COARSE : FINE);
  const compute = computing(steps);
  const sampled = ownMetric("own", "your formula", compute, nodes, FACTS.defaultRatios);
  const own = withFacts(sampled, stripped(text));
  const ofRates = (tp, fp, fn, tn) => {
    const [p, n] = [tp + fn, fp + tn];
    return compute(tp / p, fp / n, fn / p, tn / n);
  };
  try {
    const { low, high } = ownMetric("own_i", "", ofRates, nodes, [1]);
    const rescaled = (...counts) => (ofRates(...counts) - low) / (high - low);
    const name = "your formula, normalized";
    return { own, ownNormalized: ownMetric("own_i", name, rescaled, nodes, [1]) };
  } catch (error) {
    if (error instanceof FormulaError) return { own, ownNormalized: null };
    throw error;
  }
}

// The formula that the page was written for is known better than from samples.
function withFacts(sampled, text) {
  const [facts] = FACTS.ofFirstFormula;
  if (facts === undefined || text !== START.formula) return sampled;
  const [low, high] = [Number(facts.low), Number(facts.high)];
  const { key, name, compute } = sampled;
  return { ...facts, key, name, compute, low, high, unit: between(low, high) };
}

// The linear map of a range to [0, 1], and its inverse.
function between(low, high) {
  return { to: (x) => (x - low) / (high - low), from: (x) => low + (high - low) * x };
}

function ownMetric(key, name, compute, nodes, ratios) {
  const rates = nodes.map(([rate]) => rate);
  const inside = (edge) => rates.filter((rate) => rate > edge && rate < 1 - edge);
  const { low, high, width, largest, spread } = rangeOf(compute, inside(EDGE), ratios);
  if (!Number.isFinite(largest)) {
    throw new FormulaError("It is undefined or infinite inside the square: expected a metric");
  }
  if (width <= FACTS.rounding * largest) {
    throw new FormulaError(`It is ${digits(low)} on every confusion matrix tried: expected a metric`);
  }
  if (spread <= FACTS.rounding * largest) {
    throw new FormulaError(
      "It depends on the class sizes alone on every matrix tried: expected a metric",
    );
  }
  if (width > (1 + UNBOUNDED) * rangeOf(compute, inside(NEAR_EDGE), ratios).width) {
    throw new FormulaError("It grows without bound: expected a bounded metric, such as x/(1 + x)");
  }
  const metric = { key, name, compute, low, high, unit: between(low, high), hasBest: true };
  return {
    ...metric,
    ...verdictOf(metric, inside(EDGE)),
    indices: indicesOf(metric, nodes),
    bySampling: true,
  };
}

// Bounds over all pairs of rates and some imbalances, and the widest range at one of them.
function rangeOf(compute, rates, ratios) {
  let [low, high, spread] = [Infinity, -Infinity, 0];
  for (const ratio of ratios) {
    let [least, most] = [Infinity, -Infinity];
    for (const u of rates) {
      for (const v of rates) {
        const value = compute(...countsAt(u, v, FACTS.positives, ratio));
        if (!Number.isFinite(value)) return { largest: NaN, width: NaN };
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    }
    low = Math.min(low, least);
    high = Math.max(high, most);
    spread = Math.max(spread, most - least);
  }
  const largest = Math.max(Math.abs(low), Math.abs(high));
  return { low, high, spread, largest, width: high - low };
}

// The largest difference between 1:1 and 1:100 that the sampled rates show.
function verdictOf(metric, rates) {
  let worst = { difference: 0 };
  for (const u of rates) {
    for (const v of rates) {
      const [here, there] = [1, 100].map((ratio) => valueAt(metric, u, v, FACTS.positives, ratio));
      const difference = Math.abs(here - there);
      if (difference > worst.difference) worst = { difference, u, v, here, there };
    }
  }
  if (worst.difference <= UNCHANGED * (metric.high - metric.low)) {
    const pairs = rates.length ** 2;
    return {
      verdict: "undecided",
      evidence: `At ${pairs} pairs of rates it is the same at 1:1 and 1:100, which does not prove it.`,
      advice: "Let the command skewproof audit look for a proof before you rely on it.",
    };
  }
  return {
    verdict: "differs",
    evidence:
      `With tp/P = ${digits(worst.u)} and fp/N = ${digits(worst.v)} it is ${digits(worst.here)}` +
      ` at 1:1 and ${digits(worst.there)} at 1:100.`,
    advice: "Compare its values at one imbalance only, and say which.",
  };
}

// First-order indices of tp and fp at each level, by quadrature on the nodes.
function indicesOf(metric, nodes) {
  const lines = FACTS.levels.map((level) => indicesAt(metric, nodes, 10 ** level));
  return [0, 1].map((input) => lines.map((line) => line[input]));
}

function indicesAt(metric, nodes, ratio) {
  const [rows, columns] = [nodes.map(() => 0), nodes.map(() => 0)];
  let [mean, square, undefinedShare] = [0, 0, 0];
  nodes.forEach(([u, weightOfRow], row) => {
    nodes.forEach(([v, weightOfColumn], column) => {
      const value = metric.unit.to(valueAt(metric, u, v, FACTS.positives, ratio));
      const finite = Number.isFinite(value) ? value : 0;
      if (finite !== value) undefinedShare += weightOfRow * weightOfColumn;
      rows[row] += weightOfColumn * finite;
      columns[column] += weightOfRow * finite;
      mean += weightOfRow * weightOfColumn * finite;
      square += weightOfRow * weightOfColumn * finite ** 2;
    });
  });
  if (undefinedShare > NEAR_EDGE) return [null, null];
  const variance = square - mean ** 2;
  return [rows, columns].map((means) => {
    const parts = means.map((one, place) => nodes[place][1] * (one - mean) ** 2);
    return variance > 0 ? parts.reduce((sum, part) => sum + part, 0) / variance : null;
  });
}
