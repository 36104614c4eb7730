"""A complete run on a small config, and runs after changes and failures."""

import numpy as np
import pandas as pd
import pytest

from study import EVERY_STUDY, SMALL, Study, messages

LEVELS = SMALL["levels"]
COMPLETE = "All tables and figures of the paper are complete"
PROVENANCE = "Recording versions, seed, configuration and commit"
PRINTED = "Comparing every printed number with the computed one"
FIGURES = [
    "Drawing curves of one point, of the exact indices and of the errors of the sampled indices",
    "Drawing the contours of each metric; progress in logs/contour_figures.log",
]

IN_A_COPY = [PRINTED, COMPLETE]
"""Jobs of a copied study in any case, since its file of printed numbers has another path."""

OF_SCORES = [
    "Collecting the importance scores of all levels",
    "Comparing SALib's numbers with this project's",
    "Testing the importance scores against those at 1:1",
    "Classifying the metrics by importance scores and by contours",
    "Writing the tables in the paper's layout",
    PRINTED,
    COMPLETE,
]
"""Jobs that follow from the indices of all levels."""

OF_ALL_LEVELS = [
    *OF_SCORES,
    "Computing the exact indices at all levels",
    "Measuring the contour deviations from 1:1",
    FIGURES[1],
]
"""Jobs that depend on the list of levels."""

OF_ALL_METRICS = [
    *OF_ALL_LEVELS,
    "Computing the exact indices from 10:1 to 1:100",
    "Measuring the errors of the sampled indices by sample size",
    FIGURES[0],
]
"""Jobs that depend on the list of metrics, besides those of each level."""


def of_levels(*levels):
    """Return the messages of the three jobs of each level."""
    return [
        message
        for level in levels
        for message in (
            f"Drawing the sample of (tp, fp) at {level}",
            f"Evaluating the metrics on the sample at {level}",
            f"Computing the indices at {level} with SALib",
        )
    ]


def test_a_row_for_every_metric_and_level(finished):
    scores = finished.table("importance_scores")
    assert len(scores) == len(SMALL["metrics"]) * 3 * 2
    sizes = scores.groupby("level")[["positives", "negatives"]].first()
    assert sizes.loc["1:10"].to_list() == [100, 1000]
    assert sizes.loc["7:3"].to_list() == [100, 300 / 7]
    assert len(finished.table("p_values")) == len(SMALL["metrics"]) * 2
    assert len(finished.table("contour_deviation")) == len(SMALL["metrics"]) * 2
    assert len(finished.table("behavior_types")) == len(SMALL["metrics"]) * 2
    assert len(finished.table("exact_importance")) == len(SMALL["metrics"]) * 3 * 2
    assert len(finished.table("sweep")) == len(SMALL["metrics"]) * 4
    assert len(finished.table("convergence")) == len(SMALL["metrics"]) * 2 * 2 * 4
    assert len(finished.table("comparison")) == 840


def test_types_are_those_of_two_compared_levels(finished):
    table = pd.read_csv(finished.folder / "results/tables/table_8.csv", dtype=str)
    assert table["type"].to_list() == ["1", "last 1 of 2", "5"]
    types = finished.table("behavior_types").query("verdict == 'contour'")
    types = types.set_index("metric")["type"].astype(str)
    assert set(types[["f1_i", "laplace_i", "mcc_i", "iba", "g_mean"]]) == {"5"}
    assert set(types[["accuracy", "f1", "mcc"]]) == {"1"}


def test_the_comparison_says_why_printed_tables_are_left_out(finished):
    text = (finished.folder / "results/comparison.md").read_text()
    left_out = text.partition("## Numbers that are left out")[2].partition("##")[0]
    cells = [line.split("|")[1:-1] for line in left_out.splitlines() if line.startswith("| ")]
    reasons = {(table.strip(), why.strip()): int(count) for table, why, count in cells[1:]}
    assert reasons["6", "this study's types are of other levels: 1:10, 7:3"] == 24
    assert reasons["5", "1:1000 is not among this study's levels"] == 24
    assert reasons["a14", "not one of this study's metrics"] == 12 * 5
    assert reasons["a16", "1:1000 is not among this study's levels"] == 24 * 5
    missing = finished.table("comparison")["agrees"].isna()
    assert sum(reasons.values()) == missing.sum()


def test_logs_show_progress(finished):
    log = (finished.folder / "logs/sobol_indices/1_10.log").read_text()
    for metric in SMALL["metrics"]:
        assert f" {metric} at 1:10\n" in log


NEW_LEVEL = {"levels": ["1:1", "1:10", "1:50", "7:3"]}
NEW_METRICS = {
    "metrics": [*SMALL["metrics"], "mcc_f1"],
    "extra_metrics": {"own": "tp/(tp + fp + 1)"},
}


@pytest.mark.parametrize(
    ("changes", "jobs"),
    [
        (NEW_LEVEL, [*of_levels("1:50"), *OF_ALL_LEVELS, PROVENANCE]),
        ({"levels": ["1:1", "7:3"]}, [*OF_ALL_LEVELS, PROVENANCE]),
        (NEW_METRICS, [*of_levels(*LEVELS), *OF_ALL_METRICS, PROVENANCE]),
        ({"figures": {"formats": ["svg"]}}, [*FIGURES, *IN_A_COPY, PROVENANCE]),
    ],
)
def test_a_changed_config_runs_what_depends_on_it(study, changes, jobs):
    study.configure(**changes)
    assert study.planned() == sorted(jobs)


def test_a_changed_study_runs_what_depends_on_it_and_nothing_of_others(whole, tmp_path):
    """The atlas and a study are changed, too, whose targets are not asked for."""
    study = whole.copy(tmp_path / "study")
    experiment = EVERY_STUDY["mullick_experiment"]
    more = {"iris_1_0": {"data": "iris", "classes": [[1], [0]], "imbalance_ratio": 5}}
    study.configure(
        survey=EVERY_STUDY["survey"] | {"k": 3},
        mullick=EVERY_STUDY["mullick"] | {"classes": [2, 3, 4]},
        mullick_experiment=experiment | {"problems": experiment["problems"] | more},
        atlas=EVERY_STUDY["atlas"] | {"map": ["1:100"]},
        made_for_imbalance={"measures": ["f1"]},
    )
    assert study.planned("all", "conclusions", "survey", "mullick", "mullick_experiment") == [
        "All results on the survey's measures are complete",
        "All tables and figures are complete",
        "All tables and figures of Mullick's experiment are complete",
        "All tables and figures on indices of many classes are complete",
        "All verdicts are complete",
        PRINTED,
        "Computing the indices by class for 4 classes",
        "Evaluating the indices of Mullick's experiment, and drawing Figures 3 to 5",
        "Examining measures of rankings with few relevant items",
        "Finding where the indices forget the rarest of 4 classes",
        "Fitting four classifiers to iris_1_0, in 2 folds of 2 runs; progress in"
        " logs/mullick_matrices/iris_1_0.log",
        PROVENANCE,
        "Reporting the effect of imbalance on clusterings and rankings",
        "Reporting the paper's discrepancies",
        "Summarizing which indices forget the rare classes",
    ]


def test_values_that_a_failed_run_left_are_not_taken_for_another_sample(fresh):
    fresh.run("--cores", "1", "results/metric_values/1_1.npy")
    assert not (fresh.folder / "results/samples/1_1.npy").exists()
    assert fresh.planned("results/indices/1_1.csv") == of_levels("1:1")[2:]
    for changes in (
        {"seed": 2},
        {"sobol": SMALL["sobol"] | {"log2_samples": 8}},
        {"positives": 50},
    ):
        fresh.configure(**SMALL | {"seed": 1, "positives": 100} | changes)
        assert fresh.planned("results/indices/1_1.csv") == sorted(of_levels("1:1"))


def test_a_metric_less_and_back_again(study):
    before = study.produced()
    study.configure(metrics=[key for key in SMALL["metrics"] if key != "mcc"])
    study.run("--cores", "2", "results/importance_scores.csv")
    assert "mcc" not in set(study.table("importance_scores")["metric"])
    study.configure(metrics=SMALL["metrics"])
    study.run("--cores", "2", "results/importance_scores.csv")
    assert study.produced() == before


@pytest.mark.parametrize(
    ("path", "jobs"),
    [
        ("src/skewproof/core/algebra.py", [*of_levels(*LEVELS), *OF_ALL_METRICS]),
        ("src/skewproof_studies/van_zyl/paper.py", [*of_levels(*LEVELS), *OF_ALL_METRICS]),
        ("src/skewproof_studies/survey/report.py", IN_A_COPY),
        ("workflow/scripts/van_zyl/p_values.py", OF_SCORES[2:]),
    ],
)
def test_an_edited_file_reruns_the_rules_that_use_it(study, path, jobs):
    file = study.folder / path
    file.write_text(file.read_text() + "\n")
    assert study.planned() == sorted(jobs)


def test_half_widths_by_salib_give_the_same_tables(study):
    before, scores = study.produced(), study.table("importance_scores")
    study.configure(sobol=SMALL["sobol"] | {"half_widths": "salib"})
    output = study.run("--cores", "2")
    assert messages(output) == sorted([*of_levels(*LEVELS), *OF_SCORES, PROVENANCE])
    pd.testing.assert_frame_equal(study.table("importance_scores"), scores, rtol=0, atol=1e-12)
    tables = [path for path in before if path.startswith("results/tables/")]
    by_salib = study.produced()
    assert {path: by_salib[path] for path in tables} == {path: before[path] for path in tables}
    counts = study.table("salib_agreement")["quantity"].value_counts()
    assert counts["s1_conf"] == counts["s1"] == len(scores)


def test_salib_computes_each_index_and_the_half_widths_of_one_metric_per_level(finished):
    agreement = finished.table("salib_agreement")
    scores = finished.table("importance_scores").set_index(["metric", "level", "input"])
    of = agreement.set_index(["metric", "level", "input"]).groupby("quantity")
    assert of.get_group("s1")["salib"].to_dict() == scores["s1"].to_dict()
    drawn = agreement[agreement["quantity"] == "s1_conf"]
    assert drawn.groupby("level")["metric"].nunique().to_dict() == dict.fromkeys(LEVELS, 1)
    assert agreement["difference"].abs().max() < 1e-12


def test_a_number_that_is_not_salibs_fails_the_run(fresh):
    """An estimator that is off by 1e-9 in one place; the message names the metric."""
    module = fresh.folder / "src/skewproof/sensitivity/sampling/sampled.py"
    text = module.read_text()
    right = "s1 = _ratio(means[:, 4:6] - offset * means[:, 2:4], variance)"
    wrong = text.replace(right, f"{right} + 1e-9")
    assert wrong != text
    module.write_text(wrong)
    output = fresh.run("--cores", "2", "results/salib_agreement.csv", fails=True)
    assert "by SALib" in output
    assert "expected a difference of at most 1e-12" in output
    assert not (fresh.folder / "results/salib_agreement.csv").exists()


def test_samples_and_values_are_kept_on_request(fresh):
    sobol = SMALL["sobol"] | {"keep_samples": True}
    fresh.configure(metrics=["f1", "accuracy"], extra_metrics={"own": "tp/P"}, sobol=sobol)
    fresh.run("--cores", "2", "results/importance_scores.csv")
    points = np.load(fresh.folder / "results/samples/1_10.npy")
    assert points.shape == (4 * 2**7, 2)
    assert (points.min(axis=0) >= 0).all()
    assert (points.max(axis=0) <= [100, 1000]).all()
    values = np.load(fresh.folder / "results/metric_values/1_10.npy")
    tp, fp = points.T
    assert values.shape == (4, len(points))
    np.testing.assert_array_equal(values[1], (tp + 1000 - fp) / 1100)
    np.testing.assert_array_equal(values[2], tp / 100)
    arrays = [path for path in fresh.produced() if path.endswith(".npy")]
    assert len(arrays) == 2 * len(LEVELS)
    (fresh.folder / "results/samples/1_10.npy").unlink()
    assert of_levels("1:10")[0] in fresh.planned()


def test_a_run_prints_a_line_per_job_and_names_new_pages(study):
    study.configure(significance={"alpha": 0.01})
    output = study.run("--cores", "2")
    assert messages(output) == sorted([*OF_SCORES[3:], PROVENANCE])
    assert "New results to open: results/comparison.md, results/tables\n" in output
    assert len(output.splitlines()) <= len(OF_SCORES) + 12


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"sed": 1}, "sed: unknown key"),
        (
            {"extra_metrics": {"own": "tp/fp"}},
            "extra_metrics.own = 'tp/fp': own is unbounded above",
        ),
    ],
)
def test_a_bad_config_stops_before_any_job(fresh, changes, fault):
    fresh.configure(**changes)
    output = fresh.run("--cores", "1", fails=True)
    assert fault in output
    assert "Traceback" not in output
    assert ".smk" not in output
    assert fresh.produced() == {}


@pytest.mark.parametrize("name", ["config.yaml", "mine.yaml"])
def test_a_repeated_key_is_refused(fresh, name):
    fresh.configure()
    path = fresh.folder / name
    path.write_text((fresh.folder / "config.yaml").read_text() + "seed: 3\n")
    output = fresh.run("--cores", "1", "--dry-run", "--configfile", name, fails=True)
    assert "key 'seed' is already on line" in output
    assert "Traceback" not in output


def test_without_the_package_one_sentence_says_what_to_install(fresh, tmp_path):
    missing = tmp_path / "missing"
    missing.mkdir()
    (missing / "skewproof.py").write_text("raise ModuleNotFoundError(name='skewproof')\n")
    fresh.variables["PYTHONPATH"] = str(missing)
    output = fresh.run("--cores", "1", fails=True)
    assert (
        "The workflow needs the module skewproof: run `make reproduce`, or `pip install" in output
    )
    assert "Traceback" not in output
    assert len(output.splitlines()) <= 4


def test_a_folder_with_braces_is_refused(tmp_path):
    """Snakemake would read them as wildcards."""
    study = Study.create(tmp_path / "a{b}", SMALL)
    output = study.run("--cores", "1", fails=True)
    assert f"{study.folder}: expected a folder without braces" in output
    assert "Traceback" not in output
