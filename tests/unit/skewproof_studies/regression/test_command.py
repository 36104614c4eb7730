import json
import re
from pathlib import Path

import pytest
import yaml

from skewproof_studies.regression.command import main

KEY = "a_metric_whose_key_is_longer_than_the_column_that_it_stands_in"
STORED = f"metric,level,formula,sigma\nf1,1:2,{'u + ' * 60}v,2.5\nf1,1:10,v,3\n{KEY},1:1000,v,1\n"


@pytest.fixture
def folders(tmp_path):
    for name in ("results", "stored"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "contour_deviation.csv").write_text(STORED)
    (tmp_path / "results/more.csv").write_text("metric\nf1\n")
    return tmp_path / "results", tmp_path / "stored"


@pytest.fixture
def compared(capsys):
    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return run


def test_nothing_has_moved(folders, compared):
    code, text, fault = compared(*folders)
    assert (code, fault) == (0, "")
    assert text == (
        "Stored tables: 1; tables that differ: 0; differences: 0; tables not stored: 1\n"
    )


def test_a_number_has_moved(folders, compared, tmp_path):
    (folders[0] / "contour_deviation.csv").write_text(STORED.replace(",2.5", ",2.75"))
    code, text, _ = compared(*folders)
    assert code == 1
    place, _, _, row, *_ = text.splitlines()
    assert place == "contour_deviation.csv, sigma"
    assert row.split() == ["f1", "1:2", "2.5", "2.75", "0.25", "1e-09"]
    assert "tables that differ: 1; differences: 1;" in text
    (tmp_path / "mine.json").write_text('{"contour_deviation": {"relative": 0.1}}')
    assert compared(*folders, "--tolerances", tmp_path / "mine.json")[0] == 0


def test_for_machines(folders, compared):
    (folders[0] / "contour_deviation.csv").write_text(STORED.replace(",2.5", ",nan"))
    code, text, _ = compared(*folders, "--json")
    assert code == 1
    found = json.loads(text)
    assert found["summary"] == {
        "same": False,
        "tables": 1,
        "tables_that_differ": 1,
        "differences": 1,
        "not_stored": ["more"],
    }
    (moved,) = found["differences"]
    assert moved["row"] == "f1 1:2"
    assert (moved["stored"], moved["now"], moved["difference"]) == ("2.5", "nan", None)


def test_80_columns_are_enough(folders, compared):
    text = STORED.replace("u + u", "v + u").replace(",2.5", f",{-1 / 3 * 1e-100!r}")
    (folders[0] / "contour_deviation.csv").write_text(text.replace(",v,1", ",w,-1e-300"))
    _, text, _ = compared(*folders)
    assert "differences: 4;" in text
    assert max(map(len, text.splitlines())) <= 80


def test_only_some_are_listed(folders, compared):
    for folder, value in zip(folders, "12", strict=True):
        rows = "".join(f"f1,{number},{value}\n" for number in range(300))
        (folder / "contour_deviation.csv").write_text("metric,level,sigma\n" + rows)
    _, text, _ = compared(*folders)
    assert len(text.splitlines()) < 120
    assert "and 200 more: --json has all" in text
    assert "differences: 300;" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere", "{stored}"], "nowhere: expected a folder with CSV files"),
        (["{results}", "{stored}", "--tolerances", "nowhere.yaml"], "nowhere.yaml"),
        (["{results}", "{stored}", "--tolerances", "{results}"], "directory"),
    ],
)
def test_wrong_input(folders, compared, arguments, message):
    results, stored = folders
    given = [text.format(results=results, stored=stored) for text in arguments]
    code, text, fault = compared(*given)
    assert (code, text) == (2, "")
    assert message in fault
    assert fault.count("\n") == 1


PROJECT = Path(__file__).parents[4]


def test_the_page_has_tolerances_that_work(folders, compared, tmp_path):
    page = (PROJECT / "docs/guide/regression.md").read_text()
    (tolerances,) = re.findall(r"```yaml\n(.*?)```", page, flags=re.DOTALL)
    for name in yaml.safe_load(tolerances):
        for folder in folders if name != "default" else ():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / f"{name}.csv").write_text("metric\nf1\n")
    (tmp_path / "mine.yaml").write_text(tolerances)
    assert compared(*folders, "--tolerances", tmp_path / "mine.yaml")[0] == 0


def test_the_workflow_of_a_fork_runs_the_command(folders):
    workflow = yaml.safe_load((PROJECT / ".github/workflows/reproduction.yml").read_text())
    steps = workflow["jobs"]["reproduction"]["steps"]
    (line,) = [step["run"] for step in steps if "skewproof" in step.get("run", "")]
    command = line.partition("then ")[2].partition(";")[0]
    program, _, name, results, stored = command.split()
    assert (program, name) == (".venv/bin/python", "skewproof_studies.regression")
    for folder, other in zip(folders, (results, stored), strict=True):
        assert folder.name == other


def test_tables_are_stored_on_purpose(folders, compared):
    results, stored = folders
    (results / "contour_deviation.csv").write_text("metric\nf1\n")
    code, output, _ = compared(results, stored, "--store")
    assert (code, output) == (0, "Stored tables that changed or are new: contour_deviation\n")
    assert (stored / "contour_deviation.csv").read_text() == "metric\nf1\n"
    assert not (stored / "more.csv").exists()
    assert compared(results, stored)[0] == 0


def test_the_first_time_all_tables_are_stored(folders, compared):
    results, stored = folders[0], folders[1] / "new"
    (results / "tables").mkdir()
    (results / "tables/a.csv").write_text("b\n1\n")
    code, output, _ = compared(results, stored, "--store", "--json")
    assert code == 0
    assert json.loads(output) == {"stored": ["contour_deviation", "more", "tables/a"]}
    assert json.loads(compared(results, stored, "--store", "--json")[1]) == {"stored": []}
    assert {path.name for path in stored.rglob("*") if path.is_file()} == {
        "contour_deviation.csv", "more.csv", "a.csv",
    }  # fmt: skip


def test_a_stored_table_that_the_run_lacks_is_named(folders, compared):
    results, stored = folders
    (stored / "gone.csv").write_text("a\n1\n")
    code, _, error = compared(results, stored, "--store")
    assert code == 2
    assert "lacks tables that are stored: gone" in error
