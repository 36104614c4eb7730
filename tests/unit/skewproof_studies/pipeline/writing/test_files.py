"""Files are complete or absent."""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from skewproof_studies.pipeline.writing.files import UNFINISHED, write_text, write_whole


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_an_unfinished_file_of_another_process_stays(tmp_path):
    """A job that outlives a killed run may still be writing the same result."""

    def interrupted(file):
        file.write(b"2")
        write_text("1\n", tmp_path / "a.csv")
        assert len([name for name in names(tmp_path) if name.endswith(UNFINISHED)]) == 1

    write_whole(tmp_path / "a.csv", interrupted)
    assert (tmp_path / "a.csv").read_text() == "2"
    assert names(tmp_path) == ["a.csv"]


def test_what_breaks_off_leaves_the_file_as_it_was(tmp_path):
    write_text("1\n", tmp_path / "a.csv")

    def breaking(file):
        file.write(b"2")
        raise RuntimeError("broke off")

    with pytest.raises(RuntimeError, match="broke off"):
        write_whole(tmp_path / "a.csv", breaking)
    assert (tmp_path / "a.csv").read_text() == "1\n"
    assert names(tmp_path) == ["a.csv"]


def test_names_with_the_signs_of_patterns(tmp_path):
    for name in ("a[1].csv", "a*.csv", "{b}.csv"):
        write_text("1\n", tmp_path / name)
    assert names(tmp_path) == ["a*.csv", "a[1].csv", "{b}.csv"]


def as_nobody(action):
    """Call a function in a process of a user without rights; returns whether it was refused."""
    if os.getuid() == 0:
        child = os.fork()
        if child == 0:
            os.setgroups([])
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
            os._exit(_is_refused(action))
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
    return _is_refused(action) == 1


def _is_refused(action):
    try:
        action()
    except PermissionError:
        return 1
    except BaseException:
        return 2
    return 0


@pytest.fixture
def open_to_all():
    """Make a folder that every user may enter, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        yield Path(folder)
        os.chmod(folder, 0o777)


@pytest.mark.skipif(not hasattr(os, "setresuid"), reason="the system has no such users")
@pytest.mark.slow
def test_a_folder_that_is_read_only_stays_as_it_is(open_to_all):
    file = open_to_all / "a.csv"
    assert not as_nobody(lambda: write_text("1\n", file))
    open_to_all.chmod(0o555)
    assert as_nobody(lambda: write_text("2\n", file))
    assert as_nobody(lambda: write_text("2\n", open_to_all / "b.csv"))
    assert names(open_to_all) == ["a.csv"]
    assert file.read_text() == "1\n"


SCRIPT = """
from types import SimpleNamespace
from skewproof_studies.pipeline.writing.files import start, write_text

start(SimpleNamespace(log=["log.txt"]))
{action}
"""


def script(action, folder, **limits):
    """Run a rule's script under limits of the system, and return its messages."""

    def limit():
        for name, most in limits.items():
            resource.setrlimit(getattr(resource, name), (most, most))

    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(action=action)],
        cwd=folder,
        capture_output=True,
        text=True,
        preexec_fn=limit,
        check=False,
    )
    assert done.returncode == 1
    return done.stderr


@pytest.mark.slow
def test_no_space_for_a_result_is_one_sentence_and_leaves_nothing_behind(tmp_path):
    write_text("before", tmp_path / "a.csv")
    said = script("write_text('x' * 100_000, 'a.csv')", tmp_path, RLIMIT_FSIZE=50_000)
    expected = "No space is left on the disk to write a.csv: free some and start again\n"
    assert said == expected
    assert (tmp_path / "log.txt").read_text().endswith(expected)
    assert names(tmp_path) == ["a.csv", "log.txt"]
    assert (tmp_path / "a.csv").read_text() == "before"


@pytest.mark.slow
def test_a_lack_of_memory_is_one_sentence(tmp_path):
    said = script("bytearray(2**40)", tmp_path, RLIMIT_AS=2**36)
    assert said.startswith("Not enough memory: compute less")
    assert said.count("\n") == 1
