// The two first-order indices over the whole axis of imbalance, with a rule at the present level.

const INDEX_HEIGHT = 130;
const INDEX_PADDING = { left: 44, top: 8, right: 44, bottom: 40 };

function indexSpec(width) {
  const [tp, fp] = [colorOf("--accent"), colorOf("--warm")];
  const ticks = [FACTS.lowest, 0, 3, FACTS.highest];
  const level =
    "datum.value < 0 ? format(pow(10, -datum.value), ',') + ':1'" +
    " : '1:' + format(pow(10, datum.value), ',')";
  const line = (input, color, dash) => ({
    type: "line",
    from: { data: "lines" },
    encode: {
      update: {
        x: { scale: "x", field: "level" },
        y: { scale: "y", field: input },
        defined: { signal: `isValid(datum.${input})` },
        stroke: { value: color },
        strokeDash: { value: dash },
        strokeWidth: { value: 2.5 },
      },
    },
  });
  return {
    width,
    height: INDEX_HEIGHT,
    padding: INDEX_PADDING,
    autosize: "none",
    signals: [{ name: "here", value: 0 }],
    data: [{ name: "lines" }],
    scales: [
      { name: "x", type: "linear", domain: [FACTS.lowest, FACTS.highest], range: "width" },
      { name: "y", type: "linear", domain: [0, 1], range: "height" },
    ],
    axes: [
      {
        orient: "bottom",
        scale: "x",
        title: "Positives : negatives",
        values: ticks,
        encode: { labels: { update: { text: { signal: level } } } },
      },
      { orient: "left", scale: "y", title: "Index S₁", tickCount: 3 },
    ],
    marks: [
      {
        type: "rule",
        encode: {
          enter: {
            y: { value: 0 },
            y2: { value: INDEX_HEIGHT },
            stroke: { value: colorOf("--soft") },
            strokeWidth: { value: 2 },
          },
          update: { x: { scale: "x", signal: "here" } },
        },
      },
      line("tp", tp, []),
      line("fp", fp, [6, 3]),
    ],
  };
}

class IndexChart {
  constructor(container) {
    this.container = container;
  }

  async create() {
    this.metric = null;
    this.view?.finalize();
    const width = this.container.clientWidth - INDEX_PADDING.left - INDEX_PADDING.right;
    this.view = await chart(this.container, indexSpec(Math.max(160, width)));
  }

  async draw(metric, state) {
    if (this.metric !== metric) {
      const [tp, fp] = metric.indices;
      const lines = FACTS.levels.map((level, place) => ({ level, tp: tp[place], fp: fp[place] }));
      this.view.data("lines", lines);
      this.metric = metric;
    }
    await this.view.signal("here", state.level).runAsync();
  }
}

// The indices at the computed level that is nearest to the present one, in words.
function indicesInWords(metric, state) {
  const distances = FACTS.levels.map((level) => Math.abs(level - state.level));
  const nearest = distances.indexOf(Math.min(...distances));
  const [tp, fp] = metric.indices.map((line) => line[nearest]);
  const level = levelText(10 ** FACTS.levels[nearest]);
  if (tp === null || fp === null) return `At ${level} the indices are not resolved.`;
  const share = (index) => `${digits(Number((100 * index).toFixed(1)))} %`;
  return (
    `At ${level}, of the variance over all classifiers tp alone explains ${share(tp)}, fp alone explains` +
    ` ${share(fp)}, and their interaction explains ${share(Math.max(0, 1 - tp - fp))}.`
  );
}
