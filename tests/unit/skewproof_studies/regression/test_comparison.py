from pathlib import Path

import pytest
import yaml

from skewproof_studies.regression import comparison as results_comparison
from skewproof_studies.regression.comparison import compare_results

STORED = "metric,level,sigma\nf1,1:2,777.162\nf1,1:10,2791.69\nown,1:2,nan\n"


@pytest.fixture
def folders(tmp_path):
    for name in ("results", "stored"):
        (tmp_path / name / "tables").mkdir(parents=True)
        (tmp_path / name / "contour_deviation.csv").write_text(STORED)
        (tmp_path / name / "tables/5.csv").write_text("metric,1:2\nf1,0.5\n")
    return tmp_path / "results", tmp_path / "stored"


def changed(folders, text):
    (folders[0] / "contour_deviation.csv").write_text(text)
    return compare_results(*folders)


def test_the_same_tables_are_the_same(folders):
    assert compare_results(*folders) == []


def test_tables_that_are_not_stored_are_not_compared(folders):
    (folders[0] / "other.csv").write_text("metric\nf1\n")
    assert compare_results(*folders) == []


def test_which_number_moved_and_by_how_much(folders):
    (moved,) = changed(folders, STORED.replace("2791.69", "2791.94"))
    assert str(moved) == "contour_deviation f1 1:10 sigma: 2791.94, stored 2791.69, by 0.25"
    assert moved[:5] == ("contour_deviation", "f1 1:10", "sigma", "2791.69", "2791.94")
    assert moved.difference == pytest.approx(0.25)
    assert moved.tolerance == 1e-9 + 1e-12 * 2791.69


@pytest.mark.parametrize(
    ("entry", "count"),
    [
        ("{relative: 1.0e-3, absolute: 0}", 0),
        ("{relative: 1.0e-5}", 1),
        ("{absolute: 0.3}", 0),
        ("{absolute: 0.2}", 1),
        ("{}", 1),
    ],
)
@pytest.mark.parametrize("name", ["default", "contour_deviation"])
@pytest.mark.slow
def test_a_tolerance_a_table(folders, tmp_path, name, entry, count):
    results, stored = folders
    (results / "contour_deviation.csv").write_text(STORED.replace("2791.69", "2791.94"))
    (tmp_path / "mine.yaml").write_text(f"{name}: {entry}\n")
    assert len(compare_results(results, stored, tmp_path / "mine.yaml")) == count
    (stored / "tolerances.yaml").write_text(f"{name}: {entry}\n")
    assert len(compare_results(results, stored)) == count


def test_a_given_file_comes_before_the_one_beside_the_tables(folders, tmp_path):
    results, stored = folders
    (results / "contour_deviation.csv").write_text(STORED.replace("2791.69", "2791.94"))
    (stored / "tolerances.yaml").write_text("default: {absolute: 1}\n")
    (tmp_path / "mine.yaml").write_text("default: {absolute: 0.1}\n")
    assert compare_results(results, stored) == []
    assert len(compare_results(results, stored, tmp_path / "mine.yaml")) == 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (STORED.replace("777.162", "nan"), "f1 1:2 sigma: nan, stored 777.162, by nan"),
        (STORED.replace("nan", "1"), "own 1:2 sigma: 1, stored nan, by nan"),
        (STORED.replace("777.162", "inf"), "f1 1:2 sigma: inf, stored 777.162, by inf"),
        (STORED.replace("777.162", "undefined"), "f1 1:2 sigma: undefined, stored 777.162"),
        (STORED.replace("own,1:2,nan\n", ""), "own 1:2: none, stored a row"),
        (STORED + "own,1:3,5\n", "own 1:3: a row, stored none"),
        ("metric,level\nf1,1:2\nf1,1:10\nown,1:2\n", "sigma: none, stored a column"),
        ("metric,level,sigma,more\nf1,1:2,777.162,1\nf1,1:10,2791.69,1\nown,1:2,nan,1\n",
         "more: a column, stored none"),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_what_else_differs(folders, text, shown):
    assert [str(moved) for moved in changed(folders, text)] == [f"contour_deviation {shown}"]


@pytest.mark.parametrize(
    "text",
    [
        "metric,level,sigma\nown,1:2,\nf1,1:10,2791.69\nf1,1:2,777.162\n",
        "metric,level,sigma\nf1,1:2,7.77162e2\nf1,1:10,2791.690\nown,1:2,NaN\n",
    ],
)
def test_the_same_numbers_in_another_order_or_spelling(folders, text):
    assert changed(folders, text) == []


def test_a_table_that_is_missing(folders):
    (folders[0] / "contour_deviation.csv").unlink()
    (moved,) = compare_results(*folders)
    assert str(moved) == "contour_deviation: none, stored a table"


def test_infinities_are_far_from_everything_else(folders, tmp_path):
    for folder, value in zip(folders, ("1.0", "inf"), strict=True):
        (folder / "contour_deviation.csv").write_text(f"metric,sigma\nf1,{value}\n")
    (tmp_path / "mine.yaml").write_text("default: {relative: 1, absolute: 10}\n")
    assert len(compare_results(*folders, tmp_path / "mine.yaml")) == 1


def test_numbers_are_keys_where_text_does_not_tell_rows_apart(folders):
    text = "metric,ratio,s1\nf1,0.1,1\nf1,0.31622776601683794,2\n"
    (folders[1] / "contour_deviation.csv").write_text(text)
    (moved,) = changed(folders, text.replace("794,2", "7951,3"))
    assert moved.row == "f1 0.316227766"
    assert moved.difference == 1


def test_rows_that_are_alike_are_found_by_their_places(folders):
    (folders[1] / "contour_deviation.csv").write_text("metric,sigma\nf1,1\nf1,1\nf1,1\n")
    (moved,) = changed(folders, "metric,sigma\nf1,1\nf1,2\nf1,1\n")
    assert (moved.row, moved.column) == ("row 2", "sigma")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sigma: {relative: 1}", "'sigma' has tolerances: expected a stored table"),
        ("default: 3", "default = 3: expected relative and absolute"),
        ("default: {rel: 3}", "expected relative and absolute"),
        ("default: {relative: -1}", "default.relative = -1: expected a number of at least 0"),
        ("default: {relative: 1e-9}", "relative = '1e-9': .* such as 1.0e-9"),
        ("default: {absolute: .nan}", "expected a number of at least 0"),
        (f"default: {{absolute: 1{'0' * 400}}}", "expected a number of at least 0"),
        ("default: {absolute: true}", "expected a number of at least 0"),
        ("- 1", r"\[1\]: expected tolerances by table name"),
        ("{", "mine.yaml: "),
    ],
)
@pytest.mark.slow
def test_bad_tolerances_are_refused(folders, tmp_path, text, message):
    (tmp_path / "mine.yaml").write_text(text)
    with pytest.raises(ValueError, match=message) as caught:
        compare_results(*folders, tmp_path / "mine.yaml")
    assert len(str(caught.value).encode()) < 2000


@pytest.mark.parametrize("which", [0, 1])
def test_a_folder_without_tables_is_refused(folders, tmp_path, which):
    given = list(folders)
    given[which] = tmp_path / "nowhere"
    with pytest.raises(ValueError, match="nowhere: expected a folder with CSV files"):
        compare_results(*given)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "expected a CSV file"),
        (b"\xff\xfe\x00", "expected a CSV file"),
        (b"a,b\n1,2,3\n", "row 2 has 3 fields, expected 2 as in the header"),
        (b"a,b,a\n1,2,3\n", "a, b, a: expected each column once"),
    ],
)
def test_a_file_that_is_no_table_is_refused(folders, content, message):
    (folders[0] / "contour_deviation.csv").write_bytes(content)
    with pytest.raises(ValueError, match=rf"contour_deviation\.csv: .*{message}"):
        compare_results(*folders)


def test_the_projects_tolerances_are_of_tables_of_a_run():
    """Only the comparison with print is not among the stored tables."""
    stored = Path(__file__).parents[3] / "reference/results"
    tolerances = Path(results_comparison.__file__).with_name("tolerances.yaml")
    names = yaml.safe_load(tolerances.read_text(encoding="utf-8"))
    assert names.keys() - {path.stem for path in stored.iterdir()} == {"default", "comparison"}
