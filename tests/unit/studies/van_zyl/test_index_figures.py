import io

import numpy as np
import pytest

from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.sensitivity.convergence import convergence
from skewproof.sensitivity.exact import exact_indices
from skewproof.sensitivity.sweep import sweep, sweep_ratios
from skewproof.studies.van_zyl.index_figures import convergence_figure, sweep_figure

METRICS = [METRICS[key] for key in ("accuracy", "mcc", "f1_i")]


def curves(points_per_decade=2):
    ends = {"start": Level.parse("10:1"), "stop": Level.parse("1:100")}
    return sweep(METRICS, 100, **ends, points_per_decade=points_per_decade)


def errors(log2_samples=range(5, 9)):
    level = Level.parse("1:10")
    return convergence(
        METRICS, [level], 100, log2_samples=log2_samples, resamples=20, confidence=0.95, seed=1
    )


def test_ratios_are_even_in_their_logarithm():
    ratios = sweep_ratios(Level.parse("1000:1"), Level.parse("1:1000000"), 5)
    assert len(ratios) == 9 * 5 + 1
    np.testing.assert_allclose(ratios[[0, 15, -1]], [1e-3, 1, 1e6])
    np.testing.assert_allclose(ratios[1:] / ratios[:-1], 10**0.2)


def test_sweep_has_the_exact_indices_of_its_levels():
    table = curves()
    assert len(table) == 3 * 7
    rows = table[np.isclose(table["negatives_per_positive"], 10)].set_index("metric")
    exact = exact_indices(METRICS, positives=100, negatives=1000)
    np.testing.assert_allclose(rows["s1_tp"], exact.s1[:, 0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(rows["s1_fp"], exact.s1[:, 1], rtol=0, atol=1e-12)
    np.testing.assert_allclose(rows["s12"], exact.s12, rtol=0, atol=1e-12)
    parts = table[["s1_tp", "s1_fp", "s12"]].sum(axis=1)
    np.testing.assert_allclose(parts, 1, rtol=0, atol=1e-12)


def test_convergence_measures_the_distance_from_the_exact_index():
    table = errors()
    assert len(table) == 3 * 2 * 4
    assert (table["error"] >= 0).all()
    largest = table.groupby("log2_samples")["error"].max()
    assert largest[8] < largest[5]


def test_each_sample_continues_the_one_before():
    first, longer = errors(range(5, 7)), errors(range(5, 9))
    same = longer[longer["log2_samples"] < 7]
    np.testing.assert_array_equal(same["error"], first["error"])


@pytest.mark.parametrize(
    "make", [lambda: sweep_figure(curves()), lambda: convergence_figure(errors())]
)
def test_a_panel_a_metric(make):
    figure = make()
    assert [axes.get_title() for axes in figure.axes] == [f"${m.symbol}$" for m in METRICS]
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=40)
    assert file.getvalue().startswith(b"\x89PNG")


def test_the_ends_of_the_curves_are_written():
    axes = sweep_figure(curves()).axes[0]
    accuracy = curves()[lambda table: table["metric"] == "accuracy"]
    written = sorted(text.get_text() for text in axes.texts)
    ends = accuracy[["s1_tp", "s1_fp", "s12"]].iloc[[0, -1]].to_numpy().ravel()
    assert written == sorted(f"{abs(round(value, 2)):.2f}" for value in ends)
