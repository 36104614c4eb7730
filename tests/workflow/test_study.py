"""A complete run on a small config, and runs after changes and failures."""

import csv
import os
import signal
import time

import numpy as np
import pandas as pd
import pytest

from study import SMALL

COLUMNS = {
    "importance_scores": ["metric", "level", "positives", "negatives", "input", "s1", "s1_conf"],
    "sample_points": ["metric", "level", "base_points", "undefined", "undefined_base_points"],
    "p_values": ["metric", "level", "p_tp", "p_fp", "p"],
    "contour_deviation": ["metric", "level", "sigma", "points", "undefined_points"],
    "behavior_types": ["metric", "verdict", "type"],
    "exact_importance": ["metric", "level", "input", "s1", "st", "error_estimate"],
    "exact_moments": ["metric", "level", "mean", "variance", "s12", "error_estimate"],
    "sweep": ["metric", "negatives_per_positive", "s1_tp", "s1_fp", "s12", "error_estimate"],
    "convergence": ["metric", "level", "input", "log2_samples", "error", "s1_conf"],
    "comparison": [
        "table",
        "metric",
        "column",
        "printed",
        "computed",
        "agrees",
        "tolerance",
        "note",
        "exact",
        "exact_agrees",
    ],
    "salib_agreement": ["metric", "level", "input", "quantity", "ours", "salib", "difference"],
}

CURVES = (
    "Drawing curves of one point, of the exact indices and of the errors of the sampled indices"
)

DRAWING = [
    "Drawing the contours of " + " ".join(metrics)
    for metrics in (SMALL["metrics"][:8], SMALL["metrics"][8:])
]

BY_SALIB = "Recomputing one metric per level with SALib at "

CLOSING = [
    "All tables and figures are complete",
    "Classifying the metrics by importance scores and by contours",
    "Comparing every printed number with the computed one",
    "Comparing SALib's numbers with the importance scores",
    "Testing the importance scores against those at 1:1",
    "Writing the tables in the paper's layout",
]

PROVENANCE = "Recording versions, seed, configuration and commit"

SCORES = "Collecting the importance scores of all levels"
EXACT = "Collecting the exact indices"
DEVIATIONS = "Collecting the contour deviations"
SWEEP = "Collecting the exact indices over all imbalance levels"
ERRORS = "Collecting the errors of the sampled indices"


TOGETHER = ["1:1, 1:10", "7:3"]
"""Levels whose importance scores are estimated by one job."""


def estimating(metrics, together=TOGETHER):
    """Select the messages of the jobs that estimate importance scores."""
    return [f"Estimating the importance scores of {metrics} at {levels}" for levels in together]


def computing(metrics, levels):
    """Select the messages of the other jobs that compute metrics at levels."""
    compared = ", ".join(level for level in levels if level != "1:1")
    return [
        f"Computing the exact indices of {metrics} at {', '.join(levels)}",
        f"Measuring the contour deviations of {metrics} at {compared} from the baseline",
    ]


def test_everything_is_there_and_nothing_else(finished):
    tables = [
        f"results/tables/table_{name}.{extension}"
        for name in ["5", "6", "7", "8", "a12", "a14", "a_7_3"]
        for extension in ["csv", "md", "tex"]
    ]
    parts = [
        f"results/batches/1_1/{name}_{part}.csv"
        for part in range(1, 1 + len(TOGETHER))
        for name in ["importance_scores", "sample_points"]
    ]
    cells = ["exact_importance", "exact_moments", "contour_deviation"]
    parts += [f"results/batches/1_1/{name}.csv" for name in cells]
    parts += [f"results/batches/1/{name}.csv" for name in ("sweep", "convergence", "salib_indices")]
    figures = [f"contours/{metric}" for metric in SMALL["metrics"]] + [
        "roc_point",
        "pr_point",
        "sweep",
        "convergence",
    ]
    figures = [f"figures/{name}.png" for name in figures]
    results = [f"results/{name}.csv" for name in COLUMNS] + ["results/comparison.md"]
    results.append("results/provenance.json")
    assert sorted(finished.produced()) == sorted(results + parts + tables + figures)
    assert finished.planned() == []


@pytest.mark.parametrize("name", COLUMNS)
def test_columns(finished, name):
    with (finished.folder / f"results/{name}.csv").open() as file:
        assert next(csv.reader(file)) == COLUMNS[name]


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
    log = (finished.folder / "logs/importance_scores/1_1_1.log").read_text()
    for level in ("1:1", "1:10"):
        assert f"chunk 1 of 1 at {level}\n" in log
        assert f"12 metrics at {level}\n" in log


NEW_LEVEL = {"levels": ["1:1", "1:10", "1:50", "7:3"]}
NEW = ["mcc_f1", "own", "own_i"]
NEW_METRICS = {
    "metrics": [*SMALL["metrics"], "mcc_f1"],
    "extra_metrics": {"own": "tp/(tp + fp + 1)"},
}


def test_a_new_level_computes_that_level_only(study):
    study.configure(**NEW_LEVEL)
    planned = [
        *estimating("12 metrics", ["1:50"]),
        *computing("12 metrics", ["1:50"]),
        BY_SALIB + "1:50",
        *(SCORES, EXACT, DEVIATIONS),
        *DRAWING,  # a panel a level
        *CLOSING,
        PROVENANCE,
    ]
    assert study.planned() == sorted(planned)


def test_a_level_less_computes_what_it_shared_a_job_with_only(study):
    study.configure(levels=["1:1", "1:10"])
    assert [job for job in study.planned() if job.startswith("Estimating")] == []
    study.configure(levels=["1:1", "7:3"])
    assert [job for job in study.planned() if job.startswith("Estimating")] == estimating(
        "12 metrics", ["1:1"]
    )


def test_new_metrics_compute_these_metrics_only(study):
    study.configure(**NEW_METRICS)
    words = ", ".join(NEW)
    planned = [
        *estimating(words),
        *computing(words, SMALL["levels"]),
        f"Computing the exact indices of {words} over all imbalance levels",
        f"Measuring the error of the sampled indices of {words} by sample size",
        f"Drawing the contours of {' '.join(NEW)}",
        *(SCORES, EXACT, DEVIATIONS, SWEEP, ERRORS, CURVES),
        *CLOSING,
        PROVENANCE,
    ]
    assert study.planned() == sorted(planned)


def test_a_new_level_and_new_metrics_leave_the_other_numbers_as_they_were(study):
    names = ["importance_scores", "exact_importance", "contour_deviation", "p_values"]
    names += ["exact_moments", "salib_agreement", "sweep", "convergence"]
    before = {name: study.table(name) for name in names}
    study.configure(**NEW_LEVEL, **NEW_METRICS)
    study.run("--cores", "2")
    assert study.planned() == []
    for name, earlier in before.items():
        after = study.table(name)
        if name != "salib_agreement":  # one metric a level, drawn by the level alone
            assert list(after["metric"].unique()) == [*SMALL["metrics"], *NEW]
        others = after[~after["metric"].isin(NEW)]
        if name not in ("sweep", "convergence"):
            levels = [level for level in NEW_LEVEL["levels"] if level in set(after["level"])]
            assert list(after["level"].unique()) in (levels, [*levels[:2], "7:3", "1:50"])
            others = others[others["level"] != "1:50"]
        pd.testing.assert_frame_equal(others.reset_index(drop=True), earlier, check_exact=True)
    assert before["salib_agreement"].groupby("level")["metric"].nunique().eq(1).all()
    text = (study.folder / "results/comparison.md").read_text()
    assert "SALib recomputed 16 numbers" in text


def test_a_metric_less_and_back_again(study):
    before = study.table("importance_scores")
    study.configure(metrics=[key for key in SMALL["metrics"] if key != "mcc"])
    study.run("--cores", "2", "results/importance_scores.csv")
    assert "mcc" not in set(study.table("importance_scores")["metric"])
    study.configure(metrics=SMALL["metrics"])
    study.run("--cores", "2", "results/importance_scores.csv")
    pd.testing.assert_frame_equal(study.table("importance_scores"), before, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize(
    ("module", "jobs"),
    [
        ("skewproof/sensitivity/sampling/welch.py", [job for job in CLOSING if "SALib" not in job]),
        (
            "skewproof/sensitivity/behavior_types.py",
            [job for job in CLOSING if "Testing" not in job and "SALib" not in job],
        ),
        ("skewproof/reporting/contour_plot.py", [CLOSING[0], *DRAWING]),
        (
            "skewproof_studies/van_zyl/templates/comparison.md.jinja",
            [CLOSING[0], "Comparing every printed number with the computed one"],
        ),
        (
            "skewproof/sensitivity/sampling/sampled.py",
            [
                *estimating("12 metrics"),
                BY_SALIB + "1:1, 1:10, 7:3",
                SCORES,
                "Measuring the error of the sampled indices of 12 metrics by sample size",
                ERRORS,
                CURVES,
                *CLOSING,
            ],
        ),
        (
            "skewproof/sensitivity/quadrature/exact.py",
            [
                computing("12 metrics", SMALL["levels"])[0],
                EXACT,
                "Computing the exact indices of 12 metrics over all imbalance levels",
                SWEEP,
                "Measuring the error of the sampled indices of 12 metrics by sample size",
                ERRORS,
                CURVES,
                "Comparing every printed number with the computed one",
                CLOSING[0],
            ],
        ),
    ],
)
def test_an_edited_module_reruns_the_rules_that_use_it(study, module, jobs):
    path = study.folder / "src" / module
    path.write_text(path.read_text() + "\n")
    assert study.planned() == sorted(jobs)


def test_both_estimators_give_the_same_tables(study):
    batched = study.produced()
    before = study.table("importance_scores")
    study.configure(sobol=SMALL["sobol"] | {"estimator": "salib"})
    planned = study.planned()
    for level in SMALL["levels"]:
        assert f"Drawing the sample of (tp, fp) at {level}" in planned
        assert f"Evaluating 12 metrics on the sample at {level}" in planned
        assert f"Estimating the importance scores of 12 metrics at {level}" in planned
    study.run("--cores", "2", "results/tables/table_5.csv")
    pd.testing.assert_frame_equal(study.table("importance_scores"), before, rtol=0, atol=1e-10)
    tables = [path for path in batched if path.startswith("results/tables/")]
    by_salib = study.produced()
    assert {path: by_salib[path] for path in tables} == {path: batched[path] for path in tables}


def test_a_number_that_is_not_salibs_fails_the_run(study):
    """An estimator that is off by 1e-9 in one place; the message names the metric."""
    module = study.folder / "src/skewproof/sensitivity/sampling/sampled.py"
    text = module.read_text()
    right = "s1 = _ratio(means[:, 4:6] - offset * means[:, 2:4], variance)"
    wrong = text.replace(right, f"{right} + 1e-9")
    assert wrong != text
    module.write_text(wrong)
    output = study.run("--cores", "2", "results/salib_agreement.csv", fails=True)
    assert "by SALib" in output
    assert "expected a difference of at most 1e-12" in output
    assert not (study.folder / "results/salib_agreement.csv").exists()


def test_samples_and_values_can_be_seen(fresh):
    fresh.configure(metrics=["f1", "accuracy"], extra_metrics={"own": "tp/P"})
    fresh.run("--cores", "2", "samples", "metric_values")
    points = np.load(fresh.folder / "results/samples/1_10.npy")
    assert points.shape == (4 * 2**7, 2)
    assert (points.min(axis=0) >= 0).all()
    assert (points.max(axis=0) <= [100, 1000]).all()
    values = fresh.folder / "results/metric_values/1_10"
    tp, fp = points.T
    np.testing.assert_array_equal(np.load(values / "accuracy.npy"), (tp + 1000 - fp) / 1100)
    np.testing.assert_array_equal(np.load(values / "own.npy"), tp / 100)
    produced = fresh.produced()
    assert len(produced) == 3 + 3 * 4
    assert len(list(values.iterdir())) == 4


def test_the_scheduler_looks_for_jobs_when_a_job_ends(fresh):
    """Snakemake's default limit on submissions repeats every look a second later."""
    output = fresh.run("--cores", "1", "--verbose", "samples")
    assert 1 < output.count("Ready jobs: ") <= output.count("Finished jobid: ")


def test_a_changed_figure_format_recomputes_no_number(study):
    study.configure(figures={"formats": ["svg"]})
    others = [job for job in study.planned() if "Drawing" not in job]
    assert others == sorted([CLOSING[0], PROVENANCE])


def test_two_runs_do_not_share_a_folder(fresh):
    first = fresh.start("--cores", "1")
    lock = fresh.folder / ".snakemake/skewproof.lock"
    while not lock.exists():
        assert first.poll() is None
        time.sleep(0.05)
    output = fresh.run("--cores", "1", fails=True)
    os.killpg(first.pid, signal.SIGTERM)
    first.wait()
    assert "another run is active in this folder" in output


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"sed": 1}, "sed: unknown key"),
        ({"metrics": ["acuracy"]}, "did you mean 'accuracy'?"),
        ({"levels": ["1:1", "1:0"]}, "levels[1] = '1:0': expected a quoted"),
        ({"levels": []}, "levels = []: expected a list of at least 2 entries"),
    ],
)
def test_a_bad_config_stops_before_any_job(fresh, changes, fault):
    fresh.configure(**changes)
    assert fault in fresh.run("--cores", "1", fails=True)
    assert fresh.produced() == {}
