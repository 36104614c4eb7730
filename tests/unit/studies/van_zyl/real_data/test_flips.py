import numpy as np
import pandas as pd
import pytest

from skewproof.core.formulas import parse_metric
from skewproof.core.normalize import normalized
from skewproof.metrics import METRICS
from skewproof.practice.uncertainty import compare_models
from skewproof.studies.van_zyl.real_data.flips import label_ways, ranking_flips

POSITIVE = np.repeat([True, False], [100, 1900])


def calls(tp, fp):
    """Predictions with so many true and false positives."""
    return np.repeat([True, False, True, False], [tp, 100 - tp, fp, 1900 - fp])


CAUTIOUS, KEEN = calls(60, 20), calls(90, 190)
WAYS = label_ways(POSITIVE, {"cautious": CAUTIOUS, "keen": KEEN})


def flips(ways=WAYS, metrics=("f1", "f1_i", "accuracy"), draws=400, seed=1, registry=METRICS):
    table = ranking_flips(ways, list(metrics), draws=draws, seed=seed, registry=registry)
    return table.set_index("metric")


def test_ways_count_every_instance_once():
    assert WAYS["count"].sum() == len(POSITIVE)
    assert len(WAYS) <= 8
    assert WAYS.loc[WAYS["positive"] & WAYS["keen"], "count"].sum() == 90


def test_winners_are_those_with_the_higher_score():
    table = flips()
    for metric in ("f1", "f1_i", "accuracy"):
        values = {
            name: METRICS[metric].score(POSITIVE, predicted, pos_label=True)
            for name, predicted in (("cautious", CAUTIOUS), ("keen", KEEN))
        }
        assert table.loc[metric, "winner"] == max(values, key=values.get)


def test_f1_and_its_variant_pick_different_models():
    row = flips().loc["f1"]
    assert (row["winner"], row["modified"], row["modified_winner"]) == ("cautious", "f1_i", "keen")
    assert row["flips"]
    assert row["flip_confidence"] > 0.95


def test_a_variant_is_known_by_its_field_not_by_its_key():
    """As that of a study's own metric: its key may be any."""
    own = parse_metric("2*tp/(2*tp + fp + fn)", key="mine")
    registry = METRICS.extended([own, normalized(own, key="of_rates")])
    registry = registry.extended([parse_metric("tp/(tp + fp)", key="mine_i")])
    row = flips(metrics=("mine", "mine_i", "of_rates"), registry=registry).loc["mine"]
    assert (row["modified"], row["modified_winner"]) == ("of_rates", "keen")
    assert row["flips"]


def test_a_metric_without_variant_has_none():
    columns = ["modified", "modified_winner", "modified_confidence", "flips", "flip_confidence"]
    assert flips().loc["accuracy", columns].isna().all()


def test_confidence_is_that_of_the_paired_comparison():
    table = flips(draws=20_000)
    pair = compare_models(
        METRICS["f1"], POSITIVE, KEEN, CAUTIOUS, pos_label=True, draws=20_000, seed=2
    )
    assert table.loc["f1", "confidence"] == pytest.approx(pair.probability, abs=0.01)


def test_ties_are_shared():
    ways = label_ways(POSITIVE, {"one": KEEN, "two": KEEN, "three": CAUTIOUS})
    row = flips(ways).loc["f1_i"]
    assert row["winner"] == "one = two"
    assert row["confidence"] > 0.99


def test_undefined_values_do_not_win_and_are_counted():
    nothing = np.zeros(len(POSITIVE), dtype=bool)
    ways = label_ways(POSITIVE, {"nothing": nothing, "keen": KEEN})
    row = flips(ways, ["markedness"]).loc["markedness"]
    assert (row["winner"], row["confidence"]) == ("keen", 1.0)
    assert row["undefined"] == 0.5


def test_repeats_with_its_seed():
    close = label_ways(POSITIVE, {"cautious": CAUTIOUS, "less so": calls(62, 25)})
    pd.testing.assert_frame_equal(flips(close), flips(close))
    assert not flips(close).equals(flips(close, seed=2))


def test_fewer_errors_win():
    table = flips(metrics=("accuracy", "error_rate"))
    wins = table[["winner", "confidence"]]
    assert wins.loc["error_rate"].equals(wins.loc["accuracy"])
