"""Metrics that the config defines, in the whole study."""

import pytest

from study import SMALL, Study

OWN = {"recall": "mine.py:recall", "skill": "(tp*tn - fp*fn)/((tp + fp)*(fp + tn))"}


KEYS = ["f1", "mcc", "recall", "recall_i", "skill", "skill_i"]

TABLES = [
    *("importance_scores", "p_values", "contour_deviation", "behavior_types", "exact_importance"),
    *("sweep", "convergence", "invariance", "sound_tests", "robustness", "verdicts"),
]


@pytest.fixture(scope="session")
def extended(made_once):
    def make(place):
        changes = SMALL | {"metrics": ["f1", "mcc"], "extra_metrics": OWN}
        study = Study.create(place, changes)
        (study.folder / "mine.py").write_text("def recall(c):\n    return c.tpr\n")
        contours = [f"figures/contours/{key}.png" for key in KEYS]
        tables = [f"results/{name}.csv" for name in TABLES]
        study.run("--cores", "2", *tables, *contours, "results/tables/table_7.md")

    return made_once("extended", make)


def test_they_join_every_table_and_figure(extended):
    for name in TABLES:
        assert list(extended.table(name)["metric"].unique()) == KEYS, name
    produced = extended.produced()
    assert all(f"figures/contours/{key}.png" in produced for key in KEYS)
    assert "skill" in produced["results/tables/table_7.md"].decode()


def test_own_metrics_may_be_drawn_for_salib(tmp_path):
    changes = SMALL | {"metrics": ["f1"], "extra_metrics": OWN, "levels": ["1:1", "1:10"]}
    study = Study.create(tmp_path / "study", changes | {"seed": 4})
    (study.folder / "mine.py").write_text("def recall(c):\n    return c.tpr\n")
    study.run("--cores", "2", "results/salib_agreement.csv")
    agreement = study.table("salib_agreement")
    assert set(agreement["metric"]) - {"f1"}
    assert agreement["difference"].abs().max() <= 1e-8


def test_the_normalized_variant_is_robust(extended):
    symbolic = extended.table("verdicts").set_index("metric")["symbolic"]
    assert set(symbolic["skill"]) == {"differs"}
    assert set(symbolic["skill_i"]) == set(symbolic["recall"]) == {"same"}
    exact = extended.table("exact_importance").query("metric == 'recall' and input == 'tp'")
    assert exact["s1"].to_list() == pytest.approx([1, 1, 1])


def test_a_changed_definition_runs_again(extended, tmp_path):
    assert extended.planned("results/verdicts.csv") == []
    study = extended.copy(tmp_path / "study")
    (study.folder / "mine.py").write_text("def recall(c):\n    return c.tpr**2\n")
    assert "Computing the exact indices at all levels" in study.planned()
    other = extended.copy(tmp_path / "other")
    other.configure(extra_metrics=OWN | {"skill": "tp/P - fp/N"})
    assert "Computing the exact indices at all levels" in other.planned()
