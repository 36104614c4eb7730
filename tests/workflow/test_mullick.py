"""The analysis of indices of many classes."""

from study import EVERY_STUDY


def test_another_number_of_classes_samples_that_one_only(whole, tmp_path):
    study = whole.copy(tmp_path / "study")
    study.configure(mullick=EVERY_STUDY["mullick"] | {"classes": [2, 3, 4]})
    output = study.run("--cores", "1", "--dry-run", "mullick")
    assert "indices by class for 4 classes" in output
    assert "forget the rarest of 4 classes" in output
    assert "forget the rarest of 3 classes" not in output
    assert "indices by class for 3 classes" not in output
