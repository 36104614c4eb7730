import json

import pytest

from skewproof.cli import main


@pytest.fixture(autouse=True)
def no_width(monkeypatch):
    """Let no setting of the terminal that runs the tests reach the command."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def run(capsys):
    """Run the command and return its exit code, standard output and standard error."""

    def run(*arguments):
        code = main(arguments)
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def printed(run):
    """Run a command that succeeds, check its messages and widest line, and return its output."""

    def printed(*arguments, said=""):
        code, output, errors = run(*arguments)
        assert code == 0, errors
        assert said in errors
        assert bool(said) == bool(errors)
        assert max(map(len, output.splitlines())) <= 80
        return output

    return printed


@pytest.fixture
def parsed(run):
    """Run a command that succeeds, check its messages, and return what it prints as JSON."""

    def parsed(*arguments, said=""):
        code, output, errors = run(*arguments, "--json")
        assert code == 0, errors
        assert said in errors
        assert bool(said) == bool(errors)
        return json.loads(output)

    return parsed


@pytest.fixture
def refused(run):
    """Run a command that is refused, and return its message."""

    def refused(*arguments):
        code, output, errors = run(*arguments)
        assert code in (1, 2)
        assert output == ""
        return errors

    return refused


@pytest.fixture
def predictions(tmp_path):
    path = tmp_path / "predictions.csv"
    path.write_text("truth,model\nyes,yes\nno,yes\nyes,no\nno,no\n")
    return str(path)
