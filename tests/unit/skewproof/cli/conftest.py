import json

import numpy as np
import pandas as pd
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


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """A folder with files of predictions."""
    folder = tmp_path_factory.mktemp("files")
    write(folder)
    return folder


def write(folder):
    """Write predictions of which the last month is worse, and two labels are missing."""
    random = np.random.default_rng(3)
    rows, month = 1200, np.repeat([1, 2, 3, 4], 300)
    true = (random.random(rows) < 0.2).astype(int)
    logits = random.normal(np.where(month == 4, 0.8, 2.5) * true)
    score = (1 / (1 + np.exp(2 - logits))).round(3)
    other = (1 / (1 + np.exp(2 - random.normal(1.5 * true)))).round(3)
    called = (score >= 0.5).astype(int)
    labeled = pd.Series(true, dtype="Int64")
    labeled[[10, 900]] = pd.NA
    site = np.where(np.arange(rows) % 3, "Bonn", "Graz").astype(object)
    site[::50] = None
    frame = pd.DataFrame({"id": np.arange(rows), "month": month, "site": site})
    frame = frame.assign(patient=np.arange(rows) // 3, y_true=labeled, y_pred=called)
    frame = frame.assign(second=(other >= 0.4).astype(int), y_score=score, other=other)
    frame["weight"] = 1 + frame["id"] % 4 / 2
    frame.to_csv(folder / "rows.csv", index=False)
    frame.to_parquet(folder / "rows.parquet")
    frame.assign(month=frame["month"] % 2 + 5).drop(columns="y_true").to_csv(
        folder / "new.csv", index=False
    )
    some = frame.assign(y_true=labeled.where(frame["id"] % 5 == 0))
    some.to_csv(folder / "some.csv", index=False)
    some.to_parquet(folder / "some.parquet")
    pets = np.array(["cat", "dog", "owl"])[random.choice(3, 600, p=[0.5, 0.3, 0.2])]
    right = random.random(600) < np.where((np.arange(600) >= 400) & (pets == "owl"), 0.3, 0.8)
    said = np.where(right, pets, random.permutation(pets))
    table = pd.DataFrame({"month": np.repeat([5, 6, 7], 200), "y_true": pets, "y_pred": said})
    table.assign(owner=np.arange(600) // 2).to_csv(folder / "pets.csv", index=False)


@pytest.fixture
def predictions(tmp_path):
    path = tmp_path / "predictions.csv"
    path.write_text("truth,model\nyes,yes\nno,yes\nyes,no\nno,no\n")
    return str(path)
