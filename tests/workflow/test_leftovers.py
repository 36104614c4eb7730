"""Results that the config no longer asks for."""


def test_results_of_a_removed_metric_are_named_and_pruned(finished, tmp_path):
    study = finished.copy(tmp_path / "study")
    kept = study.produced()
    foreign = study.folder / "figures/contours/skill.png"
    foreign.write_bytes(b"")
    output = study.run("--cores", "1", "results/p_values.csv")
    assert "1 results that the config no longer asks for are still there" in output
    assert "figures/contours/skill.png; `make prune` removes them" in output
    assert "figures/contours/skill.png" in study.run("--cores", "1", "prune")
    assert study.produced() == kept
    assert "no longer asks for are" not in study.run("--cores", "1", "results/p_values.csv")
