"""Indices and shifts over different classifiers."""

import pandas as pd
import pytest


@pytest.fixture(scope="module")
def tables(whole):
    folder = whole.folder / "results/classifiers"
    return {
        name: pd.read_csv(folder / f"{name}.csv") for name in ("indices", "shifts", "exchanges")
    }


def test_the_uniform_distribution_has_the_numbers_of_the_study(whole, tables):
    """Exact indices and shifts to the bit, sampled ones where the study has the same sample."""
    of_study = whole.table("exact_importance").set_index(["metric", "level", "input"])
    indices = tables["indices"]
    uniform = indices[indices["distribution"] == "uniform"].set_index(["metric", "level", "input"])
    assert uniform["s1"].to_dict() == of_study["s1"].loc[uniform.index].to_dict()
    scores = whole.table("importance_scores").set_index(["metric", "level", "input"])
    assert uniform["sampled_s1"].to_dict() == pytest.approx(
        scores["s1"].loc[uniform.index].to_dict(), abs=1e-12
    )
    choices = whole.table("robustness")
    integrals = choices[choices["choice"] == "integral"].set_index(["metric", "level"])
    shifts = tables["shifts"]
    own = shifts[shifts["distribution"] == "uniform"].set_index(["metric", "level"])
    assert own["mean_shift"].to_dict() == integrals["mean_deviation"].loc[own.index].to_dict()


def test_what_is_proved_not_to_move_has_rank_1_under_every_distribution(whole, tables):
    verdicts = whole.table("invariance").groupby("metric")["verdict"].agg(set)
    proved = [key for key, every in verdicts.items() if every == {"same"}]
    shifts = tables["shifts"]
    rows = shifts[shifts["metric"].isin(proved)]
    assert len(rows) == len(proved) * shifts.groupby(["distribution", "level"]).ngroups
    assert (rows["rank"] == 1).all()
    assert rows["mean_shift"].max() < 1e-13
