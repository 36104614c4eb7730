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

const isKey = (key) => METRICS.has(key) || OWN_KEYS.includes(key);

const isWithin = (number, [low, high]) => number >= low && number <= high;

// What a part of an address may be; a formula is read with its field.
const FITS = {
  metric: isKey,
  second: (text) => text === "" || isKey(text),
  axis: (text) => ["linear", "log"].includes(text),
  formula: () => true,
};

// The state of an address, and the parts of the address that are not valid.
function stateFrom(address) {
  const state = { ...FIRST };
  const refused = [];
  for (const [name, text] of new URLSearchParams(address.replace(/^#/, ""))) {
    if (Object.hasOwn(RANGES, name)) {
      const number = text.trim() === "" ? NaN : Number(text);
      if (isWithin(number, RANGES[name])) state[name] = number;
      else refused.push(name);
    } else if (Object.hasOwn(FITS, name)) {
      if (FITS[name](text)) state[name] = text;
      else refused.push(name);
    }
  }
  return { state, refused };
}

function refusedInWords(refused) {
  if (!refused.length) return "";
  const verb = refused.length > 1 ? "have values" : "has a value";
  return `In this link ${refused.join(", ")} ${verb} that the page cannot show: it shows the first view's instead.`;
}

function addressOf(state) {
  const entries = Object.entries(state).map(([name, value]) => [name, String(value)]);
  return `#${new URLSearchParams(entries)}`;
}

const ratioOf = (state) => 10 ** state.level;

const deploymentRatio = (state) => (1 - state.deployment) / state.deployment;

const PLAIN = new Intl.NumberFormat("en-US", { maximumFractionDigits: 12, useGrouping: false });

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
