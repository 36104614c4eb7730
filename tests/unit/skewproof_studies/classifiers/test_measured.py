"""The file of measured classifiers that a configuration names."""

import os
import re

import numpy as np
import pytest

from skewproof_studies.classifiers.measured import read_measured

COLUMNS = "expected the columns tpr, fpr and, optionally, weight, each once"
FILE = "expected a CSV file in UTF-8 with the columns tpr, fpr and, optionally, weight"


@pytest.fixture
def points(tmp_path):
    return tmp_path / "points.csv"


def test_numbers_are_read_to_the_last_bit(points):
    points.write_text('\ufefffpr,weight,tpr\n0.1,1e0, .3\n\n"1",3,0.30000000000000004\n')
    found = read_measured(str(points))
    assert found.tpr.tolist() == [0.3, 0.1 + 0.2]
    assert found.fpr.tolist() == [0.1, 1.0]
    assert found.weights.tolist() == [0.25, 0.75]
    assert found.words == "2 measured classifiers"
    points.write_text("tpr,fpr\r\n0.5,0\r\n1,1\r\n")
    np.testing.assert_array_equal(read_measured(str(points)).weights, [0.5, 0.5])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"the first line is empty; {FILE}"),
        ("tpr,fpr\n", "no row below the header; expected at least one"),
        ("tpr,fnr\n1,0\n", f"the columns are ['tpr', 'fnr']; {COLUMNS}"),
        ("tpr,tpr,fpr\n1,1,0\n", f"the columns are ['tpr', 'tpr', 'fpr']; {COLUMNS}"),
        ("tpr,fpr\n1,0,1\n", "line 2 has 3 fields; expected 2, as in the first"),
        ("tpr,fpr\n1,0\n1\n", "line 3 has 1 field; expected 2, as in the first"),
        ("tpr,fpr\n1,0\n\n0.1,x\n", "line 4 has 'x' as fpr; expected a number from 0 to 1"),
        *(
            (f"tpr,fpr\n{text},0\n", f"line 2 has '{text}' as tpr; expected a number from 0 to 1")
            for text in ("", "nan", "0_1", "1.5")
        ),
        (
            f"tpr,fpr\n1,{'x' * 10_000}\n",
            f"line 2 has '{'x' * 79}... (10002 characters) as fpr; expected a number from 0 to 1",
        ),
        (
            "tpr,fpr,weight\n1,0,1e400\n",
            "line 2 has '1e400' as weight; expected a finite number of at least 0",
        ),
        ("tpr,fpr,weight\n1,0,0\n", "weight = 0 in every row: expected one above 0"),
        ("tpr,fpr\n1,\ud800\n", f"not valid; {FILE}"),
        ('tpr,fpr\n1,"0\n', f"not valid; {FILE}"),
    ],
    ids=lambda text: repr(text)[:30],
)
@pytest.mark.slow
def test_what_is_refused(points, text, message):
    points.write_bytes(text.encode(errors="surrogatepass"))
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        read_measured(str(points))


@pytest.mark.parametrize("name", ["none.csv", ".", "x" * 1000, "\0", "pipe"], ids=repr)
def test_where_there_is_no_file(tmp_path, name):
    """A named pipe is not a file, and the reader does not wait for it."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match=f"^no file; {FILE}$"):
        read_measured(str(tmp_path / name))
