"""The command line as a whole."""

import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import skewproof
from skewproof.cli import COMMANDS
from skewproof.cli.shared.output import Result
from skewproof.scoring.scoring import get_scorer

SCORED = ["score", "PREDICTIONS", "--true", "truth", "--predicted", "model"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["audit", "tpr/2"], "expected one of tp, fp, fn, tn, P, N"),
        (["audit", "tp/fp"], "unbounded above"),
        (["audit", "mccc"], "did you mean 'mcc'?"),
        (["score", "absent.csv"], "'absent.csv' is not a file"),
        (["score", "PREDICTIONS"], "has no column 'y_true': expected it once"),
        (SCORED, "--pos-label = '1'"),
        ([*SCORED, "--metrics", "f3"], "'f3' is neither the key or name of a metric"),
    ],
)
@pytest.mark.slow
def test_bad_input_on_the_command_line(refused, predictions, arguments, message):
    arguments = [predictions if part == "PREDICTIONS" else part for part in arguments]
    assert message in refused(*arguments)


def test_a_library_that_is_missing(refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.metrics", None)
    monkeypatch.setattr("skewproof.cli.listing.run.callback", lambda **given: get_scorer("f1"))
    errors = refused("list")
    assert errors == (
        'skewproof: get_scorer needs scikit-learn: pip install "skewproof[scoring]"\n'
    )


def test_an_import_error_of_our_own_is_no_message(run, monkeypatch):
    def broken(**given):
        raise ImportError("a fault of the package")

    monkeypatch.setattr("skewproof.cli.listing.run.callback", broken)
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
    assert done.returncode == 1
    assert done.stderr == "skewproof: No space is left on the disk: free some and start again\n"


def test_a_lack_of_memory_is_one_sentence(refused, monkeypatch):
    monkeypatch.setattr("skewproof.cli.listing.run.callback", lambda **given: bytearray(2**62))
    errors = refused("list")
    assert errors.startswith("skewproof: Not enough memory: compute less")


def test_a_command_ends_with_its_exit_status(run, monkeypatch):
    result = Result("differs\n", None, None, 1)
    monkeypatch.setattr("skewproof.cli.listing.run.callback", lambda **given: result)
    assert run("list") == (1, "differs\n", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["score", "PREDICTIONS", "--pos-label", "yes", *SCORED[2:]], 0),
        (["score", "absent.csv"], 1),
        (["score", "PREDICTIONS"], 1),  # lacks the column y_true
        (SCORED, 1),  # has no label 1
        (["threshold", "PREDICTIONS", "--require", "precision >= .5", "--score", "model"], 1),
        (["score", "-", "-"], 2),
        (["scor"], 2),
        (["score", "PREDICTIONS", "--metrics", "f3"], 2),
        (["score", "PREDICTIONS", "--at", "1:x"], 2),
        (["explain-change", "PREDICTIONS", "--by", "truth", "--confidence", "2"], 2),
        (["watch", "PREDICTIONS", "--time", "truth", "--figure", "watch.xyz"], 2),
        (["audit", "mccc"], 2),
    ],
)
def test_the_status_tells_a_wrong_command_line_from_an_error_in_a_file(
    run, predictions, arguments, status
):
    arguments = [predictions if part == "PREDICTIONS" else part for part in arguments]
    assert run(*arguments)[0] == status


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--help"], ["list"], ["list", "--json"]])
def test_a_closed_pipe_is_no_error(arguments):
    command = shlex.join([sys.executable, "-m", "skewproof.cli", *arguments])
    script = f"set -o pipefail; {command} | true"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_version(run):
    assert run("--version") == (0, f"skewproof {skewproof.__version__}\n", "")


def test_every_command_is_in_the_help_which_is_printed_without_arguments(run, printed):
    output = printed("--help")
    lines = " ".join(output.split())
    assert all(f"{name} {line}" in lines for name, (_, line) in COMMANDS.items())
    assert run() == (0, output, "")


@pytest.mark.parametrize(("name", "module"), [(name, entry[0]) for name, entry in COMMANDS.items()])
def test_every_command_has_help_with_an_example_that_it_accepts(run, name, module):
    code, output, errors = run(name, "--help")
    assert (code, errors) == (0, "")
    assert output.startswith(f"Usage: skewproof {name} [OPTIONS]")
    command = import_module(f"skewproof.cli.{module}").run
    assert command.name == name
    assert output.endswith(f"Example:\n  {command.example}\n")
    program, called, *words = shlex.split(command.example)
    assert (program, called) == ("skewproof", name)
    command.make_context(name, words)
    assert {"--json", "--output"} <= {flag for option in command.params for flag in option.opts}
    documented = [param.help for param in command.params]
    assert all(text[0].isupper() or text.startswith(("same:", "sampled ")) for text in documented)
    assert all(text.endswith((".", "]")) for text in documented)


@pytest.mark.parametrize(
    ("arguments", "usage", "message"),
    [
        (["scor"], "skewproof [OPTIONS] [COMMAND] [ARGS]...", "'scor'. Did you mean 'score'?"),
        (
            ["audit", "f1", "--figur", "x.png"],
            "skewproof audit [OPTIONS] METRIC",
            "'--figur'. Did you mean '--figure'?",
        ),
        (["plan", "f1", "--fpr", "x"], "skewproof plan [OPTIONS] METRIC", "'--fpr': 'x' is not a"),
        (["list", "--output", "a.xls"], "skewproof list [OPTIONS] [WORD]", "'a.xls': expected a"),
        (["list", "--output", "no/a.csv"], "skewproof list [OPTIONS] [WORD]", "expected a folder"),
        (["audit"], "skewproof audit [OPTIONS] METRIC", "Missing argument 'METRIC'"),
        (["audit", "f" * 9999, "f1"], "skewproof audit [OPTIONS] METRIC", "unexpected extra"),
        (["find", "--" + "f" * 9999], "skewproof find [OPTIONS] NAME", "No such option"),
    ],
)
def test_wrong_words_are_one_message_below_the_usage(refused, arguments, usage, message):
    errors = refused(*arguments)
    first, second = errors.splitlines()
    assert first == f"Usage: {usage}"
    assert second.startswith("skewproof: ")
    assert message in second
    assert len(errors.encode()) <= 2100


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
