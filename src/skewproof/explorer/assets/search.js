// Measures by any of their names, in any spelling, as skewproof.metrics.lookup finds them.

const MOST_FOUND = 12;
const WORD = "\\p{L}\\p{N}_";
const PRIME = new RegExp(`(?<![${WORD}])([${WORD}])'(?![${WORD}])`, "gu");
const POSSESSIVE = new RegExp(`'s(?![${WORD}])`, "gu");
const MINUS = new RegExp(`[-−](?![${WORD}])`, "gu");
const OTHERS = /[^\p{L}\p{N}]+/gu;

// A name without what spellings differ in.
function simplified(text) {
  return text
    .toLowerCase()
    .replaceAll("ø", "o")
    .replaceAll("’", "'")
    .normalize("NFKD")
    .replace(PRIME, "$1 prime")
    .replace(POSSESSIVE, "")
    .replaceAll("+", "plus")
    .replace(MINUS, "minus")
    .replace(OTHERS, "");
}

// Every name of a measure, its own first and its key last, with its simplified forms.
const NAMES = [...METRICS.values()].flatMap(({ key, name, names }) =>
  [name, ...names, key].map((text) => ({
    key,
    text,
    forms: [simplified(text), simplified(text.replaceAll("'", ""))],
  })),
);

// How well a name fits what is looked for: the same, its beginning or a part of it; else Infinity.
function fit({ forms }, part) {
  if (forms.includes(part)) return 0;
  if (forms.some((form) => form.startsWith(part))) return 1;
  return forms.some((form) => form.includes(part)) ? 2 : Infinity;
}

// The measures that a word may mean, the best fit first, each with the name that fits best.
function measuresNamed(word) {
  const part = simplified(word);
  const found = new Map();
  for (const name of part ? NAMES : []) {
    const rank = fit(name, part);
    if (rank < (found.get(name.key)?.rank ?? Infinity)) {
      found.set(name.key, { key: name.key, name: name.text, rank });
    }
  }
  return [...found.values()].sort((one, other) => one.rank - other.rank);
}

// What is found, as a list of buttons that show a measure on either panel.
function listFound(list, found, choose) {
  const button = (text, label, place, key) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", () => choose(place, key));
    return made;
  };
  const items = found.slice(0, MOST_FOUND).map(({ key, name }) => {
    const item = document.createElement("li");
    item.dataset.key = key;
    const own = capitalized(METRICS.get(key).name);
    const alias = name === METRICS.get(key).name ? "" : ` (${name})`;
    item.append(
      button(own, `Show ${own}${alias}`, "metric", key),
      `${alias} `,
      button("compare", `Show ${own} for comparison`, "second", key),
    );
    return item;
  });
  list.replaceChildren(...items);
}

function foundInWords(found) {
  if (found.length > MOST_FOUND) {
    return `${found.length} measures; the ${MOST_FOUND} that fit best are listed.`;
  }
  return found.length === 1 ? "1 measure." : `${found.length} measures.`;
}
