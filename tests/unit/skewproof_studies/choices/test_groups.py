from fractions import Fraction

import pandas as pd
import pytest

from skewproof import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.metrics.atlas import ATLAS
from skewproof_studies.choices.groups import (
    DIFFERENT,
    SAME,
    SAME_RATE,
    UNDECIDED,
    UNSOUGHT,
    Sampled,
    choosing_alike,
    dealt_out,
    group_table,
    proof,
)

SAMPLED = Sampled.drawn([Level(1, 1), Level(1, 1000)], positives=100, seed=1)


def points(**rates):
    rows = [
        (key, level, tpr, tpr / 10)
        for key, both in rates.items()
        for level, tpr in zip(("1:1", "1:10"), both, strict=False)
    ]
    return pd.DataFrame(rows, columns=["metric", "level", "tpr", "fpr"]).assign(curve="d2")


def test_a_group_has_the_same_points_at_all_levels_to_a_millionth_of_themselves():
    found = choosing_alike(
        points(
            f1=(0.5, 1e-7),
            mcc=(0.5, 1e-7 + 5e-14),
            kappa=(0.5, 1e-7 + 2e-13),
            accuracy=(0.5, 0.0),
            hmnc=(0.5,),
        )
    )
    assert found == {"f1": "f1", "mcc": "f1", "kappa": "kappa", "accuracy": "accuracy"}


@pytest.mark.parametrize(
    ("one", "other"),
    [("f1", "gilbert_ratio"), ("accuracy", "error_rate"), ("f1_i", "gilbert_ratio_i")],
)
@pytest.mark.slow
def test_orderings_that_are_the_same(one, other):
    assert proof(ATLAS[one], ATLAS[other])
    assert SAMPLED.opposite(ATLAS[one], ATLAS[other]) == ""


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), [("g_mean", "mcc_i"), ("accuracy", "balanced_accuracy")])
def test_classifiers_in_opposite_orders(one, other):
    """Compute by hand with exact numbers, if the text has the rates and the level."""
    text = SAMPLED.opposite(METRICS[one], METRICS[other])
    assert not proof(METRICS[one], METRICS[other])
    pairs, _, level = text.removeprefix("TPR and FPR of ").rpartition(" at ")
    level = Level.parse(level)
    values = []
    for pair in pairs.split(" and "):
        u, v = map(Fraction, pair.strip("()").split(", "))
        matrix = ConfusionMatrix.from_rates(
            float(u), float(v), positives=100, negatives=level.negatives(100)
        )
        values.append([float(METRICS[key](matrix)) for key in (one, other)])
    (a, b), (c, d) = values
    assert (a - c) * (b - d) < 0


def grouped(registry):
    """Tabulate measures that all choose the same points."""
    whole = points(**dict.fromkeys(registry, (0.8, 0.8)))
    table = group_table(whole, registry, [Level(1, 1)], positives=100, seed=1).set_index("metric")
    assert set(table["group"]) == {next(iter(registry))}
    return table


@pytest.mark.slow
def test_a_group_is_split_by_orderings():
    """The first call equally many of each class wrong at equal deviations, and differ elsewhere.

    Measures of association rise away from chance on two sides, where level lines are not connected.
    No proof is looked for for a long formula with logarithms.
    """
    table = grouped({key: METRICS[key] for key in ("balanced_accuracy", "g_mean", "cohen_kappa_i")})
    found = table[["ordering", "relation"]]
    assert found.loc["cohen_kappa_i"].to_list() == ["balanced_accuracy", SAME]
    assert found.loc["g_mean"].to_list() == ["g_mean", DIFFERENT]
    assert found.loc["balanced_accuracy", "relation"] == ""
    table = grouped({key: ATLAS[key] for key in ("phi_squared", "chi_squared")})
    assert table.loc["chi_squared", ["ordering", "relation"]].to_list() == [
        "chi_squared",
        SAME_RATE,
    ]
    table = grouped(dict.fromkeys(("one", "other"), ATLAS["mutual_information"]))
    shown = table.loc["other", ["ordering", "relation", "evidence"]].to_list()
    assert shown == ["other", UNDECIDED, UNSOUGHT]


def test_the_parts_have_all_points_once_and_no_group_is_divided():
    whole = points(
        f1=(0.5, 0.1), mcc=(0.4, 0.1), csi=(0.5, 0.1), kappa=(0.3, 0.1), youden=(0.4, 0.1)
    )
    parts = [dealt_out(whole, part, 2) for part in range(2)]
    assert [list(part["metric"].unique()) for part in parts] == [
        ["f1", "csi", "kappa"],
        ["mcc", "youden"],
    ]
    assert pd.concat(parts).sort_index().equals(whole)
