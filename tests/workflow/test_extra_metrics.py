"""A level and metrics, also of the config, that are added to a finished study."""

import pandas as pd
import pytest

from study import SMALL

OWN = {"recall": "mine.py:recall", "skill": "(tp*tn - fp*fn)/((tp + fp)*(fp + tn))"}
ADDED = ["mcc_f1", "recall", "recall_i", "skill", "skill_i"]
LEVELS = ["1:1", "1:10", "1:20", "7:3"]

OF_ALL = [
    *("importance_scores", "exact_importance", "exact_moments", "salib_agreement", "p_values"),
    *("contour_deviation", "sweep", "convergence"),
]
OF_CONCLUSIONS = ["invariance", "sound_tests", "robustness", "verdicts"]


@pytest.fixture(scope="session")
def extended(made_once, finished):
    def make(place):
        study = finished.copy(place)
        (study.folder / "mine.py").write_text("def recall(c):\n    return c.tpr\n")
        metrics = [*SMALL["metrics"], "mcc_f1"]
        study.configure(levels=LEVELS, metrics=metrics, extra_metrics=OWN)
        study.run("--cores", "2", "all", *(f"results/{name}.csv" for name in OF_CONCLUSIONS))

    return made_once("extended", make)


def test_they_join_every_table_and_figure(extended):
    for name in (*OF_ALL, "behavior_types", *OF_CONCLUSIONS):
        assert list(extended.table(name)["metric"].unique()) == [*SMALL["metrics"], *ADDED], name
    produced = extended.produced()
    assert all(f"figures/contours/{key}.png" in produced for key in ADDED)
    assert "skill" in produced["results/tables/table_7.md"].decode()
    assert extended.planned("all", "results/verdicts.csv") == []


@pytest.mark.parametrize("name", OF_ALL)
def test_the_other_numbers_stay_as_they_were(finished, extended, name):
    before, after = finished.table(name), extended.table(name)
    others = after[~after["metric"].isin(ADDED)]
    if name not in ("sweep", "convergence"):
        levels = [level for level in LEVELS if level in set(after["level"])]
        assert list(after["level"].unique()) == levels
        others = others[others["level"] != "1:20"]
    if name == "salib_agreement":  # half-widths of one metric a level, drawn from the list
        others, before = (rows[rows["quantity"] == "s1"] for rows in (others, before))
    pd.testing.assert_frame_equal(
        others.reset_index(drop=True), before.reset_index(drop=True), check_exact=True
    )


def test_salib_agrees_on_them(extended):
    """The half-widths are those of a metric that the seed draws, at 1:20 `recall`."""
    agreement = extended.table("salib_agreement")
    agreement = agreement[agreement["metric"].isin(ADDED)]
    assert set(agreement["quantity"]) == {"s1", "s1_conf"}
    assert agreement["difference"].abs().max() <= 1e-12


def test_the_normalized_variant_is_robust(extended):
    symbolic = extended.table("verdicts").set_index("metric")["symbolic"]
    assert set(symbolic["skill"]) == {"differs"}
    assert set(symbolic["skill_i"]) == set(symbolic["recall"]) == {"same"}
    exact = extended.table("exact_importance").query("metric == 'recall' and input == 'tp'")
    assert exact["s1"].to_list() == pytest.approx([1] * len(LEVELS))


def test_a_changed_definition_runs_again(extended, tmp_path):
    study = extended.copy(tmp_path / "study")
    (study.folder / "mine.py").write_text("def recall(c):\n    return c.tpr**2\n")
    assert "Computing the exact indices at all levels" in study.planned()
    other = extended.copy(tmp_path / "other")
    other.configure(extra_metrics=OWN | {"skill": "tp/P - fp/N"})
    assert "Computing the exact indices at all levels" in other.planned()
