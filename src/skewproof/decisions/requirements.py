"""Requirements on a cut-off where the classifier will run, such as "precision >= 0.5"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skewproof.core.arguments import expect
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.metrics import parse_metric
from skewproof.core.metric import Metric
from skewproof.metrics.lookup import as_metric

COUNTS = {"alarms": "tp + fp", "false alarms": "fp", "hits": "tp", "misses": "fn"}
"""Counts that a requirement may name, with their formulas; they need a number of instances."""

_WRITTEN = re.compile(
    r"(?P<metric>(?:=\s*[\w./]+\s*(?=[,)])|[^<>=])+)(?P<sign>>=|<=|≥|≤)\s*"
    r"(?P<bound>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*"
)

EXPECTED = 'a metric, >= or <=, and a number, such as "precision >= 0.5" or "alarms <= 10"'


@dataclass(frozen=True)
class Requirement:
    """A metric with a bound that it has to reach or stay below.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix
    >>> requirement = Requirement.parsed("precision >= 0.5")
    >>> bool(requirement.met(ConfusionMatrix(tp=3, fp=2, fn=0, tn=9))), str(requirement)
    (True, 'precision >= 0.5')
    """

    name: str
    """The metric as written."""
    metric: Metric
    at_least: bool
    """True if the bound is the least allowed value, False if it is the largest."""
    bound: float

    @classmethod
    def parsed(cls, text: Any) -> Requirement:
        """Read a requirement.

        Raises
        ------
        KeyError, FormulaError
            As :func:`skewproof.get_metric`, for an unknown metric.
        ValueError
            If the text does not have this form, or no value of the metric meets the bound.
        """
        written = _WRITTEN.fullmatch(text) if isinstance(text, str) else None
        expect(written is not None, "require", text, EXPECTED)
        assert written is not None
        name = written["metric"].strip()
        word = " ".join(name.lower().replace("_", " ").split())
        formula = COUNTS.get(word)
        metric = as_metric(name) if formula is None else parse_metric(formula, key=word)
        at_least = written["sign"] in (">=", "≥")
        requirement = cls(name, metric, at_least, float(written["bound"]))
        if metric.bounds is not None:
            least, most = metric.bounds
            beyond = requirement.bound > most if requirement.at_least else requirement.bound < least
            end = f"at most {most:g}" if requirement.at_least else f"at least {least:g}"
            expect(not beyond, "require", text, f"a bound that can be met: {name} is {end}")
        return requirement

    def __str__(self) -> str:
        return f"{self.name} {'>=' if self.at_least else '<='} {self.bound:g}"

    def met(self, matrix: ConfusionMatrix) -> NDArray[np.bool_]:
        """Return where a matrix meets it; an undefined value does not."""
        values = np.asarray(self.metric(matrix))
        with np.errstate(invalid="ignore"):
            return values >= self.bound if self.at_least else values <= self.bound


def parsed_requirements(require: Any) -> tuple[Requirement, ...]:
    """Read one or several requirements.

    Raises
    ------
    KeyError, FormulaError, ValueError
        As :meth:`Requirement.parsed`, or if there are none.
    """
    texts = [require] if isinstance(require, str) else require
    several = isinstance(texts, Iterable)
    expect(several, "require", require, f"{EXPECTED}, or several of these")
    requirements = tuple(map(Requirement.parsed, texts))
    expect(bool(requirements), "require", require, "at least one requirement")
    return requirements
