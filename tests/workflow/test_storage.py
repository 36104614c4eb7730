"""Results in a storage, and jobs that share no files with one another."""

import io
import re

import pandas as pd
from needs import needs_module
from pods import kubernetes
from storage import Folder, s3

from skewproof_studies.regression.comparison import compare_results
from study import EVERY_STUDY, SMALL, Study

OF_FIRST_METRICS = "results/batches/1_1/importance_scores_1.csv"
OF_NEW_METRICS = "results/batches/1_2/importance_scores_1.csv"
ON_KUBERNETES = (
    "--profile=profiles/kubernetes",
    "--seconds-between-status-checks=1",
    "--jobs=2",
)
PROVENANCE = "results/provenance.json"


def planned(study, *arguments):
    """Messages and reasons of the jobs that the next run would do."""
    output = study.run("--dry-run", *arguments)
    return re.findall(r"^Job \d+: (.*)\nReason: (.*)$", output, flags=re.MULTILINE)


def assert_all_and_conclusions_are_those(found, expected):
    assert {"results/comparison.csv", "results/verdicts.csv", "figures/verdicts.png"} <= set(found)
    assert found == {name: expected[name] for name in found}


def assert_same_scores(found, expected, folder):
    """But for last bits: pods do not know which kernel the environment here names."""
    for name, files in (("found", found), ("expected", expected)):
        (folder / name).mkdir()
        (folder / name / "importance_scores.csv").write_bytes(files[OF_FIRST_METRICS])
    assert compare_results(folder / "found", folder / "expected") == []


def test_all_and_conclusions_through_a_folder(whole, tmp_path):
    storage = Folder(tmp_path / "storage")
    study = Study.create(tmp_path / "study", SMALL | EVERY_STUDY)
    study.run("--cores", "2", *storage.options, "all", "conclusions")
    assert_all_and_conclusions_are_those(storage.produced(), whole.produced())
    assert not study.produced()
    assert planned(study, *storage.options) == []

    module = study.folder / "src/skewproof/sensitivity/sampling/welch.py"
    module.write_text(module.read_text() + "\n")
    (first, reason), *_ = planned(study, *storage.options)
    assert first.startswith("Testing the importance scores")
    assert "src/skewproof/sensitivity/sampling/welch.py" in reason


def test_all_and_conclusions_through_s3(whole, tmp_path):
    study = Study.create(tmp_path / "study", SMALL | EVERY_STUDY)
    with s3() as storage:
        study.variables |= storage.variables
        study.run("--cores", "2", *storage.options, "all", "conclusions")
        assert_all_and_conclusions_are_those(storage.produced(), whole.produced())


def test_jobs_that_share_no_files(finished, tmp_path):
    """On a stand-in for Kubernetes, whose pods have what is sent to them and no more."""
    needs_module("snakemake_executor_plugin_kubernetes")
    study = Study.create(tmp_path / "study", SMALL)
    start = study.folder / "src/skewproof/__init__.py"
    start.write_text(re.sub('__version__ = ".*"', '__version__ = "sent"', start.read_text()))
    with s3() as storage, kubernetes(tmp_path / "pods") as (pods, variables):
        study.variables |= storage.variables | variables
        options = (*ON_KUBERNETES, *storage.options)
        study.run(*options, OF_FIRST_METRICS, PROVENANCE)
        found = storage.produced()
        assert_same_scores(found, finished.produced(), tmp_path)
        assert '"skewproof": "sent"' in found[PROVENANCE].decode()
        container = pods.bodies[0]["spec"]["template"]["spec"]["containers"][0]
        assert container["resources"]["requests"]["memory"] == "1000M"

        study.configure(extra_metrics={"recall": "mine.py:recall"})
        (study.folder / "mine.py").write_text("def recall(c):\n    return c.tpr\n")
        both = (OF_FIRST_METRICS, OF_NEW_METRICS)
        ((only, _),) = planned(study, *options, *both)
        assert only.endswith("of recall, recall_i at 1:1, 1:10")
        study.run(*options, *both)
        scores = pd.read_csv(io.BytesIO(storage.produced()[OF_NEW_METRICS]))
    assert set(scores["metric"]) == {"recall", "recall_i"}
