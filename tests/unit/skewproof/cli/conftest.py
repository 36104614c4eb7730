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
def predictions(tmp_path):
    path = tmp_path / "predictions.csv"
    path.write_text("truth,model\nyes,yes\nno,yes\nyes,no\nno,no\n")
    return str(path)
