import numpy as np
import pytest

from skewproof.confusion import ConfusionMatrix
from skewproof.design import INPUTS, saltelli_design
from skewproof.indices import first_order
from skewproof.levels import Level
from skewproof.metrics import REGISTRY

OPTIONS = {"resamples": 100, "confidence": 0.95, "seed": 0}


def design(level="1:1", *, log2_samples=12, seed=0, positives=100):
    return saltelli_design(Level.parse(level), positives, log2_samples=log2_samples, seed=seed)


def test_design_has_saltellis_rows():
    points = design("1:10", log2_samples=4).reshape(16, 4, 2)
    a, ab_tp, ab_fp, b = points.transpose(1, 0, 2)
    np.testing.assert_array_equal(ab_tp, np.column_stack([b[:, 0], a[:, 1]]))
    np.testing.assert_array_equal(ab_fp, np.column_stack([a[:, 0], b[:, 1]]))


def test_design_fills_the_counts():
    tp, fp = design("1:10").T
    assert (tp.min() >= 0, tp.max() <= 100) == (True, True)
    assert (fp.min() >= 0, fp.max() <= 1000) == (True, True)
    # A scrambled Sobol' sequence puts one base point in each of 16 equal intervals, 256 times.
    np.testing.assert_array_equal(np.histogram(tp[::4], bins=16, range=(0, 100))[0], 256)
    np.testing.assert_array_equal(np.histogram(fp[::4], bins=16, range=(0, 1000))[0], 256)


def test_each_level_and_seed_has_its_own_scramble():
    designs = [design(), design("1:2") / [1, 2], design(seed=1)]
    assert len({points.tobytes() for points in designs}) == 3
    np.testing.assert_array_equal(design(), design())


@pytest.mark.parametrize("level", ["1:1", "1:2", "1:10", "7:3"])
def test_accuracy_has_indices_in_closed_form(level):
    # The variance of a uniform count is proportional to the square of its class's size.
    negatives = Level.parse(level).negatives(100)
    matrix = ConfusionMatrix.from_tp_fp(*design(level).T, positives=100, negatives=negatives)
    scores = first_order(REGISTRY["accuracy"](matrix), **OPTIONS)
    exact = np.array([100**2, negatives**2]) / (100**2 + negatives**2)
    np.testing.assert_allclose(scores.s1, exact, atol=1e-4)
    assert (scores.s1_conf > 0).all()


def test_product_of_inputs_has_indices_in_closed_form():
    # For xy on the unit square: each input alone explains (1/48)/(7/144) = 3/7.
    x, y = design(positives=1, log2_samples=14).T
    scores = first_order(x * y, **OPTIONS)
    np.testing.assert_allclose(scores.s1, 3 / 7, atol=1e-3)


def test_order_of_the_indices_is_that_of_the_inputs():
    scores = first_order(design()[:, INPUTS.index("tp")], **OPTIONS)
    np.testing.assert_allclose(scores.s1, [1, 0], atol=1e-6)


def test_half_width_grows_with_confidence():
    values = design().prod(axis=1)
    narrow = first_order(values, **OPTIONS | {"confidence": 0.5}).s1_conf
    wide = first_order(values, **OPTIONS | {"confidence": 0.99}).s1_conf
    assert (wide > narrow).all()


@pytest.mark.parametrize("seed", [0, 7])
def test_seeds_repeat_and_differ(seed):
    values = design().prod(axis=1)
    options = OPTIONS | {"seed": seed}
    np.testing.assert_array_equal(first_order(values, **options), first_order(values, **options))
    other = first_order(values, **OPTIONS | {"seed": seed + 1})
    assert (other.s1_conf != first_order(values, **options).s1_conf).all()


def test_undefined_values_are_counted_and_refused():
    values = design().prod(axis=1)
    values[[3, 5]] = np.nan, np.inf
    with pytest.raises(ValueError, match="undefined at 2 of 16384 sample points"):
        first_order(values, **OPTIONS)


def test_constant_values_are_refused():
    with pytest.raises(ValueError, match=r"constant 0\.5"):
        first_order(np.full(16, 0.5), **OPTIONS)
