"""The command ``skewproof score --reference``: predictions without labels."""


def test_the_exit_status_is_3_where_all_is_refused(run, files, tmp_path):
    production = tmp_path / "production.csv"
    production.write_text("y_pred\n" + 500 * "1\n")
    reference = str(files / "rows.csv")
    code, output, _ = run("score", str(production), "--reference", reference, "--metrics", "f1")
    assert code == 3
    assert "Refused: " in output
    assert "No check can confirm the estimate" not in output
