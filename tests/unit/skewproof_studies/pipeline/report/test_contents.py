"""Results that exist, with their rows of the table of contents."""

from skewproof_studies.pipeline.report.contents import read_contents

CONTENTS = """result,category,content,caption
figures/contours,Contours,,One.
results/a.csv,Indices,Indices,Two.
figures/sweep,Indices,Curves,Three.
"""


def test_results_that_exist_have_a_row_in_the_order_of_the_contents(tmp_path):
    for name in ["results/a.csv", "figures/contours/f1.svg", "figures/contours/f1.pdf"]:
        path = tmp_path / "run" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "contents.csv").write_text(CONTENTS)
    series = {"figures/contours": {"figures/contours/mcc": "mcc", "figures/contours/f1": "f1"}}
    rows = read_contents(tmp_path / "contents.csv", series, tmp_path / "run")
    assert {path: (row["content"], row["caption"]) for path, row in rows.items()} == {
        "figures/contours/f1.svg": ("f1", "One."),
        "results/a.csv": ("Indices", "Two."),
    }
    assert list(rows) == ["figures/contours/f1.svg", "results/a.csv"]
