import numpy as np
import pytest
from hypothesis import given, strategies as st

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.metrics import parse_metric
from skewproof.core.metric import Metric
from skewproof.core.normalize import normalized
from skewproof.core.scales import bounded, scale
from skewproof.metrics import METRICS


def metric_in(low, high):
    return Metric("own", "x", "own", "here", lambda c: c.tpr - c.fpr, bounds=(low, high))


def test_a_metric_in_the_unit_interval_is_analyzed_as_it_is():
    assert bounded(METRICS["f1"]) is METRICS["f1"]
    assert scale(METRICS["f1"]) is None
    assert scale(METRICS["mcc"]).name == "linear, (x + 1)/2"


@pytest.mark.parametrize(
    ("key", "known"),
    [
        ("youden_j", "balanced_accuracy"),
        ("cohen_kappa_i", "balanced_accuracy"),
        ("positive_likelihood_ratio", "precision_i"),
    ],
)
def test_what_is_analyzed_is_a_known_metric(key, known):
    tp, fp = np.random.default_rng(0).random((2, 100)) * 50
    matrix = ConfusionMatrix.from_tp_fp(tp, fp, positives=50, negatives=70)
    np.testing.assert_allclose(bounded(METRICS[key])(matrix), METRICS[known](matrix), atol=1e-15)


@pytest.mark.parametrize(
    "ends", [(0, np.inf), (-np.inf, np.inf), (2, np.inf), (-3, np.inf), (-np.inf, 1), (-1, 3)]
)
def test_bounds_become_0_and_1_and_nan_stays(ends):
    found = scale(metric_in(*ends))
    assert [float(found.apply(end)) for end in ends] == [0, 1]
    assert np.isnan(found.apply(np.nan))


def test_a_metric_with_one_bound_is_mapped_by_its_distance_from_it():
    above, below = scale(metric_in(1, np.inf)), scale(metric_in(-np.inf, 1))
    assert (above.apply(4.0), below.apply(-2.0)) == (3 / 4, 1 / 4)
    assert (above.latex, below.latex) == ("1 - 1/({x})", "1/(2 - {x})")
    assert scale(metric_in(-2, np.inf)).latex == "1 - 1/({x} + 3)"


@given(first=st.floats(0, 1e6), second=st.floats(0, 1e6))
def test_maps_keep_the_order(first, second):
    low, high = sorted((first, second))
    for bounds in ((0, np.inf), (-np.inf, np.inf), (-1, 1e6), (-2, np.inf), (-np.inf, 1e6)):
        found = scale(metric_in(*bounds))
        assert found.apply(low) <= found.apply(high)


def test_the_name_and_symbol_say_what_is_analyzed():
    mapped = bounded(metric_in(-1, 3))
    assert (mapped.name, mapped.symbol) == ("own scaled to [0, 1]", "(x + 1)/4")
    assert bounded(metric_in(1, 3)).symbol == "(x - 1)/2"
    assert bounded(metric_in(0, np.inf)).symbol == "x/(1 + x)"
    assert bounded(metric_in(-np.inf, np.inf)).symbol == "1/(1 + e^{-x})"
    assert mapped.bounds == (0, 1)


def test_a_normalized_variant_has_the_bounds_of_its_metric():
    as_it_is = normalized(METRICS["negative_likelihood_ratio"])
    assert (as_it_is.bounds, as_it_is.lower_is_better) == ((0, np.inf), True)
    scaled = normalized(METRICS["youden_j"], rescale=lambda value: (value + 1) / 2)
    assert (scaled.bounds, scaled.lower_is_better) == ((0, 1), False)


def test_bounds_that_are_not_known_have_no_map():
    with pytest.raises(ValueError, match="the bounds of own are not known"):
        bounded(parse_metric("tp/P", key="own"))


@pytest.mark.parametrize("bounds", [(1, 1), (2, 1), (np.inf, np.inf)])
def test_bounds_are_in_their_order(bounds):
    with pytest.raises(ValueError, match="expected the first below the second"):
        bounded(metric_in(*bounds))
