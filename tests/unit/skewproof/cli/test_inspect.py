"""The command ``skewproof inspect``, which is also ``skewproof`` with a file."""

import json

import pytest


@pytest.fixture
def inspected(predictions, parsed):
    return parsed("inspect", predictions, "--predicted", "model")


@pytest.mark.parametrize(
    "arguments", [["FILE", "--predicted", "model"], ["--predicted", "model", "FILE"]]
)
def test_a_file_alone_is_inspected(predictions, parsed, inspected, arguments):
    words = [predictions if word == "FILE" else word for word in arguments]
    assert parsed(*words) == inspected


def test_options_may_come_first(predictions, run, inspected):
    code, output, _ = run("--json", "--predicted", "model", predictions)
    assert (code, json.loads(output)) == (0, inspected)


def test_the_name_of_a_command_is_not_a_file(predictions, run, refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "score").write_text("truth,pred\n1,1\n")
    assert "Missing argument 'FILE...'" in refused("score")
    assert "'./score' is of an unknown kind" in refused("./score")


def test_a_missing_file_says_so(refused):
    assert "'absent.csv' is not a file" in refused("absent.csv")
    assert "No such command 'scroe'" in refused("scroe")
