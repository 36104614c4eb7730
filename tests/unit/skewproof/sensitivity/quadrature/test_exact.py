import re
from pathlib import Path

import mpmath
import numpy as np
import pandas as pd
import pytest
from made_metrics import made

from skewproof.core.formulas.metrics import ParsedFormula, parse_metric
from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof.sensitivity.quadrature.tanh_sinh import tanh_sinh
from skewproof.sensitivity.sampling.sampled import sobol_indices

EVERY_METRIC = [bounded(metric) for metric in METRICS.values()]
REFERENCE = pd.read_csv(Path(__file__).parents[4] / "reference/mpmath_indices.csv")


def exact(metric, level="1:1"):
    found = exact_indices([metric], positives=100, negatives=Level.parse(level).negatives(100))
    return type(found)(*(part[0] for part in found))


@pytest.mark.parametrize(
    "row", list(REFERENCE.itertuples()), ids=lambda row: f"{row.metric} {row.level}"
)
@pytest.mark.slow
def test_against_mpmath_at_30_digits(row):
    found = exact(bounded(METRICS[row.metric]), row.level)
    tolerance = 1e-9 if "000000" in row.level else 1e-12
    np.testing.assert_allclose(found.s1, [row.s1_tp, row.s1_fp], rtol=0, atol=tolerance)
    np.testing.assert_allclose(found.st, [1 - row.s1_fp, 1 - row.s1_tp], rtol=0, atol=tolerance)
    np.testing.assert_allclose(found.s12, 1 - row.s1_tp - row.s1_fp, rtol=0, atol=tolerance)
    np.testing.assert_allclose(
        [found.mean, found.variance], [row.mean, row.variance], rtol=0, atol=tolerance
    )
    assert found.index_error <= tolerance
    assert found.moment_error <= tolerance


@pytest.mark.parametrize(
    ("level", "largest"),
    [
        ("1:1", 1e-12),
        ("1000:1", 1e-12),
        ("1:1000000", 1e-9),
    ],
)
@pytest.mark.slow
def test_every_metric_is_resolved(level, largest):
    negatives = Level.parse(level).negatives(100)
    found = exact_indices(EVERY_METRIC, positives=100, negatives=negatives)
    assert found.index_error.max() <= largest
    assert found.moment_error.max() <= largest
    assert found.reason.tolist() == [""] * len(EVERY_METRIC)
    for part in found[:-1]:
        assert np.isfinite(part).all()


@pytest.mark.slow
def test_sampling_comes_to_the_same_values():
    level = Level.parse("1:10")
    sampled = sobol_indices(
        EVERY_METRIC, level, 100, log2_samples=14, resamples=2, confidence=0.95, seed=3
    )
    found = exact_indices(EVERY_METRIC, positives=100, negatives=1000)
    np.testing.assert_allclose(sampled.s1, found.s1, rtol=0, atol=2e-3)
    np.testing.assert_allclose(sampled.st, found.st, rtol=0, atol=2e-2)


@pytest.mark.parametrize(
    ("metric", "reason"),
    [
        (made(lambda c: np.floor(3.3 * c.tpr) * c.tnr), "error estimate"),
        (made(lambda c: np.where(c.tpr > 0.3, c.tnr, np.nan)), "undefined or unbounded"),
        (made(lambda c: c.tpr / c.fpr), "error estimate"),
        *((made(lambda c, x=x: 0 * c.tp + x), f"{x:g} everywhere") for x in (0, 0.3, 0.5, 1, 2)),
        (made(ParsedFormula("max(tp/(P + N), 0.6)")), "0.6 everywhere"),
        (made(ParsedFormula("tp/P + fn/P + 0.1")), "1.1 everywhere"),
        (made(ParsedFormula("tp/(2*P) + max(fn - P, 0) - tp/(P + N)")), "error estimate"),
    ],
)
@pytest.mark.slow
def test_what_is_not_resolved_says_why(metric, reason, caplog):
    found = exact(metric)
    for part in (found.s1, found.st, found.s12, found.mean, found.variance):
        assert np.isnan(part).all()
    assert not max(found.index_error, found.moment_error) <= 1e-8
    assert re.search(f"is not resolved: .*{reason}", caplog.text)


LOG_2 = np.log(2)


KINKED = {
    # A triangle of height 1 and half-width 0.001 has the mean 0.001 and the mean square 0.002/3.
    "tp/P + max(0, 1 - 1000*abs(fp/N - 0.1619))": (
        0.501,
        1 / 12 + 0.002 / 3 - 1e-6,
        np.array([1 / 12, 0.002 / 3 - 1e-6]) / (1 / 12 + 0.002 / 3 - 1e-6),
    ),
    # |u + v - 1| has, given u, the mean (u² + (1 - u)²)/2, whose variance is 1/180.
    "abs(tp/P - tn/N)": (1 / 3, 1 / 18, [0.1, 0.1]),
    # With t = v/u the mean over v < u is that of (1 - t)/(1 + t) over t, and so is the mean square.
    "abs(tp*N - fp*P)/(tp*N + fp*P)": (
        2 * LOG_2 - 1,
        3 - 4 * LOG_2 - (2 * LOG_2 - 1) ** 2,
        None,
    ),
}


@pytest.mark.parametrize("level", ["1:1000", "50:1"])
@pytest.mark.parametrize("text", list(KINKED))
@pytest.mark.slow
def test_kinks_in_closed_form(text, level):
    mean, variance, s1 = KINKED[text]
    found = exact(made(ParsedFormula(text)), level)
    assert found.index_error <= 1e-9
    assert abs(found.mean - mean) <= min(found.index_error * variance**0.5, found.moment_error)
    assert abs(found.variance - variance) <= found.moment_error
    assert abs(found.variance / variance - 1) <= found.index_error
    if s1 is not None:
        np.testing.assert_allclose(found.s1, s1, rtol=0, atol=found.index_error)


@pytest.mark.parametrize(
    ("peak", "mean"),
    [
        # A Gaussian of width 1e-4 in v, as a square and as a product that is nearly one.
        ("exp(-1e8*(fp/N - 0.3)**2)", np.sqrt(np.pi) * 1e-4),
        ("exp(-1e8*(fp/N - 0.3)*(fp/N - 0.3000001))", np.sqrt(np.pi) * 1e-4 * np.exp(2.5e-7)),
        # A paraboloid over a disc of squared radius 1e-5, whose volume is that of half a cylinder.
        ("max(0, 1e-5 - (fp/N - 0.31)**2 - (tp/P - 0.62)**2)", np.pi * 1e-10 / 2),
    ],
)
@pytest.mark.slow
def test_a_thin_peak_is_seen(peak, mean):
    """It may be reported as not resolved, but not missed."""
    found = exact(made(ParsedFormula(f"tp/P + {peak}")), "1:10")
    error = abs(found.mean - mean - 0.5) * 12**0.5
    assert found.index_error > 1e-8 or error <= found.index_error


def test_a_jump_in_closed_form():
    """u up to 0.3, and 1 - v beyond."""
    found = exact(made(lambda c: np.where(c.tpr > 0.3, c.tnr, c.tpr)))
    mean, square = 0.045 + 0.35, 0.009 + 0.7 / 3
    of_u, of_v = 0.009 + 0.7 / 4 - mean**2, 0.7**2 / 12
    assert found.index_error <= 1e-8
    assert abs(found.mean - mean) <= found.moment_error
    s1 = np.array([of_u, of_v]) / (square - mean**2)
    np.testing.assert_allclose(found.s1, s1, rtol=0, atol=found.index_error)


def test_the_error_of_moments_is_the_larger_distance_from_every_second_node():
    wave = made(lambda c: np.cos(400 * c.tpr) + 0 * c.fpr)
    nodes, _, weights = tanh_sinh()
    moments = []
    for values, rule in (
        (np.cos(400 * nodes), weights),
        (np.cos(400 * nodes[::2]), 2 * weights[::2]),
    ):
        mean = rule @ values
        moments.append(np.array([mean, rule @ (values - mean) ** 2]))
    distances = np.abs(moments[0] - moments[1])
    found = exact_indices([wave], positives=1, negatives=1)
    assert distances.max() > 1.5 * distances.min()
    np.testing.assert_allclose(found.moment_error, distances.max(), rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("negatives", [100, 100_000])
def test_a_step_along_a_line_is_resolved(negatives):
    """The means along lines of 1/(1 + exp(fp - tp)) are differences of log(1 + exp(x)); what is
    left is integrated in one variable by mpmath."""
    found = exact_indices(
        [parse_metric("1/(1 + exp(fp - tp))")], positives=100, negatives=negatives
    )
    soft = lambda x: mpmath.log1p(mpmath.exp(-abs(x))) + max(x, 0)  # noqa: E731

    def integral(function, end):
        places = sorted({0, *(x for x in (1, 10, 50, 90, 99, 100, 101, 110, 150) if x < end), end})
        return mpmath.quad(function, places) / end

    with mpmath.workdps(20):
        by_tp = lambda tp: (soft(tp) - soft(tp - negatives)) / negatives  # noqa: E731
        by_fp = lambda fp: (soft(100 - fp) - soft(-fp)) / 100  # noqa: E731
        mean = integral(by_tp, 100)
        # f^2 = f - f', f' by tp.
        steps = lambda fp: (1 / (1 + mpmath.exp(fp - 100)) - 1 / (1 + mpmath.exp(fp))) / 100  # noqa: E731
        square = mean - integral(steps, negatives)
        variance = square - mean**2
        s1 = [
            (integral(lambda x: one(x) ** 2, end) - mean**2) / variance  # noqa: B023
            for one, end in ((by_tp, 100), (by_fp, negatives))
        ]
    assert found.mean[0] == pytest.approx(float(mean), rel=1e-8)
    assert found.s1[0] == pytest.approx(list(map(float, s1)), abs=1e-8)
