"""Measures that forget the rare classes."""

import numpy as np
import pandas as pd
import pytest

from skewproof.multiclass.lookup import MEASURES
from skewproof_studies.mullick.forgetting.class_weights import (
    Sampling,
    sensitivity_table,
    types_table,
    weights_of_the_rarest,
)

pytestmark = pytest.mark.slow  # they wait for tables that take long

CHOSEN = [MEASURES[key] for key in ("acsa", "accuracy", "mcc", "maurpc_ova", "g_mean")]
SAMPLED = [MEASURES["mcc"]]


@pytest.fixture(scope="module")
def table():
    parts = [
        sensitivity_table(CHOSEN, classes, [2, 100], Sampling(7, replicates=6, seed=1))
        for classes in (2, 4)
    ]
    return pd.concat(parts, ignore_index=True)


def test_columns_and_rows_of_the_sensitivity_table(table):
    # Equal classes and three shapes at two ratios, of two and of four classes.
    assert len(table) == len(CHOSEN) * 7 * (2 + 4)
    exact = table.groupby("index")["exact"].all()
    assert set(exact.index[exact]) == {"acsa", "accuracy", "g_mean"}
    assert (table.loc[table["exact"], ["first_order_error", "total_error"]] == 0).all(axis=None)


def test_types_and_weights_of_the_rarest(table):
    types = types_table(table, alpha=0.05).groupby("index")
    for key, expected in (("acsa", "5"), ("g_mean", "5"), ("maurpc_ova", "5"), ("accuracy", "1")):
        for verdict in ("importance", "contour"):
            assert set(types.get_group(key)[verdict]) == {expected}
    weights = weights_of_the_rarest(table).set_index(["index", "classes", "shape", "ratio"])
    equal = weights.xs("equal", level="shape")["weight"]
    np.testing.assert_allclose(equal.loc[["acsa", "accuracy", "g_mean"]], 1)
    assert weights.loc[("accuracy", 2, "step", 100), "weight"] == pytest.approx(2 / 10_001)


def test_a_seed_gives_the_same_bits_also_beside_a_further_ratio():
    one, more, other = (
        sensitivity_table(SAMPLED, 3, ratios, Sampling(5, replicates=2, seed=seed))
        for ratios, seed in (([10], 1), ([10, 100], 1), ([10], 2))
    )
    kept = more[more["ratio"] <= 10].reset_index(drop=True)
    pd.testing.assert_frame_equal(one, kept, check_exact=True)
    assert not one.equals(other)
