// The classifier from what one types or pastes: four counts, or two columns of labels.

const POSITIVE_NAMES = ["1", "1.0", "+1", "true", "yes", "y", "t", "positive", "pos"];
const MOST_LABELS = 5_000_000;

// Rates and class sizes of four counts, as parts of the state.
function classifierOf(tp, fp, fn, tn) {
  const counts = { tp, fp, fn, tn };
  for (const [name, count] of Object.entries(counts)) {
    if (!(Number.isFinite(count) && count >= 0 && count <= LARGEST_CLASS)) {
      const largest = THOUSANDS.format(LARGEST_CLASS);
      throw new InputError(`${name}: expected a number from 0 to ${largest}`, [name]);
    }
  }
  const [positives, negatives] = [tp + fn, fp + tn];
  if (!(positives > 0 && negatives > 0)) {
    const message = "Expected at least one positive (tp + fn) and one negative (fp + tn)";
    throw new InputError(message, positives > 0 ? ["fp", "tn"] : ["tp", "fn"]);
  }
  const level = Math.log10(negatives / positives);
  if (level < FACTS.lowest || level > FACTS.highest) {
    throw new InputError(
      `The imbalance is ${levelText(negatives / positives)}: expected an imbalance from` +
        ` ${levelText(10 ** FACTS.lowest)} to ${levelText(10 ** FACTS.highest)}`,
    );
  }
  return { tpr: tp / positives, fpr: fp / negatives, positives, level };
}

// The pairs of true and predicted label in a text of two columns.
function pairsOf(text) {
  return withoutHead(rowsOf(text, "two labels")).map(({ cells }) => cells);
}

// The two cells of each line that is not empty, and the line's number.
function rowsOf(text, expected) {
  const rows = [];
  text.split(/\r?\n/).forEach((line, place) => {
    if (!line.trim()) return;
    const cells = cellsOf(line);
    if (cells.length !== 2 || cells.includes("")) {
      throw new InputError(`Line ${place + 1}, '${shortened(line)}': expected ${expected}`);
    }
    rows.push({ cells, line: place + 1 });
  });
  if (rows.length > MOST_LABELS) {
    throw new InputError(`${rows.length} lines: expected at most ${MOST_LABELS}`);
  }
  return rows;
}

function cellsOf(line) {
  const separator = ["\t", ";", ","].find((sign) => line.includes(sign)) ?? /\s+/;
  return line.trim().split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
}

// Without a first line of names that are neither numbers nor labels of the lines behind it.
function withoutHead([first, ...others]) {
  const labels = new Set(others.flatMap(({ cells }) => cells));
  const isName = (text) => Number.isNaN(Number(text)) && !labels.has(text);
  const isHead = labels.size > 0 && first.cells.every(isName);
  return isHead ? others : [first, ...others];
}

// The two labels, the positive one first, and how it was guessed from the true ones.
function guessedLabels(all, trueOnes) {
  const labels = [...new Set(all)];
  if (labels.length === 1) {
    throw new InputError(`All labels are '${shortened(labels[0])}': expected two classes`);
  }
  if (labels.length !== 2) {
    const listed = labels.slice(0, 5).map((label) => `'${shortened(label)}'`).join(", ");
    throw new InputError(`${labels.length} different labels, ${listed}: expected two`);
  }
  const named = labels.filter((label) => POSITIVE_NAMES.includes(label.toLowerCase()));
  if (named.length === 1) {
    return { labels: named[0] === labels[0] ? labels : labels.toReversed(), guess: "by its name" };
  }
  const [first, second] = labels.map((label) => trueOnes.filter((one) => one === label).length);
  return { labels: second < first ? labels.toReversed() : labels, guess: "as the rarer one" };
}

// tp, fp, fn and tn of the pairs.
function countedPairs(pairs, positive) {
  const counts = [0, 0, 0, 0];
  for (const [one, predicted] of pairs) {
    counts[one === positive ? (predicted === positive ? 0 : 2) : predicted === positive ? 1 : 3] += 1;
  }
  return counts;
}
