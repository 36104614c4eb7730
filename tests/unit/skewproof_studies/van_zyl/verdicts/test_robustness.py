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


def test_one_choice_is_changed_at_a_time(table):
    counts = table.groupby("choice")["value"].nunique()
    assert counts.to_dict() == {"grid": 3, "undefined": 3, "positives": 3, "integral": 1}
    assert len(table) == 10 * len(KEYS) * len(LEVELS)
    own = table[table["choice"] + table["value"] != "integralexact"].query(
        "value in ('20', 'omit', '100')"
    )
    assert (own.groupby(["metric", "level"])["sigma"].nunique() == 1).all()
    types = table.groupby("metric")["type"].agg(set).to_dict()
    assert types == {
        "accuracy": {1}, "laplace": {1}, "mcc": {1}, "laplace_i": {5}, "mcc_i": {5},
    }  # fmt: skip
    # The class size moves the Laplace estimate only, a policy metrics with undefined corners only.
    of_sizes = table[table["choice"] == "positives"].groupby(["metric", "level"])["sigma"]
    spread = of_sizes.max() - of_sizes.min()
    assert set(spread[spread > 1e-9].index.get_level_values("metric")) == {"laplace"}
    policies = table[table["choice"] == "undefined"]
    undefined = policies[policies["level"] == "1:2"].groupby("metric")["undefined_points"].agg(set)
    assert undefined[["mcc", "mcc_i", "accuracy", "laplace"]].to_list() == [{2}, {2}, {0}, {0}]
    points = policies.groupby("value")["points"].min()
    assert points.to_dict() == {"omit": 398, "0": 400, "1": 400}


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


def test_pairs_that_change_places_are_counted(table):
    """3 metrics move at each of 2 levels: 3 pairs."""
    found = exchanges_by_choice(table).set_index(["choice", "value"])
    assert (found["pairs"] == 6).all()
    assert (found["exchanged"] == 0).all()
    row = found.loc[("positives", "1")]
    assert row["metric"] == "laplace"
    own = table[(table["metric"] == "laplace") & (table["level"] == row["level"])]
    shifts = own.set_index(["choice", "value"])["mean_deviation"]
    expected = abs(shifts["positives", "1"] - shifts["integral", "exact"])
    assert row["change"] == pytest.approx(expected)


def test_a_pair_that_changes_places_is_counted(table):
    """MCC moves least beside accuracy and laplace; here it moves most."""
    here = (table["choice"] + table["value"] == "grid20") & (table["level"] == "1:2")
    here &= table["metric"] == "mcc"
    changed = table.assign(mean_deviation=table["mean_deviation"].mask(here, 1))
    found = exchanges_by_choice(changed).set_index(["choice", "value"])
    assert found.loc[[("grid", "20"), ("grid", "40")], "exchanged"].to_list() == [2, 0]


def test_the_ranking_orders_by_the_surface(table, exact):
    result = ranking(table, exact, baseline="1:1").set_index("metric")
    assert list(result.index) == ["laplace_i", "mcc_i", "mcc", "accuracy", "laplace"]
    assert list(result["rank"]) == [1, 1, 3, 4, 5]
    accuracy = result.loc["accuracy"]
    assert accuracy["mean_shift"] == pytest.approx(99 / (2 * 101) / 3, abs=1e-9)
    assert accuracy["mean_shift_level"] == "1:100"
    assert accuracy["index_shift"] == pytest.approx(1 / 2 - 1 / (1 + 100**2), abs=1e-9)
    assert accuracy["index_shift_level"] == "1:100"
    unmoved = result.loc["mcc_i"]
    assert (unmoved["mean_shift"], unmoved["index_shift"]) == (0, 0)
    assert pd.isna(unmoved["mean_shift_level"])
    assert pd.isna(unmoved["index_shift_input"])
    unknown = exact.assign(s1=exact["s1"].mask(exact["metric"] == "mcc"))
    by_surface = ranking(table, unknown, baseline="1:1").set_index("metric").loc["mcc"]
    assert by_surface["rank"] == 3
    assert by_surface[["index_shift", "index_shift_level"]].isna().all()
