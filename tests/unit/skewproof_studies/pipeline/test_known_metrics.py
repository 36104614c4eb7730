import json
from pathlib import Path

import pytest

from skewproof.core.formulas.metrics import FormulaError
from skewproof_studies.pipeline.known_metrics import definitions_of, known_metrics
from skewproof_studies.settings.definitions import Definition
from skewproof_studies.settings.own_metrics import resolved

pytestmark = pytest.mark.slow

PEIRCE = {"peirce": "tp/P - fp/N"}
FOUND = {"peirce": Definition("tp/P - fp/N", (-1.0, 1.0), (-1.0, 1.0))}


@pytest.fixture
def record(tmp_path):
    return tmp_path / "record.json"


def edit(record, change):
    content = json.loads(record.read_text())
    record.write_text(json.dumps(content | change(content)))


def test_what_is_found_is_kept(record):
    assert known_metrics(PEIRCE, record) == resolved(PEIRCE) == FOUND
    edit(record, lambda content: {"metrics": [["tp/P - fp/N", [-3, 5], [0, 7]]]})
    kept = Definition("tp/P - fp/N", (-3, 5), (0, 7))
    assert known_metrics({"another_key": "tp/P - fp/N"}, record) == {"another_key": kept}


def test_what_is_new_joins_the_record(record):
    known_metrics(PEIRCE, record)
    both = known_metrics(PEIRCE | {"recall": "tp/P"}, record)
    assert list(both) == ["peirce", "recall"]
    known_metrics({"recall": "tp/P"}, record)
    assert [row[0] for row in json.loads(record.read_text())["metrics"]] == ["tp/P - fp/N", "tp/P"]


def test_other_code_finds_anew(record):
    known_metrics(PEIRCE, record)
    edit(record, lambda _: {"metrics": [["tp/P - fp/N", [-3, 5], [0, 7]]], "code": "other"})
    assert known_metrics(PEIRCE, record) == FOUND


def test_a_function_of_a_file_is_looked_at_each_time(record, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path("mine.py")
    path.write_text("def mine(c):\n    return c.tp / c.positives\n")
    assert known_metrics({"mine": "mine.py:mine"}, record)["mine"].bounds == (0, 1)
    path.write_text("def mine(c):\n    return 2 * c.tp / c.positives\n")
    assert known_metrics({"mine": "mine.py:mine"}, record)["mine"].bounds == (0, 2)


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "3", "[]", "[" * 10**5, '{"code": "x"}'),
        '{"code": "CODE", "metrics": [["tp/P - fp/N", [0, 1]]]}',
        '{"code": "CODE", "metrics": [["tp/P - fp/N", [0, NaN], [0, 1]]]}',
        '{"code": "CODE", "metrics": [["tp/P - fp/N", ["0", 1], [0, 1]]]}',
        '{"code": "CODE", "metrics": [[["tp"], [0, 1], [0, 1]]]}',
        '{"code": "CODE", "metrics": 3}',
    ],
    ids=range(11),
)
def test_a_record_that_no_run_wrote_knows_nothing(record, text):
    known_metrics(PEIRCE, record)
    record.write_text(text.replace("CODE", json.loads(record.read_text())["code"]))
    assert known_metrics(PEIRCE, record) == FOUND


def test_faults_are_found_though_the_formula_is_known(record):
    known_metrics(PEIRCE, record)
    with pytest.raises(FormulaError, match="the key f1 is taken"):
        known_metrics({"f1": "tp/P - fp/N"}, record)
    with pytest.raises(FormulaError, match="unbounded above"):
        known_metrics(PEIRCE | {"odds": "tp/fp"}, record)


def test_the_first_start_makes_the_folder(tmp_path):
    known_metrics(PEIRCE, tmp_path / "absent" / "record.json")
    assert (tmp_path / "absent" / "record.json").exists()


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path):
    (tmp_path / "file").touch()
    assert known_metrics(PEIRCE, tmp_path / "file" / "record.json") == FOUND


def test_no_metrics_of_its_own(record):
    assert known_metrics({}, record) == {}
    assert not record.exists()


def test_a_variant_needs_the_definition_of_its_metric():
    definitions = dict.fromkeys(["a", "b", "c_i"])
    assert list(definitions_of(["b_i", "a", "f1"], definitions)) == ["b", "a"]
    assert list(definitions_of(["c_i", "c_i_i"], definitions)) == ["c_i"]
    assert definitions_of(["c"], definitions) == {}
