"""Results in a storage; tests/cluster has jobs that share no files."""

import re

from storage import Folder, s3

from study import EVERY_STUDY, SMALL, Study


def planned(study, *arguments):
    """List messages and reasons of the jobs that the next run would do."""
    output = study.run("--dry-run", *arguments)
    return re.findall(r"^Job \d+: (.*)\nReason: (.*)$", output, flags=re.MULTILINE)


def assert_all_and_conclusions_are_those(found, expected):
    assert {"results/comparison.csv", "results/verdicts.csv", "figures/verdicts.png"} <= set(found)
    assert found == {name: expected[name] for name in found}


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
