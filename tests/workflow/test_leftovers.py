"""Results that the config no longer has."""


def test_results_of_a_removed_metric_or_level_are_named_and_pruned(finished, tmp_path):
    study = finished.copy(tmp_path / "study")
    kept = study.produced()
    left = [
        "figures/contours/skill.png",
        "results/batches/1_1/importance_scores_9.csv",
        "results/batches/9_1/contour_deviation.csv",
    ]
    for file in map(study.folder.joinpath, left):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"")
    anew = ("--cores", "1", "--force", "results/p_values.csv")
    output = study.run(*anew)
    assert "3 results remain that the config no longer requests" in output
    assert f"{', '.join(left)}; `make prune` removes them" in output
    assert set(left) <= set(study.run("--cores", "1", "prune").splitlines())
    assert study.produced() == kept
    assert "no longer requests" not in study.run(*anew)
