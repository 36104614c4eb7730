import json
import re
from pathlib import Path

import pytest
import yaml

from skewproof_studies.regression import PROJECT_TOLERANCES, compare_results, main

PROJECT = Path(__file__).parents[3]
STORED = "metric,level,sigma\nf1,1:2,777.162\nf1,1:10,2791.69\nown,1:2,nan\n"
MOVED = STORED.replace("2791.69", "2791.94")


@pytest.fixture
def folders(tmp_path):
    for name in ("results", "stored"):
        (tmp_path / name / "tables").mkdir(parents=True)
        (tmp_path / name / "contour_deviation.csv").write_text(STORED)
        (tmp_path / name / "tables/5.csv").write_text("metric,1:2\nf1,0.5\n")
    (tmp_path / "results/more.csv").write_text("metric\nf1\n")
    return tmp_path / "results", tmp_path / "stored"


@pytest.fixture
def command(folders, capsys):
    def run(*options):
        code = main([*map(str, folders), *map(str, options)])
        return code, *capsys.readouterr()

    return run


def changed(folders, now, stored=STORED, tolerances=None):
    """Compare a table with another one; return row, column, stored and computed value."""
    for folder, text in zip(folders, (now, stored), strict=True):
        (folder / "contour_deviation.csv").write_text(text)
    differences = compare_results(*folders, tolerances)
    assert (differences["table"] == "contour_deviation").all()
    shown = differences[["row", "column", "stored", "now"]].astype(object)
    return shown.where(shown.notna(), None).values.tolist()


@pytest.mark.parametrize(
    ("text", "differences"),
    [
        (STORED, []),
        ("metric,level,sigma\nown,1:2,\nf1,1:10,2791.69\nf1,1:2,777.162\n", []),
        ("metric,level,sigma\nf1,1:2,7.77162e2\nf1,1:10,2791.690\nown,1:2,NaN\n", []),
        ("level,sigma,metric\n1:2,777.162,f1\n1:10,2791.69,f1\n1:2,nan,own\n", []),
        (MOVED, [["f1 1:10", "sigma", "2791.69", "2791.94"]]),
        (STORED.replace("777.162", ""), [["f1 1:2", "sigma", "777.162", "nan"]]),
        (STORED.replace("nan", "1"), [["own 1:2", "sigma", "nan", "1"]]),
        (STORED.replace("777.162", "-inf"), [["f1 1:2", "sigma", "777.162", "-inf"]]),
        (STORED.replace("777.162", "none"), [["f1 1:2", "sigma", "777.162", "none"]]),
        (STORED.replace("own,1:2,nan\n", ""), [["own 1:2", None, "a row", None]]),
        (STORED + "own,1:3,5\n", [["own 1:3", None, None, "a row"]]),
        ("metric,level\nf1,1:2\nf1,1:10\nown,1:2\n", [[None, "sigma", "a column", None]]),
        (
            "metric,level,sigma,more\nf1,1:2,777.162,1\nf1,1:10,2791.69,1\nown,1:2,nan,1\n",
            [[None, "more", None, "a column"]],
        ),
        (
            "metric,level,sigma\n",
            [[row, None, "a row", None] for row in ("f1 1:2", "f1 1:10", "own 1:2")],
        ),
    ],
)
def test_what_differs(folders, text, differences):
    assert changed(folders, text) == differences


@pytest.mark.parametrize(
    ("stored", "now", "differences"),
    [
        ("metric,same\nf1,True\n", "metric,same\nf1,False\n", [["f1", "same", "True", "False"]]),
        ("metric,sigma\nf1,inf\n", "metric,sigma\nf1,1e300\n", [["f1", "sigma", "inf", "1e300"]]),
        ("metric,sigma\nf1,1\nf1,1\n", "metric,sigma\nf1,1\nf1,5\n", [["2", "sigma", "1", "5"]]),
        (
            "metric,ratio,s1\nf1,0.1,1\nf1,0.31622776601683794,1\n",
            "metric,ratio,s1\nf1,0.31622776601683795,5\nf1,0.1,1\n",
            [["f1 0.316227766", "s1", "1", "5"]],
        ),
        (
            "metric,shift,level,s1\nf1,0,1:2,0\nf1,0,1:10,0\n",
            "metric,shift,level,s1\nf1,1e-17,1:2,0\nf1,1,1:10,5\n",
            [["f1 1:10", "s1", "0", "5"]],
        ),
    ],
    ids=["text", "infinity", "rows that are alike", "numbers as keys", "numbers that are no keys"],
)
def test_what_differs_beyond_a_tolerance(folders, tmp_path, stored, now, differences):
    (tmp_path / "mine.yaml").write_text("default: {relative: 1, absolute: 2}\n")
    assert changed(folders, now, stored, tmp_path / "mine.yaml") == differences


@pytest.mark.parametrize(
    ("entry", "count"),
    [
        ("{relative: 1.0e-3, absolute: 0}", 0),
        ("{relative: 8.0e-5}", 1),
        ("{absolute: 0.3}", 0),
        ("{absolute: 0.2}", 1),
        ("{relative: 8.0e-5, absolute: 0.2}", 0),
        ("{}", 1),
    ],
)
@pytest.mark.slow
def test_tolerances(folders, tmp_path, entry, count):
    (tmp_path / "mine.yaml").write_text(f"contour_deviation: {entry}\n")
    assert len(changed(folders, MOVED, tolerances=tmp_path / "mine.yaml")) == count
    (folders[1] / "tolerances.yaml").write_text(f"default: {entry}\n")
    assert len(changed(folders, MOVED)) == count


@pytest.mark.slow
def test_which_tolerances_apply(folders, tmp_path):
    """Those given come before those beside the tables, and these before the project's."""
    (tmp_path / "mine.yaml").write_text("default: {absolute: 0.1}\n")
    (folders[1] / "tolerances.yaml").write_text("default: {absolute: 1}\n")
    assert changed(folders, MOVED) == []
    assert len(changed(folders, MOVED, tolerances=tmp_path / "mine.yaml")) == 1
    (folders[1] / "tolerances.yaml").unlink()
    assert changed(folders, STORED.replace("2791.69", "2791.6900000001")) == []
    assert len(changed(folders, STORED.replace("2791.69", "2791.69000001"))) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sigma: {relative: 1}", "'sigma' has tolerances: expected a stored table"),
        ("default: 3", "'default' = 3: expected relative and absolute"),
        ("default: {rel: 3}", "'default' = {'rel': 3}: expected relative and absolute"),
        ("default: {relative: -1}", "'relative': -1}: .* numbers of at least 0"),
        ("default: {relative: 1e-9}", "'relative': '1e-9'}: .* such as 1.0e-9"),
        ("default: {absolute: .nan}", "numbers of at least 0"),
        ("default: {absolute: .inf}", "numbers of at least 0"),
        ("default: {absolute: true}", "numbers of at least 0"),
        ("- 1", r"\[1\]: expected tolerances by table name"),
        ("default: {}\nsweep: {", "line 2, column 9"),
    ],
)
def test_bad_tolerances_are_refused(folders, command, tmp_path, text, message):
    (tmp_path / "mine.yaml").write_text(text)
    code, output, error = command("--tolerances", tmp_path / "mine.yaml")
    assert (code, output) == (2, "")
    assert re.search(f"mine.yaml.*{message}", error, flags=re.DOTALL)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "expected a CSV file"),
        (b"\n", "expected a CSV file"),
        (b"a,b\n1,\xff\n", "position 6.*: expected a CSV file"),
        (b'a,b\n1,"2\n', "expected a CSV file"),
        (b"a,b\n1,2\n1,2,3\n", "line 3.*: expected a CSV file"),
        (b"a,b\n1,2\n1\n", "row 3: expected 2 fields as in the header"),
        (b"a,b\n\n1,2\n", "row 2: expected 2 fields as in the header"),
        (b"a,b,a\n1,2,3\n", r"\['a', 'b', 'a'\]: expected each column once"),
    ],
)
def test_a_file_that_is_no_table_is_refused(folders, command, content, message):
    for folder in folders:
        (folder / "contour_deviation.csv").write_bytes(content)
        code, output, error = command()
        assert (code, output) == (2, "")
        assert re.search(rf"{folder.name}/contour_deviation\.csv: .*{message}", error)


def test_folders_and_files_that_are_missing(folders, command, capsys):
    for given in (["nowhere", str(folders[1])], [str(folders[0]), "nowhere"]):
        assert main(given) == 2
        assert "nowhere: expected a folder with CSV files" in capsys.readouterr().err
    code, _, error = command("--tolerances", "nowhere.yaml")
    assert code == 2
    assert "nowhere.yaml" in error


def test_json(folders, command):
    text = STORED.replace("2791.69", "2791.94").replace("777.162", "none")
    (folders[0] / "contour_deviation.csv").write_text(text)
    code, output, _ = command("--json")
    assert code == 1
    content = json.loads(output, parse_constant=pytest.fail)
    assert content["summary"] == {
        "stored_tables": 2, "tables_that_differ": 1, "differences": 2, "tables_not_stored": 1,
    }  # fmt: skip
    text, number = content["differences"]
    assert text["difference"] is None
    assert number.pop("difference") == pytest.approx(0.25)
    assert number.pop("tolerance") == pytest.approx(1e-9 + 1e-12 * 2791.69)
    assert number == {
        "table": "contour_deviation", "row": "f1 1:10", "column": "sigma",
        "stored": "2791.69", "now": "2791.94",
    }  # fmt: skip


@pytest.mark.slow
def test_only_some_differences_are_printed(folders, command):
    for folder, value in zip(folders, "12", strict=True):
        rows = "".join(f"f1,{number},{value}\n" for number in range(300))
        (folder / "contour_deviation.csv").write_text("metric,level,sigma\n" + rows)
    code, output, _ = command()
    assert code == 1
    assert len(output.splitlines()) == 104
    assert "differences: 300;" in output
    assert len(json.loads(command("--json")[1])["differences"]) == 300


def test_stored_tables_are_renewed(folders, command):
    (folders[0] / "contour_deviation.csv").write_text(MOVED)
    assert command("--store") == (0, "Stored tables: contour_deviation, tables/5\n", "")
    assert (folders[1] / "contour_deviation.csv").read_text() == MOVED
    assert not (folders[1] / "more.csv").exists()
    counts = "stored tables: 2; tables that differ: 0; differences: 0; tables not stored: 1\n"
    assert command() == (0, counts, "")
    (folders[1] / "gone.csv").write_text("a\n1\n")
    (difference,) = compare_results(*folders).to_dict("records")
    assert (difference["table"], difference["stored"]) == ("gone", "a table")
    code, _, error = command("--store")
    assert code == 2
    assert "lacks tables that are stored: gone\n" in error


def test_the_first_time_all_tables_are_stored(folders, capsys):
    assert main([str(folders[0]), str(folders[1] / "new"), "--store", "--json"]) == 0
    names = ["contour_deviation", "more", "tables/5"]
    assert json.loads(capsys.readouterr().out) == {"stored": names}
    for name in names:
        copied = (folders[1] / f"new/{name}.csv").read_bytes()
        assert copied == (folders[0] / f"{name}.csv").read_bytes()


@pytest.mark.slow
def test_the_page_shows_tolerances_and_output(folders, command, tmp_path):
    page = (PROJECT / "docs/develop/regression.md").read_text()
    (tolerances,) = re.findall(r"```yaml\n(.*?)```", page, flags=re.DOTALL)
    output = page.partition("regression results stored\n")[2].partition("```")[0]
    scores = (PROJECT / "tests/reference/results/importance_scores.csv").read_text()
    earlier = scores.replace("tp,0.5,", "tp,0.49,", 1)
    for folder, text in zip(folders, (scores, earlier), strict=True):
        (folder / "importance_scores.csv").write_text(text)
        (folder / "tables/table_7.csv").write_text("metric,1:2\nf1,0.5\n")
    assert command() == (1, output, "")
    (tmp_path / "mine.yaml").write_text(tolerances)
    assert "differences: 1;" in command("--tolerances", tmp_path / "mine.yaml")[1]


def test_the_workflow_of_a_fork_runs_the_command():
    workflow = yaml.safe_load((PROJECT / ".github/workflows/reproduction.yml").read_text())
    steps = workflow["jobs"]["reproduction"]["steps"]
    (line,) = [step["run"] for step in steps if "skewproof" in step.get("run", "")]
    command = line.partition("then ")[2].partition(";")[0]
    assert command == ".venv/bin/python -m skewproof_studies.regression results stored"


def test_the_projects_tolerances_are_of_tables_of_a_run():
    """Only the comparison with print is not among the stored tables."""
    stored = PROJECT / "tests/reference/results"
    names = yaml.safe_load(PROJECT_TOLERANCES.read_text(encoding="utf-8"))
    assert names.keys() - {path.stem for path in stored.iterdir()} == {"default", "comparison"}
