import re

import pandas as pd
import pytest

from skewproof_studies.pipeline.writing.tables import read_table, write_table

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
