// The exact bounds of Clopper and Pearson for a share.

const SHIFTED_TO = 20;
const MOST_FRACTIONS = 100_000;
const ROUNDED = 1e-15;
const HALVINGS_OF_SHARE = 80;

function logGamma(x) {
  let [shifted, logs] = [x, 0];
  for (; shifted < SHIFTED_TO; shifted += 1) logs += Math.log(shifted);
  const square = shifted ** 2;
  const series =
    (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / shifted;
  const leading = (shifted - 0.5) * Math.log(shifted) - shifted + Math.log(2 * Math.PI) / 2;
  return leading + series - logs;
}

// The share of a beta distribution below x, by its continued fraction.
function betaBelow(x, a, b) {
  if (x > (a + 1) / (a + b + 2)) return 1 - betaBelow(1 - x, b, a);
  const logFront = a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b);
  let [c, d] = [1, 1 / (1 - ((a + b) * x) / (a + 1))];
  let fraction = d;
  for (let m = 1; m < MOST_FRACTIONS && Math.abs(c * d - 1) > ROUNDED; m++) {
    const terms = [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ];
    for (const term of terms) {
      d = 1 / (1 + term * d);
      c = 1 + term / c;
      fraction *= c * d;
    }
  }
  return (Math.exp(logFront) * fraction) / a;
}

// The share at which so many hits, or more, have the probability 1 - confidence.
function lowerBound(hits, trials, confidence) {
  if (hits === 0) return 0;
  let [low, high] = [0, 1];
  for (let halving = 0; halving < HALVINGS_OF_SHARE; halving++) {
    const middle = (low + high) / 2;
    if (betaBelow(middle, hits, trials - hits + 1) < 1 - confidence) low = middle;
    else high = middle;
  }
  return low;
}

function upperBound(hits, trials, confidence) {
  return 1 - lowerBound(trials - hits, trials, confidence);
}
