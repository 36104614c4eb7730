// What the page shows, and the same in the address, so that a view can be sent.

const FIRST = {
  second: "",
  level: 2,
  tpr: 0.8,
  fpr: 0.1,
  positives: FACTS.positives,
  deployment: 0.001,
  axis: "linear",
  formula: "",
  ...START,
};

const LARGEST_CLASS = 1e12;
const SMALLEST_SHARE = 1e-9;

const RANGES = {
  level: [FACTS.lowest, FACTS.highest],
  tpr: [0, 1],
  fpr: [0, 1],
  positives: [SMALLEST_SHARE, LARGEST_CLASS],
  deployment: [SMALLEST_SHARE, 1 - SMALLEST_SHARE],
};

const OWN_KEYS = ["own", "own_i"];

function stateFrom(address) {
  const given = new URLSearchParams(address.replace(/^#/, ""));
  const state = { ...FIRST };
  for (const [name, [low, high]] of Object.entries(RANGES)) {
    const text = given.get(name);
    const number = text === null || text.trim() === "" ? NaN : Number(text);
    if (Number.isFinite(number)) state[name] = Math.min(high, Math.max(low, number));
  }
  const isKey = (key) => METRICS.has(key) || OWN_KEYS.includes(key);
  if (isKey(given.get("metric"))) state.metric = given.get("metric");
  if (given.get("second") === "" || isKey(given.get("second"))) state.second = given.get("second");
  if (["linear", "log"].includes(given.get("axis"))) state.axis = given.get("axis");
  const formula = given.get("formula");
  if (formula !== null && formula.length <= READER.longest) state.formula = formula;
  return state;
}

function addressOf(state) {
  const entries = Object.entries(state).map(([name, value]) => [name, String(value)]);
  return `#${new URLSearchParams(entries)}`;
}

const ratioOf = (state) => 10 ** state.level;

const deploymentRatio = (state) => (1 - state.deployment) / state.deployment;

const THOUSANDS = new Intl.NumberFormat("en-US");

// A ratio N/P as P:N, one side of which is 1.
function levelText(ratio) {
  const number = (value) => THOUSANDS.format(Number(value.toPrecision(3)));
  return ratio >= 1 ? `1:${number(ratio)}` : `${number(1 / ratio)}:1`;
}

function digits(value) {
  if (Number.isNaN(value)) return "undefined";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e6)) return value.toExponential(1);
  return String(Number(value.toPrecision(4)));
}

// The same in at most six signs, for a table.
function compact(value) {
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 10) return String(Number(value.toFixed(4)));
  return size > 0 && size < 1e-3 ? value.toExponential(1) : digits(value);
}

const capitalized = (name) => name[0].toUpperCase() + name.slice(1);
