import re

import pandas as pd
import pytest

from skewproof_studies.pipeline.writing.tables import read_table, write_table


@pytest.fixture
def written(tmp_path):
    def write(text):
        path = tmp_path / "points.csv"
        path.write_text(text)
        return str(path)

    return write


@pytest.mark.parametrize(
    "text", ["tpr,fpr\n0.9,0.1,0.5\n", "tpr,fpr\n0,9,0,1\n", "tpr,fpr\n0.9,0.1,0.5\n0.8,0.2\n"]
)
def test_a_first_row_with_more_fields_than_the_header_is_refused(written, text):
    path = written(text)
    message = f"^{re.escape(path)}: the first row has more fields than the header$"
    with pytest.raises(ValueError, match=message):
        read_table(path)


def test_a_later_row_with_more_fields_is_refused(written):
    path = written("tpr,fpr\n0.9,0.1\n0.8,0.2,0.5\n")
    with pytest.raises(
        ValueError, match=f"^{re.escape(path)}: .*Expected 2 fields in line 3, saw 3$"
    ):
        read_table(path)


def test_a_comma_at_the_end_of_a_row_shifts_nothing(written):
    found = read_table(written("tpr,fpr\n0.9,0.1,\n"))
    assert found.to_dict("list") == {"tpr": [0.9], "fpr": [0.1]}


def test_numbers_are_read_as_they_were_written(tmp_path):
    table = pd.DataFrame({"name": ["a", "b"], "value": [0.1 + 0.2, 1e-300]})
    path = str(tmp_path / "table.csv")
    write_table(table, path)
    pd.testing.assert_frame_equal(read_table(path), table, check_exact=True)
