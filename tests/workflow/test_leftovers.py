"""Results that the config no longer asks for."""


def test_results_of_a_removed_metric_are_named_and_pruned(finished, tmp_path):
    study = finished.copy(tmp_path / "study")
    kept = study.produced()
    (study.folder / "figures/contours/skill.png").write_bytes(b"")
    anew = ("--cores", "1", "--force", "results/p_values.csv")
    output = study.run(*anew)
    assert "1 results that the config no longer asks for are still there" in output
    assert "figures/contours/skill.png; `make prune` removes them" in output
    assert "figures/contours/skill.png" in study.run("--cores", "1", "prune")
    assert study.produced() == kept
    assert "no longer asks for" not in study.run(*anew)
