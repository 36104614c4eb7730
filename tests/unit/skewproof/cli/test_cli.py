"""The command line as a whole."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import skewproof
from skewproof.cli import COMMANDS, main
from skewproof.cli.shared.output import Output
from skewproof.scoring.scoring import get_scorer


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["audit", "tpr/2"], "expected one of tp, fp, fn, tn, P, N"),
        (["audit", "tp/fp"], "unbounded above"),
        (["audit", "mccc"], "did you mean 'mcc'?"),
        (["score", "absent.csv"], "'absent.csv' is not a file"),
        (
            ["score", "PREDICTIONS"],
            "has no column 'y_true': expected it once",
        ),
        (["score", "PREDICTIONS", "--true", "truth", "--predicted", "model"], "--pos-label = '1'"),
        (
            ["score", "PREDICTIONS", "--true", "truth", "--predicted", "model", "--metrics", "f3"],
            "'f3' is neither the key or name of a metric",
        ),
    ],
)
@pytest.mark.slow
def test_bad_input_on_the_command_line(run, predictions, arguments, message):
    arguments = [predictions if part == "PREDICTIONS" else part for part in arguments]
    code, output, errors = run(*arguments)
    assert (code, output) == (2, "")
    assert message in errors


def test_a_library_that_is_missing(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.metrics", None)
    monkeypatch.setattr("skewproof.cli.listing.run", lambda options: get_scorer("f1"))
    code, output, errors = run("list")
    assert (code, output) == (2, "")
    assert errors == (
        'skewproof: get_scorer needs scikit-learn: pip install "skewproof[scoring]"\n'
    )


def test_an_import_error_of_our_own_is_no_message(run, monkeypatch):
    def broken(options):
        raise ImportError("a fault of the package")

    monkeypatch.setattr("skewproof.cli.listing.run", broken)
    with pytest.raises(ImportError, match="a fault of the package"):
        run("list")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_a_full_disk_is_one_sentence():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "skewproof.cli", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "skewproof: No space is left on the disk: free some and start again\n"


def test_a_lack_of_memory_is_one_sentence(run, monkeypatch):
    monkeypatch.setattr("skewproof.cli.listing.run", lambda options: bytearray(2**62))
    code, output, errors = run("list")
    assert (code, output) == (2, "")
    assert errors.startswith("skewproof: Not enough memory: compute less")


def test_a_command_ends_with_its_exit_code(run, monkeypatch):
    monkeypatch.setattr("skewproof.cli.listing.run", lambda options: Output("differs\n", 1))
    assert run("list") == (1, "differs\n", "")


def test_the_version(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (
        0,
        f"skewproof {skewproof.__version__}\n",
    )


def test_every_command_is_in_the_help(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    lines = " ".join(capsys.readouterr().out.split())
    for name, (module, line) in COMMANDS.items():
        assert f"{name} {line}" in lines
        assert (
            import_module(f"skewproof.cli.{module}").__doc__ == f"The command ``skewproof {name}``."
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "unused"),
    [
        (["--help"], ("numpy", "skewproof.metrics", "skewproof.cli.audit")),
        (["list"], ("pandas", "scipy", "sympy", "matplotlib", "skewproof.metrics.atlas")),
        (["audit", "f1"], ("pandas", "scipy", "matplotlib", "skewproof.cli.score")),
    ],
)
def test_commands_import_what_they_use(arguments, unused):
    code = (
        "import atexit, sys; from skewproof.cli import main;"
        f" atexit.register(lambda: print(sorted(sys.modules))); main({arguments})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "'skewproof.cli'" in done.stdout
    for module in unused:
        assert f"'{module}'" not in done.stdout
