"""Every command on the pages runs, or is planned if it takes long."""

import io
import re
import shlex
import subprocess
import sys
import tomllib

import pandas as pd
import pytest

from skewproof.cli import main, skewproof
from study import PROJECT, Study

sys.path.insert(0, str(PROJECT / "docs/filling"))
import markers

PROGRAMS = (
    *("make", "snakemake", "skewproof", "pip", "pytest", "python", "git"),
    *("buildah", "conda", "export"),
)
PLACEHOLDERS = {"KEY": "f1", "NAME": "recall", "FILE": "predictions.csv"}


def commands_of(text):
    """List lines of shell blocks, and inline code that begins with a program and has arguments."""
    for block in re.findall(r"^```(?:sh|bash)\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE):
        yield from block.replace("\\\n", " ").splitlines()
    without_blocks = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    programs = "|".join(PROGRAMS)
    yield from re.findall(rf"`((?:\.venv/bin/)?(?:{programs}) [^`]+)`", without_blocks)


PAGES = [*markers.pages(), PROJECT / "CONTRIBUTING.md"]
COMMANDS = {
    (words[0].removeprefix(".venv/bin/"), *(PLACEHOLDERS.get(word, word) for word in words[1:]))
    for page in PAGES
    for command in commands_of(markers.read(page))
    if (words := shlex.split(command, comments=True))
}


def of(program):
    return sorted(command[1:] for command in COMMANDS if command[0] == program)


VALUED = (
    *("--cores", "-n", "--report", "--shared-fs-usage", "--precommand"),
    *("--default-storage-provider", "--default-storage-prefix"),
)
"""Options of make and Snakemake whose value is not a target."""


def targets(arguments):
    """List the targets of a command, without options and their values."""
    pairs = zip(arguments, ("", *arguments), strict=False)
    return [one for one, before in pairs if not one.startswith("-") and before not in VALUED]


def completed(arguments):
    """Add the arguments that a command on a page lacks."""
    command, *others = arguments
    needed = {"audit": "f1", "find": "f1", "score": "predictions.csv"}
    if command in needed and all(one.startswith("-") for one in others):
        others = [needed[command], *others]
    return [command, *others, *(["card.png"] if others[-1:] == ["--figure"] else [])]


def test_targets_of_make_are_there():
    asked = sorted({one for arguments in of("make") for one in targets(arguments)})
    done = subprocess.run(["make", "--dry-run", *asked], cwd=PROJECT, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert {"reproduce", "conclusions", "docs"} <= set(asked)


@pytest.mark.slow
def test_targets_of_the_workflow_can_be_planned(tmp_path):
    asked = sorted({one for arguments in of("snakemake") for one in targets(arguments)})
    assert {"conclusions", "shuffle_search"} <= set(asked)
    assert Study.create(tmp_path / "study", {}).planned(*asked)


RUN_ALONE = {("choose",), ("list",)}
"""Commands that need no arguments. Pages may name the others without their arguments."""

DATA = (".csv", ".parquet", ".json")


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [one for one in of("skewproof") if len(one) > 1 or one in RUN_ALONE],
    ids=" ".join,
)
def test_commands_of_the_package_run(arguments, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" + "1\n" * 20))
    frame = pd.DataFrame({"y_true": [1, 1, 0, 0, 0] * 2, "y_pred": [1, 0, 1, 0, 0] * 2})
    frame["y_score"] = [0.9, 0.2, 0.6, 0.3, 0.1] * 2
    frame["month"] = [5] * 5 + [6] * 5
    frame.to_csv("predictions.csv", index=False)
    command = completed(arguments)
    if {one for one in command if one.endswith(DATA)} <= {"predictions.csv"}:
        assert main(command) == 0
        assert capsys.readouterr().out
    else:
        name, *words = command
        skewproof.get_command(None, name).make_context(name, words)


def test_what_pip_installs_is_declared_and_files_that_are_run_are_there():
    assert {command[0] for command in COMMANDS} <= set(PROGRAMS)
    toml = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    for arguments in of("pip"):
        command = " ".join(arguments)
        for extras in re.findall(r"\[(.*?)\]", command):
            assert set(extras.split(",")) <= set(toml["project"]["optional-dependencies"])
        assert set(re.findall(r"--group (\S+)", command)) <= set(toml["dependency-groups"])
    for arguments in of("pytest") + of("python") + of("conda"):
        named = [one for one in arguments if re.search(r"/|\.yml$", one) and "*" not in one]
        assert all((PROJECT / one).exists() for one in named), named
    for command in {one[0] for one in of("skewproof") if not one[0].endswith(DATA)}:
        assert skewproof.get_command(None, command), command
