"""The analysis of indices of many classes."""

import os
import signal
import time

import pytest

from study import SMALL, Study

SETTINGS = {
    "condition_classes": [2, 3],
    "representatives": [1, 10],
    "instances": 1000,
    "classes": [2, 3],
    "ratios": [10],
    "log2_samples": 5,
    "replicates": 3,
}


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    changes = SMALL | {"mullick": SETTINGS}
    study = Study.create(tmp_path_factory.mktemp("mullick") / "study", changes)
    study.run("--cores", "2", "mullick")
    return study


def test_every_output_is_there(ended):
    results = ["conditions.csv", "conditions.md", "lemmas.csv", "example_1.csv", "example_1.md"]
    results += ["precision_by_representatives.csv", "auroc_ova_by_classes.csv", "sensitivity.csv"]
    results += ["types.csv", "weights.csv", "forgetting.csv", "forgetting.md"]
    results += ["sensitivity/2.csv", "sensitivity/3.csv", "crossings/2.csv", "crossings/3.csv"]
    results += ["discrepancies.md"]
    figures = ["distortions.png", "distortions.pdf", "forgetting.png", "forgetting.pdf"]
    figures += ["figure_6.png", "figure_6.pdf"]
    expected = [f"results/mullick/{name}" for name in results]
    expected += [f"figures/mullick/{name}" for name in figures]
    assert sorted(ended.produced()) == sorted(expected)


def test_the_same_on_one_core(ended, fresh):
    fresh.configure(mullick=SETTINGS)
    fresh.run("--cores", "1", "mullick")
    assert fresh.produced() == ended.produced()


def test_another_number_of_classes_samples_that_one_only(ended, tmp_path):
    study = ended.copy(tmp_path / "study")
    study.configure(mullick=SETTINGS | {"classes": [2, 3, 4]})
    output = study.run("--cores", "1", "--dry-run", "mullick")
    assert "indices by class for 4 classes" in output
    assert "forget the rarest of 4 classes" in output
    assert "forget the rarest of 3 classes" not in output
    assert "indices by class for 3 classes" not in output


def test_a_killed_run_ends_with_the_same_files(ended, fresh):
    fresh.configure(mullick=SETTINGS)
    run = fresh.start("--cores", "2", "mullick")
    while fresh.count() < 3:
        assert run.poll() is None, "ended before it was killed"
        time.sleep(0.02)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    fresh.run("--cores", "2", "mullick")
    assert fresh.produced() == ended.produced()
