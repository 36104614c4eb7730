// Contours of a metric over the two rates, drawn by Vega, with a point to drag.

const [ROWS, COLUMNS] = [40, 80];
const INSIDE = 1e-9;
const SMALLEST_FPR = 1e-7;
const THRESHOLDS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const NO_LINE = 2;
const PADDING = { left: 50, top: 10, right: 18, bottom: 44 };
const LARGEST_PANEL = 440;
const BETWEEN_LABELS = 22;
const LABEL_STEPS = 500;
const MOST_MARKED = 60;

// A false positive rate on an axis from 0 to 1, and back.
const AXES = {
  linear: { place: (fpr) => fpr, rate: (place) => place },
  log: {
    place: (fpr) => 1 - Math.log10(Math.max(fpr, SMALLEST_FPR)) / Math.log10(SMALLEST_FPR),
    rate: (place) => SMALLEST_FPR ** (1 - place),
  },
};

function colorOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// How Vega draws both charts: text and lines in the page's colors, light or dark.
function chartConfig() {
  const [ink, soft] = [colorOf("--ink"), colorOf("--soft")];
  const font = "system-ui, sans-serif";
  return {
    background: null,
    axis: {
      labelColor: ink,
      titleColor: ink,
      domainColor: soft,
      tickColor: soft,
      labelFont: font,
      titleFont: font,
      titleFontWeight: "normal",
      labelFontSize: 12,
      titleFontSize: 13,
    },
  };
}

async function chart(container, spec) {
  const options = { mode: "vega", ast: true, actions: false, renderer: "canvas", tooltip: false };
  const { view } = await vegaEmbed(container, { ...spec, config: chartConfig() }, options);
  return view;
}

function contourSpec(size, axis) {
  const isocontour = (thresholds) => [{ type: "isocontour", field: "grid", thresholds }];
  const x = axis === "log"
    ? { type: "log", domain: [SMALLEST_FPR, 1] }
    : { type: "linear", domain: [0, 1] };
  return {
    width: size,
    height: size,
    padding: PADDING,
    autosize: "none",
    signals: [
      { name: "iso", value: NO_LINE },
      { name: "pointX", value: 0 },
      { name: "pointY", value: 0 },
      { name: "bestX", value: 0 },
      { name: "bestY", value: 0 },
      { name: "bestShown", value: 0 },
    ],
    data: [
      { name: "grid" },
      { name: "baselineGrid" },
      { name: "bands", source: "grid", transform: isocontour(THRESHOLDS) },
      { name: "baseline", source: "baselineGrid", transform: isocontour(THRESHOLDS) },
      { name: "equals", source: "grid", transform: isocontour({ signal: "[iso]" }) },
      { name: "labels" },
      { name: "curve" },
      { name: "scores" },
    ],
    scales: [
      { name: "x", range: "width", ...x },
      { name: "y", type: "linear", domain: [0, 1], range: "height" },
      { name: "color", type: "linear", domain: [0, 1], range: { scheme: "cividis" } },
    ],
    axes: [
      {
        orient: "bottom",
        scale: "x",
        title: "False positive rate, fp/N",
        tickCount: 5,
        ...(axis === "log" ? { values: [1e-6, 1e-4, 1e-2, 1], format: "~g" } : {}),
      },
      { orient: "left", scale: "y", title: "True positive rate, tp/P", tickCount: 5 },
    ],
    marks: [
      {
        type: "group",
        clip: true,
        encode: {
          enter: {
            width: { signal: "width" },
            height: { signal: "height" },
            fill: { scale: "color", value: 0.05 },
          },
        },
        marks: [
          ...contourMarks(),
          ...["curve", "scores"].flatMap((data) => [
            curveMark(data, "white", 4),
            curveMark(data, colorOf(data === "curve" ? "--best" : "--scores"), 2),
          ]),
          scoreMarks(),
        ],
      },
      {
        type: "symbol",
        encode: {
          enter: {
            shape: { value: "diamond" },
            size: { value: 170 },
            fill: { value: colorOf("--best") },
            stroke: { value: "white" },
            strokeWidth: { value: 2 },
          },
          update: {
            x: { signal: "bestX" },
            y: { signal: "bestY" },
            opacity: { signal: "bestShown" },
          },
        },
      },
      {
        type: "symbol",
        encode: {
          enter: {
            size: { value: 190 },
            fill: { value: colorOf("--point") },
            stroke: { value: "white" },
            strokeWidth: { value: 2.5 },
          },
          update: { x: { signal: "pointX" }, y: { signal: "pointY" } },
        },
      },
    ],
  };
}

function contourMarks() {
  const path = (data, encode) => ({
    type: "path",
    from: { data },
    encode: { enter: encode },
    transform: [{ type: "geopath", field: "datum.contour" }],
  });
  const label = (paint) => ({
    type: "text",
    from: { data: "labels" },
    encode: {
      update: {
        x: { field: "x" },
        y: { field: "y" },
        text: { field: "text" },
        fontSize: { value: 12 },
        align: { value: "center" },
        baseline: { value: "middle" },
        ...paint,
      },
    },
  });
  return [
    path("bands", {
      fill: { signal: "scale('color', datum.contour.value + 0.05)" },
      stroke: { signal: "datum.contour.value < 0.5 ? 'white' : 'black'" },
      strokeWidth: { value: 1.3 },
    }),
    path("baseline", {
      stroke: { value: "white" },
      strokeWidth: { value: 2 },
      strokeOpacity: { value: 0.6 },
    }),
    path("baseline", {
      stroke: { value: "black" },
      strokeWidth: { value: 1.3 },
      strokeDash: { value: [6, 6] },
    }),
    path("equals", { stroke: { value: "white" }, strokeWidth: { value: 5 } }),
    path("equals", { stroke: { value: colorOf("--point") }, strokeWidth: { value: 3 } }),
    label({ stroke: { value: "white" }, strokeWidth: { value: 3.5 } }),
    label({ fill: { value: "black" } }),
  ];
}

// The points of pasted scores; where there are many, the line through them shows them.
function scoreMarks() {
  return {
    type: "symbol",
    from: { data: "scores" },
    encode: {
      update: {
        x: { field: "x" },
        y: { field: "y" },
        size: { signal: `length(data('scores')) > ${MOST_MARKED} ? 0 : 22` },
        fill: { value: colorOf("--scores") },
      },
    },
  };
}

function curveMark(data, color, width) {
  return {
    type: "line",
    from: { data },
    encode: {
      update: {
        x: { field: "x" },
        y: { field: "y" },
        stroke: { value: color },
        strokeWidth: { value: width },
      },
    },
  };
}

class ContourPanel {
  constructor(container) {
    this.container = container;
    this.drawn = {};
  }

  // Make the chart anew: its size, its axis or the page's colors are others.
  async create(axis) {
    const room = this.container.clientWidth - PADDING.left - PADDING.right;
    this.size = Math.max(180, Math.min(LARGEST_PANEL, room));
    this.axis = axis;
    this.drawn = {};
    this.view?.finalize();
    this.view = await chart(this.container, contourSpec(this.size, axis));
    this.view.data("curve", CURVE.map((rates) => this.placeOf(rates)));
  }

  // Where a classifier is drawn.
  placeOf({ tpr, fpr }) {
    return { x: this.size * AXES[this.axis].place(fpr), y: this.size * (1 - tpr) };
  }

  async draw(metric, state, best, roc) {
    const { tpr, fpr, positives } = state;
    const [here, there] = [this.placeOf(state), this.placeOf(best ?? state)];
    const grid = this.gridOf(metric, positives, ratioOf(state));
    const value = metric.unit.to(valueAt(metric, tpr, fpr, positives, ratioOf(state)));
    this.view
      .data("grid", [{ grid }])
      .data("labels", this.labelsOf(metric, positives, ratioOf(state)))
      .signal("iso", Number.isFinite(value) ? value : NO_LINE)
      .signal("pointX", here.x)
      .signal("pointY", here.y)
      .signal("bestX", there.x)
      .signal("bestY", there.y)
      .signal("bestShown", Number(best !== null));
    if (this.drawn.metric !== metric || this.drawn.positives !== positives) {
      this.view.data("baselineGrid", [{ grid: this.gridOf(metric, positives, 1) }]);
      this.drawn = { ...this.drawn, metric, positives };
    }
    if (this.drawn.roc !== roc) {
      this.view.data("scores", roc ? drawnPoints(roc, (rates) => this.placeOf(rates)) : []);
      this.drawn.roc = roc;
    }
    await this.view.runAsync();
  }

  // The metric, scaled to [0, 1], at nodes from corner to corner, the first row on top.
  gridOf(metric, positives, ratio) {
    const values = new Array(ROWS * COLUMNS);
    const inside = (rate) => Math.min(1 - INSIDE, Math.max(INSIDE, rate));
    for (let row = 0; row < ROWS; row++) {
      const tpr = inside(1 - row / (ROWS - 1));
      for (let column = 0; column < COLUMNS; column++) {
        const fpr = inside(AXES[this.axis].rate(column / (COLUMNS - 1)));
        const value = metric.unit.to(valueAt(metric, tpr, fpr, positives, ratio));
        values[row * COLUMNS + column] = Number.isFinite(value) ? value : -1;
      }
    }
    const scale = [this.size / (COLUMNS - 1), this.size / (ROWS - 1)];
    return {
      width: COLUMNS,
      height: ROWS,
      values,
      scale,
      translate: scale.map((step) => -step / 2),
    };
  }

  // Values along the diagonal from the perfect classifier to the worst, where contours cross it.
  labelsOf(metric, positives, ratio) {
    const labels = [];
    let before = NaN;
    for (let step = 1; step < LABEL_STEPS; step++) {
      const place = step / LABEL_STEPS;
      const fpr = AXES[this.axis].rate(place);
      const value = metric.unit.to(valueAt(metric, 1 - place, fpr, positives, ratio));
      const crossed = THRESHOLDS.find((one) => (before - one) * (value - one) < 0);
      before = value;
      const [x, y] = [this.size * place, this.size * place];
      const last = labels.at(-1);
      const fits = x > 12 && x < this.size - 12 && (!last || x - last.x >= BETWEEN_LABELS);
      if (crossed !== undefined && fits) {
        labels.push({ x, y, text: digits(metric.unit.from(crossed)) });
      }
    }
    return labels;
  }

  // The rates at a place of the pointer.
  ratesAt(event) {
    const box = this.container.querySelector("canvas").getBoundingClientRect();
    const within = (place) => Math.min(1, Math.max(0, place / this.size));
    const place = within(event.clientX - box.left - PADDING.left);
    const tpr = 1 - within(event.clientY - box.top - PADDING.top);
    return { tpr, fpr: place === 0 ? 0 : AXES[this.axis].rate(place) };
  }
}
