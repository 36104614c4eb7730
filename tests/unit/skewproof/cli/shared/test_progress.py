"""The progress bar."""

import threading

import pytest

from skewproof.cli.shared import progress as module
from skewproof.cli.shared.progress import Read, progress


@pytest.fixture
def shown(monkeypatch, capsys):
    """Return what is shown for a step that lasts until the progress was asked for three times."""
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    monkeypatch.setattr(module, "PAUSE", 0.01)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")

    def step(read):
        monkeypatch.setattr("sys.stderr.isatty", lambda: True)
        asked = threading.Semaphore(0)

        def counted():
            asked.release()
            return read

        with progress("counting", counted):
            for _ in range(3):
                assert asked.acquire(timeout=60)
        return capsys.readouterr().err

    return step


def test_a_long_step_shows_a_bar_with_the_rows_read(shown):
    errors = shown(Read(12.5, 1_250_000))
    assert "counting" in errors
    assert "1,250,000 rows" in errors


def test_a_step_of_unknown_length_is_named(shown):
    errors = shown(Read(None, None))
    assert "counting" in errors
    assert "rows" not in errors


@pytest.mark.parametrize("terminal", [True, False])
def test_short_steps_and_pipes_show_nothing(monkeypatch, capsys, terminal):
    monkeypatch.setattr(module, "PATIENCE", 60 if terminal else 0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    with progress("counting"):
        pass
    assert capsys.readouterr().err == ""


def test_an_error_ends_the_bar(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with pytest.raises(ValueError, match="broken"), progress("counting"):
        raise ValueError("broken")
    assert capsys.readouterr().err == ""
