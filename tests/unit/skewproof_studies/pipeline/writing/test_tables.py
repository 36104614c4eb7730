import re

import pandas as pd
import pytest

from skewproof_studies.pipeline.writing.provenance import made_by
from skewproof_studies.pipeline.writing.tables import read_table, write_layout, write_table
from skewproof_studies.reporting.table import WRITERS, Table

TOO_MANY = "the first row has more fields than the header"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("0.9,0.1,0.5", TOO_MANY),
        ("0,9,0,1", TOO_MANY),
        ("0.9,0.1,0.5\n0.8,0.2", TOO_MANY),
        ("0.9,0.1\n0.8,0.2,0.5", ".*Expected 2 fields in line 3, saw 3"),
    ],
)
def test_a_row_with_more_fields_than_the_header_is_refused(tmp_path, rows, message):
    path = tmp_path / "points.csv"
    path.write_text(f"tpr,fpr\n{rows}\n")
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))}: {message}$"):
        read_table(str(path))


def test_numbers_are_read_as_they_were_written(tmp_path):
    table = pd.DataFrame({"name": ["a", "b"], "value": [0.1 + 0.2, 1e-300]})
    path = str(tmp_path / "table.csv")
    write_table(table, path)
    pd.testing.assert_frame_equal(read_table(path), table, check_exact=True)
    (tmp_path / "comma.csv").write_text("tpr,fpr\n0.9,0.1,\n")  # at the end: it shifts nothing
    found = read_table(str(tmp_path / "comma.csv"))
    assert found.to_dict("list") == {"tpr": [0.9], "fpr": [0.1]}


TABLE = Table("A caption.", pd.DataFrame({"metric": ["f1"]}), pd.DataFrame({"Metric": ["$F_1$"]}))


@pytest.mark.parametrize(
    ("kind", "comment"), [(".csv", ""), (".md", "<!-- {} -->\n"), (".tex", "% {}\n")]
)
@pytest.mark.slow
def test_what_a_table_was_made_from_stands_before_it_but_in_csv(tmp_path, kind, comment):
    path = tmp_path / f"table{kind}"
    write_layout(TABLE, path, "seed 3")
    origin = comment.format(f"{made_by()}; seed 3")
    assert path.read_text() == origin + WRITERS[kind](TABLE)
