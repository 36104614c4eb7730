// Every metric's value at three prevalences, and how far prevalence alone moves it.

class MetricTable {
  constructor(body, choose) {
    this.body = body;
    this.choose = choose;
    this.rows = new Map();
  }

  // One row a metric; those that are there already stay.
  setMetrics(metrics) {
    for (const [key, row] of this.rows) {
      if (row.metric !== metrics.get(key)) {
        row.element.remove();
        this.rows.delete(key);
      }
    }
    for (const [key, metric] of metrics) {
      if (!this.rows.has(key)) this.rows.set(key, this.newRow(metric));
    }
  }

  newRow(metric) {
    const element = document.createElement("tr");
    element.dataset.key = metric.key;
    const head = document.createElement("th");
    head.scope = "row";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = capitalized(metric.name);
    button.title = `Show the contours of ${metric.key}`;
    button.addEventListener("click", () => this.choose(metric.key));
    head.append(button);
    const cells = ["here", "balanced", "deployed", "moved"].map((name) => {
      const cell = document.createElement("td");
      cell.className = name;
      return cell;
    });
    const [bar, span, mark, number] = ["div", "div", "div", "span"].map((name) =>
      document.createElement(name),
    );
    bar.className = "bar";
    span.className = "span";
    mark.className = "mark";
    bar.setAttribute("aria-hidden", "true");
    bar.append(span, mark);
    cells[3].append(bar, number);
    element.append(head, ...cells);
    this.body.append(element);
    return { metric, element, cells, span, mark, number, moved: -1 };
  }

  update(state) {
    const { tpr, fpr, positives } = state;
    const ratios = [ratioOf(state), 1, deploymentRatio(state)];
    for (const row of this.rows.values()) {
      const values = ratios.map((ratio) => valueAt(row.metric, tpr, fpr, positives, ratio));
      values.forEach((value, place) => setText(row.cells[place], compact(value)));
      const scaled = values.map((value) => Math.min(1, Math.max(0, row.metric.unit.to(value))));
      const [low, high] = [Math.min(...scaled), Math.max(...scaled)];
      row.moved = Number.isNaN(low) ? -1 : high - low;
      setText(row.number, Number.isNaN(low) ? "–" : row.moved.toFixed(3));
      row.span.style.left = `${100 * low}%`;
      row.span.style.width = `${100 * Math.max(0, row.moved)}%`;
      row.mark.style.left = `${100 * scaled[0]}%`;
      row.element.classList.toggle("undefined", Number.isNaN(low));
      const chosen = [state.metric, state.second].includes(row.metric.key);
      row.element.classList.toggle("chosen", chosen);
    }
  }

  // The metrics that move farthest first.
  sort() {
    const order = [...this.rows.values()].sort((one, other) => other.moved - one.moved);
    const there = [...this.body.children];
    if (order.some((row, place) => row.element !== there[place])) {
      const focused = document.activeElement;
      this.body.append(...order.map((row) => row.element));
      if (this.body.contains(focused)) focused.focus();
    }
  }
}
