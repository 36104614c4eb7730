import io

import numpy as np
import pandas as pd
import pytest

from skewproof.core.formulas.metrics import parse_metric
from skewproof.metrics import METRICS
from skewproof.reporting.style import BLUE, VERMILION
from skewproof_studies.van_zyl.figures.index_figures import _shape, convergence_figure, sweep_figure

pytestmark = pytest.mark.slow

REGISTRY = METRICS.extended([parse_metric("tp/P", key="mine")])
KEYS = ["accuracy", "mcc", "mine"]
TITLES = [f"${REGISTRY[key].symbol}$" for key in KEYS]
RATIOS = [0.1, 1.0, 10.0, 100.0]


@pytest.fixture(scope="module")
def sweep():
    """Indices that add to 1 and move with the imbalance."""
    table = pd.MultiIndex.from_product([RATIOS, KEYS], names=["negatives_per_positive", "metric"])
    table = table.to_frame(index=False)
    s1_tp = 1 / (1.3 + table["negatives_per_positive"])
    return table.assign(s1_tp=s1_tp, s1_fp=0.9 - s1_tp, s12=0.1)


def test_a_panel_a_metric_has_its_last_values_beside_it(sweep):
    figure = sweep_figure(sweep, registry=REGISTRY)
    assert [axes.get_title() for axes in figure.axes] == TITLES
    accuracy = sweep[sweep["metric"] == "accuracy"]
    key, *written = (text.get_text() for text in figure.axes[0].texts)
    last = accuracy[["s1_tp", "s1_fp", "s12"]].iloc[-1]
    assert key == "accuracy"
    assert sorted(written) == sorted(f"{abs(round(value, 2)):.2f}" for value in last)
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=40)
    assert file.getvalue().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "last_bits", [(0.5, 0.5), (0.5, np.nextafter(0.5, 1)), (np.nextafter(0.5, 1), 0.5)]
)
def test_last_bits_change_no_label(sweep, last_bits):
    tp, fp = last_bits
    figure = sweep_figure(sweep.assign(s1_tp=tp, s1_fp=fp, s12=0.0), registry=REGISTRY)
    labels = [text for text in figure.axes[0].texts if text.get_text() == "0.50"]
    assert [label.get_color() for label in labels] == [BLUE, VERMILION]
    assert [label.xyann[1] for label in labels] == pytest.approx([0.47, 0.59])
    assert [label.xy[1] for label in labels] == pytest.approx([0.5, 0.5])  # the lines' ends


def test_the_larger_error_of_both_inputs_is_drawn():
    table = pd.MultiIndex.from_product(
        [range(5, 8), ["1:1", "1:10"], KEYS, ["tp", "fp"]],
        names=["log2_samples", "level", "metric", "input"],
    ).to_frame(index=False)
    error = 0.1 / table["log2_samples"] * table["input"].map({"tp": 1, "fp": 0.5})
    table = table.assign(error=error, s1_conf=10 * error)
    axes = convergence_figure(table, registry=REGISTRY).axes
    assert [panel.get_title() for panel in axes] == TITLES
    lines = {line.get_label(): line for line in axes[0].lines}
    assert set(lines) == {
        f"{what} at {level}" for what in ("error", "half-width") for level in ("1:1", "1:10")
    }
    drawn = lines["error at 1:10"]
    np.testing.assert_array_equal(drawn.get_xdata(), [32, 64, 128])
    np.testing.assert_allclose(drawn.get_ydata(), 0.1 / np.arange(5, 8))


@pytest.mark.parametrize(
    ("metrics", "shape"), [(1, (1, 1)), (4, (1, 4)), (24, (4, 6)), (49, (9, 6)), (2024, (88, 23))]
)
def test_rows_and_columns_of_panels(metrics, shape):
    assert _shape(metrics) == shape
    assert np.prod(shape) >= metrics
    assert 1.6 * 150 * shape[0] < 2**16  # inches a row, and dots; Matplotlib draws no larger ones
