"""One whole run on a small config, and what happens when something changes or breaks."""

import csv
import os
import signal
import time

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
}

CURVES = "Drawing the curves: of one point, of the exact indices, of the error of the sampled ones"

DRAWING = [
    "Drawing the contours of " + " ".join(metrics)
    for metrics in (SMALL["metrics"][:8], SMALL["metrics"][8:])
]

CLOSING = [
    "All tables and figures are there",
    "Classifying the metrics by importance scores and by contours",
    "Comparing every printed number with the computed one",
    "Testing the importance scores against those at 1:1",
    "Writing the tables in the paper's layout",
]


def test_everything_is_there_and_nothing_else(finished):
    tables = [
        f"results/tables/table_{name}.{extension}"
        for name in ["5", "6", "7", "8", "a12", "a14", "a_7_3"]
        for extension in ["csv", "md", "tex"]
    ]
    levels = [
        f"results/levels/{level}/{name}.csv"
        for level in ["1_1", "1_10", "7_3"]
        for name in ["importance_scores", "sample_points"]
    ]
    figures = [f"contours/{metric}" for metric in SMALL["metrics"]] + [
        "roc_point",
        "pr_point",
        "sweep",
        "convergence",
    ]
    figures = [f"figures/{name}.{kind}" for name in figures for kind in ["png", "pdf"]]
    results = [f"results/{name}.csv" for name in COLUMNS] + ["results/comparison.md"]
    assert sorted(finished.produced()) == sorted(results + levels + tables + figures)
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


def test_logs_show_progress(finished):
    log = (finished.folder / "logs/importance_level/7_3.log").read_text()
    assert "block 1 of 1 at 7:3" in log
    assert "12 metrics at 7:3" in log


def test_same_numbers_on_one_core(finished, fresh):
    fresh.run("--cores", "1")
    assert fresh.produced() == finished.produced()


def test_a_new_level_computes_that_level_only(study):
    names = ["importance_scores", "exact_importance", "contour_deviation", "p_values"]
    before = {name: study.table(name) for name in names}
    study.configure(levels=["1:1", "1:10", "1:50", "7:3"])
    assert study.planned() == sorted(
        [
            "Estimating the importance scores of every metric at 1:50",
            "Collecting the importance scores of all levels",
            "Computing the exact indices of every metric",
            "Measuring how far the contours of every metric are from those at 1:1",
            *DRAWING,
            *CLOSING,
        ]
    )
    study.run("--cores", "2")
    for name in names:
        after = study.table(name)
        others = after[after["level"] != "1:50"].reset_index(drop=True)
        pd.testing.assert_frame_equal(others, before[name], check_exact=True)


def test_a_new_metric_draws_its_batch_only(study):
    before = study.table("importance_scores")
    study.configure(metrics=[*SMALL["metrics"], "mcc_f1"])
    contours = [job for job in study.planned() if "Drawing the contours" in job]
    assert contours == ["Drawing the contours of " + " ".join([*SMALL["metrics"][8:], "mcc_f1"])]
    study.run("--cores", "2")
    after = study.table("importance_scores")
    others = after[after["metric"] != "mcc_f1"].reset_index(drop=True)
    # A product of other shape may round the last bit otherwise.
    pd.testing.assert_frame_equal(others, before, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize(
    ("module", "jobs"),
    [
        ("significance.py", CLOSING),
        ("behavior.py", [job for job in CLOSING if "Testing" not in job]),
        (
            "figures.py",
            [
                CLOSING[0],
                CURVES,
                *DRAWING,
            ],
        ),
        (
            "indices.py",
            [
                *(
                    f"Estimating the importance scores of every metric at {level}"
                    for level in SMALL["levels"]
                ),
                "Collecting the importance scores of all levels",
                "Measuring the error of the sampled indices against the number of base points",
                CURVES,
                *CLOSING,
            ],
        ),
        (
            "quadrature.py",
            [
                "Computing the exact indices of every metric",
                "Computing the exact indices from 10:1 to 1:100",
                "Measuring the error of the sampled indices against the number of base points",
                CURVES,
                "Comparing every printed number with the computed one",
                CLOSING[0],
            ],
        ),
    ],
)
def test_an_edited_module_reruns_the_rules_that_use_it(study, module, jobs):
    path = study.folder / "src/skewproof" / module
    path.write_text(path.read_text() + "\n# edited\n")
    assert study.planned() == sorted(jobs)


def test_both_estimators_give_the_same_tables(study):
    batched = study.produced()
    before = study.table("importance_scores")
    study.configure(sobol=SMALL["sobol"] | {"estimator": "salib"})
    study.run("--cores", "2")
    pd.testing.assert_frame_equal(study.table("importance_scores"), before, rtol=0, atol=1e-10)
    tables = [path for path in batched if path.startswith("results/tables/")]
    by_salib = study.produced()
    assert {path: by_salib[path] for path in tables} == {path: batched[path] for path in tables}


def test_a_changed_figure_format_recomputes_no_number(study):
    study.configure(figures={"formats": ["svg"]})
    assert all("Drawing" in job or job == CLOSING[0] for job in study.planned())


@pytest.mark.parametrize("files", [1, 8, 16, 50])
def test_a_killed_run_ends_with_the_same_files(finished, fresh, files):
    run = fresh.start("--cores", "2")
    while fresh.count() < files:
        assert run.poll() is None, "ended before it was killed"
        time.sleep(0.02)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    whole = finished.produced()
    for path, content in fresh.produced().items():
        assert os.path.basename(path).startswith(".") or content == whole[path]
    fresh.run("--cores", "2")
    assert fresh.produced() == whole


def test_two_runs_do_not_share_a_folder(fresh):
    first = fresh.start("--cores", "1")
    lock = fresh.folder / ".snakemake/skewproof.lock"
    while not lock.exists():
        assert first.poll() is None
        time.sleep(0.05)
    output = fresh.run("--cores", "1", fails=True)
    os.killpg(first.pid, signal.SIGTERM)
    first.wait()
    assert "another run is at work in this folder" in output


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
