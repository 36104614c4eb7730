"""Results in a storage that is a folder; tests/cluster has S3, and jobs that share no files."""

from storage import Folder

from study import EVERY_STUDY, SMALL, Study


def test_all_and_conclusions_through_a_folder(whole, tmp_path):
    storage = Folder(tmp_path / "storage")
    study = Study.create(tmp_path / "study", SMALL | EVERY_STUDY)
    run = (*storage.options, "all", "conclusions")
    study.run("--cores", "2", *run)
    assert not study.produced()
    stored, expected = storage.produced(), whole.produced()
    assert {"results/comparison.csv", "results/verdicts.csv", "figures/verdicts.png"} <= set(stored)
    assert stored == {path: expected[path] for path in stored}
    assert study.planned(*run) == []
    study.configure(significance={"alpha": 0.01})
    planned = study.planned(*run)
    assert "Classifying the metrics by importance scores and by contours" in planned
    assert "Testing the importance scores against those at 1:1" not in planned
