import pytest

from skewproof_studies.pipeline.writing.collecting import collected

FIRST = "metric,level,x\nb,1:1,0.10\nb,1:2,nan\na,1:1,\na,1:2,1e-300\n"
SECOND = "metric,level,x\nc,1:1,3\nc,1:2,4\n"
ORDER = {"level": ["1:1", "1:2"], "metric": ["a", "c", "b"]}


def test_rows_are_in_the_study_s_order_and_digits_as_they_were():
    assert collected([FIRST, SECOND], ORDER) == (
        "metric,level,x\na,1:1,\nc,1:1,3\nb,1:1,0.10\na,1:2,1e-300\nc,1:2,4\nb,1:2,nan\n"
    )


def test_numbers_rise_and_rows_that_are_alike_stay():
    text = "n,m,x\n10,a,1\n9,a,2\n9,a,1\n"
    assert collected([text], {"n": None, "m": ["a"]}) == "n,m,x\n9,a,2\n9,a,1\n10,a,1\n"


def test_missing_rows_are_refused():
    with pytest.raises(ValueError, match="no row has metric = c"):
        collected([FIRST], ORDER)


def test_other_columns_are_refused():
    with pytest.raises(ValueError, match="2 files with different columns: expected metric, level"):
        collected([FIRST, "a,b\n1,2\n"], ORDER)


def test_columns_as_first_seen_come_before_the_order():
    first = "choice,value,m\ngrid,100,b\nsize,1,b\nsize,100,b\n"
    second = "choice,value,m\ngrid,100,a\nsize,1,a\nsize,100,a\n"
    text = collected([first, second], {"m": ["a", "b"]}, as_first_seen=["choice", "value"])
    assert text == (
        "choice,value,m\ngrid,100,a\ngrid,100,b\nsize,1,a\nsize,1,b\nsize,100,a\nsize,100,b\n"
    )
