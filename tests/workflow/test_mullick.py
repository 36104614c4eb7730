"""The analysis of indices of many classes."""

from study import EVERY_STUDY


def test_every_output_is_there(whole):
    results = ["conditions.csv", "conditions.md", "lemmas.csv", "example_1.csv", "example_1.md"]
    results += ["precision_by_representatives.csv", "auroc_ova_by_classes.csv", "sensitivity.csv"]
    results += ["types.csv", "weights.csv", "forgetting.csv", "forgetting.md"]
    results += ["sensitivity/2.csv", "sensitivity/3.csv", "crossings/2.csv", "crossings/3.csv"]
    results += ["discrepancies.md"]
    figures = ["distortions", "forgetting", "figure_6"]
    expected = {f"results/mullick/{name}" for name in results}
    expected |= {f"figures/mullick/{name}.png" for name in figures}
    assert expected <= set(whole.produced(of="mullick"))


def test_another_number_of_classes_samples_that_one_only(whole, tmp_path):
    study = whole.copy(tmp_path / "study")
    study.configure(mullick=EVERY_STUDY["mullick"] | {"classes": [2, 3, 4]})
    output = study.run("--cores", "1", "--dry-run", "mullick")
    assert "indices by class for 4 classes" in output
    assert "forget the rarest of 4 classes" in output
    assert "forget the rarest of 3 classes" not in output
    assert "indices by class for 3 classes" not in output
