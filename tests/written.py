"""Whole outputs, compared with files beside their tests.

``SKEWPROOF_WRITE=1 pytest tests/unit`` writes them again, to be read in the diff.
"""

import os
import re

import pytest

from skewproof.core.messages import LONGEST_MESSAGE, shown

ROUNDING = re.compile(r"\b\d(\.\d+)?e-1[4-9]\b")
"""Numbers that another processor may have otherwise."""


def check_written(path, **outputs):
    """Check that texts, by their headings, are those of a file."""
    text = "\n".join(f"==== {heading}\n\n{output}" for heading, output in outputs.items())
    text = ROUNDING.sub("ROUNDING", text)
    if os.environ.get("SKEWPROOF_WRITE"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def check_refusals(path, calls):
    """Check that calls are refused, with the messages of a file in their order."""
    messages = []
    for call in calls:
        try:
            call()
        except (KeyError, TypeError, ValueError) as error:
            messages.append(f"{type(error).__name__}: {error.args[0]}")
        else:
            messages.append("taken")
    check_written(path, refusals="\n".join(messages) + "\n")
    assert "taken" not in messages


def refusals(call, cases, kind=ValueError):
    """Write each argument that a function refuses, with the error and its message below."""
    lines = []
    for case in cases:
        with pytest.raises(kind) as caught:
            call(case)
        error, message = type(caught.value).__name__, str(caught.value.args[0])
        assert len(message.encode()) <= LONGEST_MESSAGE
        lines.append(f"{shown(case)}\n    {error}: {message}\n")
    return "".join(lines)
