"""The examples of the site run, draw a picture, and have the results that they state."""

import runpy

import matplotlib
import pandas as pd
import pytest

from skewproof.metrics import balanced_accuracy, f1, f1_i, mcc
from study import PROJECT

EXAMPLES = {path.stem.removeprefix("plot_"): path for path in PROJECT.glob("docs/examples/*.py")}


@pytest.fixture
def run(monkeypatch):
    """A function that runs an example of a name and gives its names."""
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    def names_of(name):
        plt.close("all")
        monkeypatch.setattr(plt, "show", lambda: None)
        names = runpy.run_path(str(EXAMPLES[name]))
        assert plt.get_fignums() or names["figure"].axes
        plt.close("all")
        return names

    return names_of


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["contours", "deployment_prevalence", "decision_curve", "reliability"]
)
def test_an_example_runs(name, run):
    run(name)


def test_every_example_is_run():
    text = (PROJECT / "tests/reference/test_examples.py").read_text()
    assert all(f'"{name}"' in text for name in EXAMPLES)
    assert len(EXAMPLES) == len(list(PROJECT.glob("docs/examples/plot_*.py")))


@pytest.mark.slow
def test_a_report_has_the_months_and_the_requirement_of_the_example(run):
    page = run("report")["page"]
    assert [row["requirement"] for row in page.requirements] == ["precision >= 0.2"]
    assert "6 periods" in next(c.sentence for c in page.chapters if "months" in c.title)


@pytest.mark.slow
def test_metrics_fall_though_the_classifier_stays(run):
    matrices = run("metric_over_levels")["matrices"]
    for metric, falls in ((f1, True), (mcc, True), (balanced_accuracy, False), (f1_i, False)):
        values = metric(matrices)
        assert (values[-1] < 0.1) if falls else values.max() - values.min() < 1e-12


@pytest.mark.slow
def test_the_parts_of_a_difference_are_where_the_example_says(run):
    changes = run("compare_slices")["changes"].set_index("shop")
    parts = changes[["prevalence_part", "part_of_positive", "part_of_negative"]].abs()
    assert parts.loc["harbor", ["part_of_positive", "part_of_negative"]].max() < 1e-3
    assert parts.loc["airport", "prevalence_part"] < 1e-12
    assert parts.loc["airport", "part_of_positive"] > 10 * parts.loc["airport", "part_of_negative"]
    assert parts.loc["station"].min() > 0.05


@pytest.mark.slow
def test_drift_is_dated(run):
    changes = run("watch_drift")["drift"].changes
    assert changes[["rate", "since"]].values.tolist() == [["recall of positive", "2026-09"]]


@pytest.mark.slow
def test_the_promised_cut_off_is_above_the_lowest_one(run):
    names = run("promised_cutoff")
    met = names["precision"](names["matrices"]) >= 0.5
    assert names["found"].threshold > names["thresholds"][met].min()


@pytest.mark.slow
def test_noise_lowers_the_measure(run):
    names = run("many_classes")
    before, after = (names["interval"]("macro_f1", names[one]) for one in ("clean", "noisy"))
    assert after.high < before.low


@pytest.mark.slow
def test_one_formula_depends_on_the_class_sizes(run):
    names = run("audit_formula")
    cards = map(names["audit"], names["formulas"].values())
    verdicts = [{row["verdict"] for row in card.invariance} for card in cards]
    assert verdicts == [{"differs"}, {"same"}]


@pytest.mark.slow
def test_estimates_without_labels_cover_the_truth(run):
    names = run("prevalence_without_labels")
    found = names["found"]
    rows = found[found["metric"] == "prevalence"].set_index("month")
    for month, (positives, negatives) in names["months"].items():
        share = positives / (positives + negatives)
        assert rows.loc[month, "low"] < share < rows.loc[month, "high"]


@pytest.mark.slow
def test_best_points_go_where_the_example_says(run):
    names = run("best_points")
    best, curve = names["best_point"], names["curve"]
    tpr = pd.DataFrame(
        {
            metric: [best(metric, curve, at=level).tpr for level in names["levels"]]
            for metric in ("youden_j", "f1", "accuracy", "mcc")
        }
    )
    assert tpr["youden_j"].max() - tpr["youden_j"].min() < 1e-9
    assert all(tpr[metric].is_monotonic_decreasing for metric in ("f1", "accuracy", "mcc"))
    limits = {metric: names["rare_limit"](metric, curve).tpr for metric in tpr}
    assert limits["f1"] == limits["accuracy"] == 0 < limits["mcc"] < tpr["mcc"].min()
