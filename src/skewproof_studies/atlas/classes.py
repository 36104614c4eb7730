"""Classes of measures that are the same by value, up to a linear function, or by ordering.

Two measures are in different classes if certified intervals around their values are disjoint at
some point. Otherwise either a proof puts them into one class, or the question stays undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd
import sympy
from numpy.typing import NDArray

from skewproof.core.confusion import matrix_of
from skewproof.core.metric import Metric
from skewproof.reporting.shown_formula import number_text
from skewproof.sensitivity.proofs.identities import vanishes
from skewproof_studies.atlas.values import (
    MATRICES,
    ROUNDED,
    Intervals,
    drawn_matrices,
    matrix_intervals,
)

SAME, DIFFERENT, UNDECIDED = "same", "different", "undecided"

TRIPLES = 40
"""Number of triples of matrices that can show that two measures are not linearly related."""

LARGEST_DENOMINATOR = 1000
"""Largest denominator of the fraction that is tried in place of a number with roots or
logarithms."""

CELLS = sympy.symbols("tp fp fn tn", positive=True)

EVIDENCE_COLUMNS = ["measure", "other", "relation", "evidence"]


class Classes(NamedTuple):
    """A partition of measures."""

    first: dict[str, str | None]
    """First measure of the class of each measure; None if that is undecided."""

    evidence: pd.DataFrame
    """Comparisons, with the columns measure, other, relation ("same", "different", "undecided") and
    evidence. There is a row for each measure that is not the first of its class, with that first,
    and for each two first measures."""


Judge = Callable[[str, str], tuple[str, str]]
"""Function that returns the relation of two measures and its evidence."""


def partition(keys: Sequence[str], judge: Judge) -> Classes:
    """Put each measure into the class of the first measure that it is the same as.

    A measure has no class if it is not shown to be the same as any first measure, nor to differ
    from all of them.
    """
    first: dict[str, str | None] = {}
    rows: list[tuple[str, str, str, str]] = []
    for key in keys:
        compared = []
        for other in dict.fromkeys(filter(None, first.values())):
            compared.append((key, other, *judge(key, other)))
            if compared[-1][2] == SAME:
                break
        relations = [row[2] for row in compared]
        if SAME in relations:
            first[key] = compared[-1][1]
            rows.append(compared[-1])
        else:
            first[key] = None if UNDECIDED in relations else key
            rows += compared if first[key] else [row for row in compared if row[2] == UNDECIDED]
    return Classes(first, pd.DataFrame(rows, columns=EVIDENCE_COLUMNS))


class Functions:
    """Measures as functions of the four cells, with certified intervals and formulas.

    Attributes
    ----------
    registry
        The measures by their keys.
    """

    def __init__(self, registry: Mapping[str, Metric], seed: int) -> None:
        self.registry = registry
        self._matrices = drawn_matrices(seed)
        self._indices = {key: index for index, key in enumerate(registry)}
        self._at = Intervals.stacked(
            [matrix_intervals(metric, self._matrices) for metric in registry.values()]
        )
        self._formulas = {
            key: sympy.sympify(metric(matrix_of(CELLS))) for key, metric in registry.items()
        }
        permutations = np.random.default_rng(seed).random((TRIPLES, MATRICES)).argsort(axis=1)
        empty = MATRICES + np.arange(8).reshape(4, 2)
        with_empty = np.column_stack([permutations[:4, 0], empty])
        one_empty = np.column_stack([permutations[:4, :2], empty[:, 0]])
        self._triples = np.vstack([permutations[:, :3], with_empty, one_empty]).T

    def equal(self, key: str, other: str) -> tuple[str, str]:
        """Return whether two measures have the same values wherever both are defined, and the
        evidence."""
        index = self._differ(key)[self._indices[other]]
        if index >= 0:
            return DIFFERENT, self._shown([index])
        if not self._may_be_linear(key, other):
            return UNDECIDED, "neither shown"
        if vanishes(self._formulas[key] - self._formulas[other]):
            return SAME, "their difference cancels"
        return UNDECIDED, "neither shown"

    def affine(self, key: str, other: str) -> tuple[str, str]:
        """Return whether one measure is a times the other plus b, with constants a, b and a not 0,
        and the evidence."""
        triple = self._not_on_a_line(key)[self._indices[other]]
        if triple >= 0:
            return DIFFERENT, self._shown(self._triples[:, triple])
        pair = self._tied_by_one(key, other)
        return (DIFFERENT, self._shown(pair)) if pair is not None else self._linear(key, other)

    def _tied_by_one(self, key: str, other: str) -> NDArray[np.intp] | None:
        """Return two matrices at which a measure that is constant at positive cells has the same
        value, and the other measure certainly has different values."""
        constant = [self._formulas[measure].is_number for measure in (key, other)]
        if constant[0] == constant[1]:
            return None
        at = self._at[self._indices[other if constant[0] else key]]
        pairs = self._triples[:2, :TRIPLES]
        apart = np.flatnonzero((at[pairs[0]] - at[pairs[1]]).signs())
        return pairs[:, apart[0]] if apart.size else None

    @cache  # noqa: B019, the object lives as long as its one task
    def _differ(self, key: str) -> NDArray[np.intp]:
        """Return, for each measure, a matrix at which it certainly differs from this one, or -1."""
        return _first((self._at[self._indices[key]] - self._at).signs())

    @cache  # noqa: B019
    def _not_on_a_line(self, key: str) -> NDArray[np.intp]:
        """Return, for each measure, three matrices at which it is certainly not a linear function
        of this one, or -1."""
        p, q, r = self._triples
        f, g = self._at[self._indices[key]], self._at
        first = (f[p] - f[q]) * (g[:, p] - g[:, r])
        return _first((first - (f[p] - f[r]) * (g[:, p] - g[:, q])).signs())

    def _linear(self, key: str, other: str) -> tuple[str, str]:
        if not self._may_be_linear(key, other):
            return UNDECIDED, "neither shown"
        at = self._at[self._indices[other]]
        for p, q in self._triples[:2].T:
            if (at[[p]] - at[[q]]).signs().any():
                break
        else:
            return UNDECIDED, "neither shown"
        values = [[self._value(measure, index) for index in (p, q)] for measure in (key, other)]
        slope = _short((values[0][0] - values[0][1]) / (values[1][0] - values[1][1]))
        offset = _short(values[0][0] - slope * values[1][0])
        f, g = self._formulas[key], self._formulas[other]
        if slope == 0 or not vanishes(f - slope * g - offset):
            return UNDECIDED, "neither shown"
        return SAME, f"{key} = ({number_text(slope)})*{other} + ({number_text(offset)})"

    def _may_be_linear(self, key: str, other: str) -> bool:
        """Return whether the floats, which prove nothing, allow a linear relation, so that a proof
        is worth trying."""
        matrix = matrix_of(self._matrices.T.astype(float))
        with np.errstate(all="ignore"):
            f, g = (self.registry[measure](matrix) for measure in (key, other))
        columns = np.column_stack([g, np.ones_like(g), f])
        columns = columns[np.isfinite(columns).all(axis=1)]
        if not columns.size:
            return True
        sizes = np.maximum(np.abs(columns).max(axis=0), np.finfo(float).tiny)
        singular = np.linalg.svd(columns / sizes, compute_uv=False)
        return bool(singular[-1] < ROUNDED * singular[0])

    def _value(self, key: str, index: int) -> sympy.Expr:
        cells = map(sympy.Integer, map(int, self._matrices[index]))
        return sympy.sympify(self.registry[key](matrix_of(cells)))

    def _shown(self, indices: Sequence[int] | NDArray[np.intp]) -> str:
        matrices = (", ".join(map(str, self._matrices[index])) for index in indices)
        return "at (tp, fp, fn, tn) = " + " and ".join(f"({cells})" for cells in matrices)


def _first(signs: NDArray[np.int8]) -> NDArray[np.intp]:
    """Return the first nonzero column of each row, or -1."""
    return np.where(signs.any(axis=1), (signs != 0).argmax(axis=1), -1)


def _short(number: sympy.Expr) -> sympy.Expr:
    """Return the number as a fraction, if it is proved equal to one with a small denominator."""
    if number.is_Rational or not number.is_real:
        return number
    near = sympy.Rational(str(number.evalf(30))).limit_denominator(LARGEST_DENOMINATOR)
    return near if vanishes(number - near) else number
