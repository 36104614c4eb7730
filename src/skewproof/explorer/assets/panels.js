// The two panels: a metric's contours and what is known of it.

const STEP = 0.01;
const LARGE_STEP = 0.1;

async function showPanel(panel, metric) {
  panel.root.hidden = metric === undefined;
  if (metric === undefined) return;
  if (panel.axis !== state.axis) {
    panel.axis = state.axis;
    await Promise.all([panel.contours.create(state.axis), panel.indices.create()]);
  }
  if (panel.metric !== metric) showFacts(panel, metric);
  const level = levelText(ratioOf(state));
  const rates = `true positive rate ${digits(state.tpr)}, false positive rate ${digits(state.fpr)}`;
  const value = `${digits(valueHere(metric))} at ${level}`;
  setText(panel.part("value"), `${value}, with ${rates}`);
  const best = bestPoint(metric, state.positives, ratioOf(state));
  const roc = pasted?.roc ?? null;
  panel.part("of-scores").hidden = roc === null;
  setText(panel.part("best"), bestInWords(best, ratioOf(state)));
  setText(panel.part("in-words"), indicesInWords(metric, state));
  panel.part("plot").setAttribute(
    "aria-label",
    `${metric.name}: ${value}. Classifier: ${rates}. The arrow keys move it.`,
  );
  panel.part("indices").setAttribute("aria-label", indicesInWords(metric, state));
  await Promise.all([panel.contours.draw(metric, state, best, roc), panel.indices.draw(metric, state)]);
}

const VERDICTS = {
  same: "Imbalance does not change it: proved.",
  differs: "Imbalance changes it.",
  undecided: "Undecided.",
};

function showFacts(panel, metric) {
  panel.metric = metric;
  setText(panel.root.querySelector("h2"), capitalized(metric.name));
  setText(panel.part("verdict"), VERDICTS[metric.verdict]);
  setText(panel.part("advice"), metric.advice);
  setText(panel.part("evidence"), metric.evidence);
  const { key } = metric.bySampling ? {} : metric;
  copyTemplate(`formula-${key}`, panel.part("formula"), metric.formula);
  copyTemplate(`proof-${key}`, panel.part("proof"), metric.proof);
  const range = `From ${digits(metric.low)} to ${digits(metric.high)}`;
  const facts = metric.bySampling
    ? [`${range}, found at sampled rates; indices by quadrature in this page, without a check`]
    : [
        metric.lowerIsBetter ? `${range}, lower is better` : range,
        `key ${key}`,
        metric.source,
      ];
  if (metric.approximated) {
    facts.push("indices by quadrature in this page, without a check");
  }
  if (metric.scale) facts.push(`contours and indices of the metric scaled to [0, 1]: ${metric.scale}`);
  if (metric.sizes) {
    facts.push(`depends on the number of instances, too: indices are for ${FACTS.positives} positives`);
  }
  setText(panel.part("facts"), `${facts.join("; ")}.`);
}

// A formula as the page has it set, or as one types it.
function copyTemplate(id, target, typed) {
  const template = element(id);
  const code = document.createElement("code");
  code.textContent = typed ?? "";
  target.replaceChildren(...(template ? [template.content.cloneNode(true)] : typed ? [code] : []));
}

function newPanel(root) {
  root.append(element("panel").content.cloneNode(true));
  const part = (name) => root.querySelector(`.${name}`);
  const contours = new ContourPanel(part("plot"));
  const panel = { root, part, contours, indices: new IndexChart(part("indices")) };
  const plot = part("plot");
  plot.addEventListener("pointerdown", (event) => {
    plot.setPointerCapture(event.pointerId);
    plot.focus({ preventScroll: true });
    change(contours.ratesAt(event));
  });
  plot.addEventListener("pointermove", (event) => {
    if (plot.hasPointerCapture(event.pointerId)) change(contours.ratesAt(event));
  });
  plot.addEventListener("keydown", movePoint);
  return panel;
}

function movePoint(event) {
  const step = event.shiftKey ? LARGE_STEP : STEP;
  const axis = AXES[state.axis];
  const within = (rate) => Math.min(1, Math.max(0, Number(rate.toPrecision(12))));
  const sideways = (by) => ({ fpr: within(axis.rate(within(axis.place(state.fpr) + by))) });
  const moves = {
    ArrowUp: () => ({ tpr: within(state.tpr + step) }),
    ArrowDown: () => ({ tpr: within(state.tpr - step) }),
    ArrowRight: () => sideways(step),
    ArrowLeft: () => sideways(-step),
  };
  if (Object.hasOwn(moves, event.key)) {
    event.preventDefault();
    change(moves[event.key]());
  }
}
