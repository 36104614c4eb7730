"""The survey's decision trees, and its measures of clusterings and rankings under imbalance."""

import pandas as pd

SMALL = {"items": 60, "k": 5, "replicates": 2, "log2_samples": 6}


def test_every_output_is_there(fresh):
    fresh.configure(survey=SMALL)
    fresh.run("--cores", "2", "survey")
    problems = ("classification", "clustering", "ranking", "domain")
    figures = ["survey", *(f"choose_{problem}" for problem in problems)]
    tables = ["cluster_indices", "cluster_shifts", "ranking_indices", "ranking_shifts"]
    expected = [f"figures/{name}.{kind}" for name in figures for kind in ("png", "pdf")]
    expected += [f"results/survey/{name}.csv" for name in tables] + [
        "results/survey/discrepancies.md",
        "results/survey/report.md",
    ]
    assert sorted(fresh.produced()) == sorted(expected)
    shifts = pd.read_csv(fresh.folder / "results/survey/cluster_shifts.csv")
    assert list(shifts["level"].unique()) == ["1:1", "1:10", "7:3"]
    lists = pd.read_csv(fresh.folder / "results/survey/ranking_shifts.csv")
    assert (lists.loc[lists["measure"] == "ndcg", "perfect"] - 1).abs().max() < 1e-11
    assert "k = 5" in (fresh.folder / "results/survey/report.md").read_text()
    changed(fresh)


def changed(study):
    """Changed questions draw the trees again; a changed list examines rankings alone again."""
    path = study.folder / "src/skewproof/studies/survey/choosing.yaml"
    path.write_text(path.read_text().replace("What data are there?", "Which data are there?"))
    study.configure(survey=SMALL | {"k": 4})
    output = study.run("--cores", "1", "--dry-run", "survey")
    assert "Drawing the survey's decision trees" in output
    assert "Examining measures of rankings" in output
    assert "Examining measures of clusterings" not in output


def test_a_list_shorter_than_k_is_refused(fresh):
    fresh.configure(survey=SMALL | {"k": 61})
    output = fresh.run("--cores", "1", "survey", fails=True)
    assert "survey.k = 61: expected at most survey.items = 60" in output
