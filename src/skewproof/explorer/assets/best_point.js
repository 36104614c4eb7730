// The point of a binormal ROC curve at which a metric is best. Scores of negatives are standard
// normal, those of positives have another mean; all above a threshold are called positive.

const SERIES_UP_TO = 3;
const FRACTIONS = 60;
const BEYOND = 12;
const STEPS_PER_DEVIATION = 50;
const HALVINGS = 60;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
const SMALL = 1e-3;

// The share of a standard normal distribution above x, to the last digits also where it is small.
function upperTail(x) {
  if (x < 0) return 1 - upperTail(-x);
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  if (x < SERIES_UP_TO) {
    let [sum, term] = [0, x];
    for (let odd = 3; sum + term !== sum; odd += 2) {
      sum += term;
      term *= (x * x) / odd;
    }
    return 0.5 - density * sum;
  }
  let below = x;
  for (let number = FRACTIONS; number > 0; number--) below = x + number / below;
  return density / below;
}

// Rates and their complements at a threshold.
function ratesAbove(threshold) {
  const [above, below] = [threshold - FACTS.curveMean, threshold];
  return {
    tpr: upperTail(above),
    fnr: upperTail(-above),
    fpr: upperTail(below),
    tnr: upperTail(-below),
  };
}

const CURVE = Array.from(
  { length: STEPS_PER_DEVIATION * (2 * BEYOND + FACTS.curveMean) + 1 },
  (_, step) => {
    const threshold = step / STEPS_PER_DEVIATION - BEYOND;
    return { threshold, ...ratesAbove(threshold) };
  },
);

// Rates and value of the best point, or null where a metric has none.
function bestPoint(metric, positives, ratio) {
  if (!metric.hasBest) return null;
  const negatives = positives * ratio;
  const sign = metric.lowerIsBetter ? -1 : 1;
  const goodness = ({ tpr, fnr, fpr, tnr }) => {
    const value = metric.compute(positives * tpr, negatives * fpr, positives * fnr, negatives * tnr);
    return Number.isNaN(value) ? -Infinity : sign * value;
  };
  let [top, highest] = [-1, -Infinity];
  CURVE.forEach((rates, place) => {
    const value = goodness(rates);
    if (value > highest) [top, highest] = [place, value];
  });
  if (top < 0) return null;
  let best = CURVE[top];
  let [low, high] = [-1, 1].map((step) => best.threshold + step / STEPS_PER_DEVIATION);
  for (let halving = 0; halving < HALVINGS; halving++) {
    const width = GOLDEN * (high - low);
    const [left, right] = [ratesAbove(high - width), ratesAbove(low + width)];
    if (goodness(left) >= goodness(right)) high = low + width;
    else low = high - width;
    const better = goodness(left) >= goodness(right) ? left : right;
    if (goodness(better) > highest) [best, highest] = [better, goodness(better)];
  }
  return { tpr: best.tpr, fpr: best.fpr, value: sign * highest };
}

// What the best point comes to, as a sentence.
function bestInWords(best, ratio) {
  if (best === null) return "It has no best point: neither its highest nor its lowest values are good.";
  const { tpr, fpr } = best;
  const called = (tpr + ratio * fpr) / (1 + ratio);
  const rates = `TPR is ${tpr < SMALL ? `below ${SMALL}` : tpr.toFixed(3)} and FPR ${compact(fpr)}`;
  const alarms = tpr < SMALL ? "" : `, with ${compact((ratio * fpr) / tpr)} false alarms for each hit`;
  const extreme =
    tpr < FACTS.fewestFound
      ? " It finds next to nothing."
      : called > FACTS.mostCalled
        ? " It calls nearly everything positive."
        : "";
  const where = `On the curve it is best, at ${levelText(ratio)}, where`;
  return `${where} ${rates}${alarms}.${extreme}`;
}
