"""Whole outputs, compared with files beside their tests.

``SKEWPROOF_WRITE=1 pytest tests/unit`` writes them again, to be read in the diff.
"""

import functools
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


def refusal(call, kind=(KeyError, TypeError, ValueError)):
    """Return the error of a call that is refused, by its kind and message."""
    with pytest.raises(kind) as caught:
        call()
    message = str(caught.value.args[0])
    assert len(message.encode()) <= LONGEST_MESSAGE
    return f"{caught.type.__name__}: {message}"


def check_refusals(path, calls):
    """Check that calls are refused, with the messages of a file in their order."""
    check_written(path, refusals="\n".join(map(refusal, calls)) + "\n")


def refusals(call, cases, kind=ValueError):
    """Write each argument that a function refuses, with the error and its message below."""
    return "".join(
        f"{shown(case)}\n    {refusal(functools.partial(call, case), kind)}\n" for case in cases
    )
