"""The command line as a whole."""

import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import skewproof
from skewproof.cli import COMMANDS
from skewproof.scoring.scoring import get_scorer


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


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--help"], ["list", "--json"]])
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
