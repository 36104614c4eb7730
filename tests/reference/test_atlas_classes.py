"""The classes of the atlas that a run found, compared with values by the declarations."""

from importlib.resources import files
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas import ATLAS

TEXT = files("skewproof.metrics.atlas").joinpath("classes.csv").read_text("utf-8")
CLASSES = pd.read_csv(StringIO(TEXT))

PROJECT = Path(__file__).parents[2]

ROUNDED = 1e-7
"""Relative difference that rounding leaves between equal values."""


def matrices():
    sizes = 10 ** np.random.default_rng(11).uniform(0, 3, (2, 200))
    tp, fp = np.random.default_rng(12).uniform(0.02, 0.98, (2, 200)) * sizes
    return ConfusionMatrix.from_tp_fp(tp, fp, positives=sizes[0], negatives=sizes[1])


def classifiers(level, positives=100):
    u, v = np.random.default_rng(13).uniform(0.01, 0.99, (2, 300))
    one, other = map(int, level.split("_"))
    return ConfusionMatrix.from_rates(u, v, positives=positives, negatives=positives * other / one)


def values(key, matrix):
    with np.errstate(all="ignore"):
        found = np.asarray(ATLAS[key](matrix), dtype=float)
    return np.where(np.isfinite(found), found, np.nan)


def pairs(column):
    """List each measure with the first of its class."""
    table = CLASSES.dropna(subset=column)
    return table.loc[table[column] != table["measure"], ["measure", column]].values.tolist()


def test_pages_count_these_classes():
    assert list(CLASSES["measure"]) == list(ATLAS), "store results/atlas/classes.csv of a new run"
    table = pd.read_csv(PROJECT / "docs/filling/values.csv", header=None, index_col=0)
    stored = table[1][table.index.str.startswith("atlas.")]
    assert stored["atlas.measures"] == len(CLASSES)
    assert stored["atlas.order_invariant"] == (CLASSES["order_invariant"] == "yes").sum()
    for verdict in ("same", "differs"):
        assert stored[f"atlas.{verdict}"] == (CLASSES["verdict"] == verdict).sum()
    for column in ("affine", "ordering_1_1", "ordering_1_100"):
        name = column.replace("ordering_", "orderings.")
        assert stored[f"atlas.{name}"] == CLASSES[column].nunique()
    assert stored["atlas.values"] == CLASSES["equal"].nunique()


@pytest.mark.parametrize("column", ["equal", "affine"])
def test_measures_of_a_class_are_equal_or_on_a_line(column):
    found = pairs(column)
    assert found
    for key, first in found:
        one, other = (values(name, matrices()) for name in (key, first))
        if column == "equal":
            np.testing.assert_allclose(one, other, rtol=ROUNDED, atol=ROUNDED, err_msg=key)
        else:
            line = np.polynomial.Polynomial.fit(other, one, 1)
            assert np.abs(one - line(other)).max() < ROUNDED * np.ptp(one), key


@pytest.mark.parametrize("level", ["1_1", "1_100"])
def test_measures_of_a_class_order_classifiers_alike(level):
    found = pairs(f"ordering_{level}")
    assert found
    for key, first in found:
        one, other = (values(name, classifiers(level)) for name in (key, first))
        signs = [1 - 2 * ATLAS[name].lower_is_better for name in (key, first)]
        with np.errstate(invalid="ignore"):  # one is 0 for all classifiers of such classes
            differences = [
                sign * np.subtract.outer(side, side) / np.nanmax(np.abs(side))
                for sign, side in zip(signs, (one, other), strict=True)
            ]
        opposite = (differences[0] > ROUNDED) & (differences[1] < -ROUNDED)
        assert not opposite.any(), (key, first)


def test_first_measures_of_two_classes_have_different_values():
    firsts = CLASSES["equal"].dropna().unique()
    found = np.array([values(key, matrices()) for key in firsts])
    for place, own in enumerate(found):
        others = found[place + 1 :]
        alike = np.isclose(own, others, rtol=1e-12, atol=0, equal_nan=True)
        assert not alike.all(axis=1).any(), firsts[place]


@pytest.mark.parametrize("key", CLASSES.query("order_invariant == 'yes'")["measure"])
def test_invariant_orders_are_the_same_at_other_class_sizes(key):
    one, other = (values(key, classifiers(level)) for level in ("1_1", "3_700"))
    rising = np.subtract.outer(one, one) > ROUNDED * np.nanmax(np.abs(one))
    falling = np.subtract.outer(other, other) < -ROUNDED * np.nanmax(np.abs(other))
    assert not (rising & falling).any()
