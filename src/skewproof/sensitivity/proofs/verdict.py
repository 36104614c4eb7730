"""The three words for whether a metric is the same at two levels, whatever it is judged by."""

from typing import Final, Literal

Verdict = Literal["same", "differs", "undecided"]

SAME: Final = "same"

DIFFERS: Final = "differs"

UNDECIDED: Final = "undecided"
