"""Results in a storage that is a folder.

tests/cluster runs all rules with S3, in jobs that share no files.
"""

from storage import Folder

from study import SMALL, Study


def test_tables_through_a_folder(finished, tmp_path):
    storage = Folder(tmp_path / "storage")
    study = Study.create(tmp_path / "study", SMALL)
    run = (*storage.options, "results/tables/table_8.csv")
    study.run("--cores", "2", *run)
    assert not study.produced()
    stored, expected = storage.produced(), finished.produced()
    assert {"results/behavior_types.csv", "results/tables/table_8.csv"} <= set(stored)
    assert stored == {path: expected[path] for path in stored}
    assert study.planned(*run) == []
    study.configure(significance={"alpha": 0.01})
    planned = study.planned(*run)
    assert "Classifying the metrics by importance scores and by contours" in planned
    assert "Testing the importance scores against those at 1:1" not in planned
