"""A metric and its derivatives by true and false positives, with fixed class sizes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.confusion import CELLS, matrix_of
from skewproof.core.extras import sympy
from skewproof.core.formulas.metrics import FormulaError
from skewproof.core.metric import Metric

Numbers = tuple[Any, Any, Any, Any]
"""The cells tp, fp, fn and tn as floats, arrays, or numbers of mpmath."""


class Derivatives:
    """A metric as a formula of the cells, and its change by another hit or another false alarm.

    Parameters
    ----------
    metric
        A metric whose formula takes the symbols of SymPy.

    Raises
    ------
    FormulaError
        If SymPy cannot read it.
    """

    def __init__(self, metric: Metric) -> None:
        self.cells = tuple(sympy.symbols(CELLS, positive=True))
        try:
            self.formula = sympy.sympify(metric(matrix_of(self.cells)))
        except (TypeError, AttributeError, sympy.SympifyError) as error:
            raise FormulaError(
                f"{metric.key} is not a formula that SymPy can read: {error}"
            ) from None

    @cached_property
    def in_pieces(self) -> Any:
        """The formula with its minima, maxima and absolute values written as cases."""
        kinked = (sympy.Abs, sympy.Min, sympy.Max)
        if not self.formula.has(*kinked):
            return self.formula
        return self.formula.rewrite(sympy.Piecewise)

    @cached_property
    def switches(self) -> tuple[Any, ...]:
        """Formulas that are 0 where the metric switches from one case to another."""
        relations = self.in_pieces.atoms(sympy.core.relational.Relational)
        return tuple({sympy.expand(relation.lhs - relation.rhs) for relation in relations})

    def by_hit(self, formula: Any) -> Any:
        """Differentiate a formula by tp, while fn falls as tp rises."""
        tp, _, fn, _ = self.cells
        return formula.diff(tp) - formula.diff(fn)

    def by_alarm(self, formula: Any) -> Any:
        """Differentiate a formula by fp, while tn falls as fp rises."""
        _, fp, _, tn = self.cells
        return formula.diff(fp) - formula.diff(tn)

    @cached_property
    def gradient(self) -> tuple[Any, Any]:
        """Both derivatives of the metric."""
        return self.by_hit(self.in_pieces), self.by_alarm(self.in_pieces)

    def compiled(self, formulas: Any, module: str) -> Callable[..., Any]:
        """Compile formulas to a function of the cells for "mpmath" or "numpy"."""
        modules = ["scipy", "numpy"] if module == "numpy" else module
        # A derivative may divide by 0 in a case that does not apply.
        defined = sympy.sympify(formulas).xreplace({sympy.zoo: sympy.nan})
        return sympy.lambdify(self.cells, defined, modules=modules, cse=True)

    @cached_property
    def value_exactly(self) -> Callable[..., Any]:
        """The metric in the working precision of mpmath."""
        return self.compiled(self.in_pieces, "mpmath")

    @cached_property
    def gradient_exactly(self) -> Callable[..., Any]:
        """Both derivatives in the working precision of mpmath."""
        return self.compiled(self.gradient, "mpmath")

    def in_floats(self, *cells: Array) -> tuple[Array, Array, Array]:
        """Evaluate the metric and both derivatives for arrays of floats."""
        with np.errstate(all="ignore"):
            try:
                results = self._all_in_floats(*cells)
            except TypeError:  # NumPy refuses cases if one of them holds everywhere
                every = np.broadcast_arrays(*cells)
                rows = zip(*(cell.ravel().tolist() for cell in every), strict=True)
                flat = np.array([self._in_numbers(row) for row in rows], float)
                results = flat.T.reshape(3, *every[0].shape)
            value, by_hit, by_alarm, _ = np.broadcast_arrays(*results, cells[0])
        return value, by_hit, by_alarm

    @cached_property
    def _all_in_floats(self) -> Callable[..., Any]:
        return self.compiled((self.in_pieces, *self.gradient), "numpy")

    def _in_numbers(self, cells: tuple[float, ...]) -> tuple[float, ...]:
        try:
            return (self.value_exactly(*cells), *self.gradient_exactly(*cells))
        except (ArithmeticError, ValueError):
            return (np.nan,) * 3


@lru_cache(maxsize=1024)
def derivatives(metric: Metric) -> Derivatives:
    """Return the derivatives of a metric, which are computed once."""
    return Derivatives(metric)
