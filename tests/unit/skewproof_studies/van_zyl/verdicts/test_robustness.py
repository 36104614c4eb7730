from pathlib import Path

import pandas as pd
import pytest

from skewproof.core.confusion import INPUTS
from skewproof.core.formulas.metrics import parse_metric
from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.sensitivity.behavior_types import DIFFERS
from skewproof.sensitivity.proofs.invariance import invariance
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof_studies.van_zyl.verdicts.robustness import (
    changed_types,
    choices,
    exchanges_by_choice,
    ranking,
)
from written import check_written

pytestmark = pytest.mark.slow  # they wait for tables that take long

KEYS = ["accuracy", "laplace", "laplace_i", "mcc", "mcc_i"]
CHOSEN = [bounded(METRICS[key]) for key in KEYS]
LEVELS = ["1:2", "1:100"]


@pytest.fixture(scope="module")
def table():
    return choices(
        CHOSEN,
        [Level.parse(level) for level in LEVELS],
        Level(1, 1),
        100,
        grid=20,
        undefined="omit",
        grids=[20, 40, 160],
        policies=["omit", 0, 1],
        class_sizes=[1, 100, 10_000],
    )


@pytest.fixture(scope="module")
def exact():
    rows = []
    for level in ["1:1", *LEVELS]:
        negatives = Level.parse(level).negatives(100)
        s1 = exact_indices(CHOSEN, positives=100, negatives=negatives).s1
        rows += [
            (key, level, name, value)
            for key, pair in zip(KEYS, s1, strict=True)
            for name, value in zip(INPUTS, pair, strict=True)
        ]
    return pd.DataFrame(rows, columns=["metric", "level", "input", "s1"])


def written(frame):
    return frame.round(6).replace({0.0: 0}).to_csv(index=False)


def test_one_choice_is_changed_at_a_time(table, exact):
    """The class size moves the Laplace estimate only, a policy metrics with undefined corners only.

    Three metrics move at each of 2 levels: 3 pairs. The mean shift of accuracy is 99/(2·101)/3.
    """
    unknown = exact.assign(s1=exact["s1"].mask(exact["metric"] == "mcc"))
    check_written(
        Path(__file__).with_name("robustness.txt"),
        choices=written(table.drop(columns="error_estimate")),
        exchanges=written(exchanges_by_choice(table)),
        ranking=written(ranking(table, exact, baseline="1:1")),
        without_an_index=written(ranking(table, unknown, baseline="1:1")),
    )


def test_grids_come_nearer_to_the_integral(table):
    wide = table[table["choice"].isin(["grid", "integral"])].pivot(
        index=["metric", "level"], columns="value", values="mean_deviation"
    )
    distances = wide[["20", "40", "160"]].sub(wide["exact"], axis=0).abs()
    moving = distances[wide["exact"] > 1e-9]
    assert (moving["160"] < moving["20"]).all()


def test_a_grid_can_miss_a_metric_that_is_proven_to_move(table):
    """min(fp, 1) is 1 at all points but fp = 0 where these are 100/99 apart, not where 100/399."""
    levels = [Level.parse(level) for level in LEVELS]
    metric = parse_metric("min(fp, 1)", key="capped")
    assert {invariance(metric, level, Level(1, 1), 100).verdict for level in levels} == {DIFFERS}
    options = {"grid": 100, "undefined": "omit", "policies": [], "class_sizes": []}
    capped = choices([metric], levels, Level(1, 1), 100, grids=[100, 400], **options)
    types = capped.groupby("value")["type"].agg(set).to_dict()
    assert types == {"100": {5}, "400": {1}, "exact": {1}}
    assert (capped.loc[capped["value"] == "100", "sigma"] == 0).all()
    assert changed_types(pd.concat([table, capped])) == ["capped"]
    assert changed_types(table) == []


def test_a_pair_that_changes_places_is_counted(table):
    """MCC moves least beside accuracy and laplace; here it moves most."""
    here = (table["choice"] + table["value"] == "grid20") & (table["level"] == "1:2")
    here &= table["metric"] == "mcc"
    changed = table.assign(mean_deviation=table["mean_deviation"].mask(here, 1))
    found = exchanges_by_choice(changed).set_index(["choice", "value"])
    assert found.loc[[("grid", "20"), ("grid", "40")], "exchanged"].to_list() == [2, 0]
