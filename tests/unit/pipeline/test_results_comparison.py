import numpy as np
import pytest

from skewproof.pipeline.results_comparison import compare_results

STORED = "metric,level,sigma\nf1,1:2,777.162\nf1,1:10,2791.69\nown,1:2,nan\n"


@pytest.fixture
def folders(tmp_path):
    for name in ("results", "stored"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "contour_deviation.csv").write_text(STORED)
    return tmp_path / "results", tmp_path / "stored"


def test_the_same_tables_are_the_same(folders):
    assert compare_results(*folders) == []


def test_which_number_moved_and_by_how_much(folders):
    results, stored = folders
    (results / "contour_deviation.csv").write_text(STORED.replace("2791.69", "2791.7"))
    (moved,) = compare_results(results, stored)
    assert str(moved) == "contour_deviation f1 1:10 sigma: 2791.7, stored 2791.69, by 0.01"
    assert moved.column == "sigma"
    np.testing.assert_allclose(moved.difference, 0.01)


@pytest.mark.parametrize(("relative", "count"), [(1e-5, 0), (3e-6, 1)])
def test_a_tolerance_a_table(folders, relative, count):
    results, stored = folders
    (results / "contour_deviation.csv").write_text(STORED.replace("2791.69", "2791.7"))
    text = f"contour_deviation: {{relative: {relative:.1e}, absolute: 0}}\n"
    (stored / "tolerances.yaml").write_text(text)
    assert len(compare_results(results, stored)) == count


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("metric,level,sigma\nf1,1:2,777.162\n", "contour_deviation rows: 1, stored 3"),
        ("metric,sigma\n", "contour_deviation columns: metric, sigma, stored metric, level, sigma"),
        (STORED.replace("own", "other"), "contour_deviation 1:2 metric: other, stored own"),
        (STORED.replace("777.162", "nan"), "contour_deviation f1 1:2 sigma: nan, stored 777.162"),
    ],
)
def test_other_tables(folders, text, shown):
    results, stored = folders
    (results / "contour_deviation.csv").write_text(text)
    assert str(compare_results(results, stored)[0]).startswith(shown)


def test_a_missing_table(folders):
    results, stored = folders
    (results / "contour_deviation.csv").unlink()
    assert str(compare_results(results, stored)[0]) == "contour_deviation: none, stored a table"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sigma: {relative: 1}", "has tolerances for sigma: expected a stored table"),
        ("default: 3", "default = 3: expected relative and absolute"),
    ],
)
def test_bad_tolerances_are_refused(folders, text, message):
    (folders[1] / "tolerances.yaml").write_text(text)
    with pytest.raises(ValueError, match=message):
        compare_results(*folders)


def test_a_folder_without_tables_is_refused(tmp_path):
    with pytest.raises(ValueError, match="has no CSV files: expected stored tables"):
        compare_results(tmp_path, tmp_path)
