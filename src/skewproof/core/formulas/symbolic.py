"""Formulas of metrics in counts, in the paper's notation and in the rates alone."""

from __future__ import annotations

from functools import cache

import numpy as np

from skewproof.core.algebra import Value
from skewproof.core.confusion import ConfusionMatrix, matrix_of
from skewproof.core.extras import MissingExtraError, sympy
from skewproof.core.metric import Metric, expect_metric
from skewproof.core.scales import shown_range

COUNTS = ("t_p", "f_p", "f_n", "t_n")

FAILS_IN_SYMPY = (TypeError, AttributeError)
"""Errors of a function for floats that compares symbols or passes them to NumPy."""


CERTAIN = 1e-15
"""Difference above which two values, computed with 30 digits, are different."""


@cache
def rate_symbols() -> tuple[sympy.Symbol, sympy.Symbol]:
    """Return the symbols u and v of the true and the false positive rate."""
    return _symbol("u"), _symbol("v")


@cache
def _class_sizes() -> tuple[sympy.Symbol, sympy.Symbol]:
    return _symbol("P"), _symbol("N")


def _symbol(name: str) -> Value:
    return sympy.Symbol(name, positive=True)


class MatrixOfRates(ConfusionMatrix):
    """A matrix whose counts are the rates in the paper's notation and whose class sizes are 1."""

    positives = negatives = property(lambda self: 1)
    tpr = property(lambda self: self.tp)
    tnr = property(lambda self: self.tn)


class MatrixInPaperNotation(ConfusionMatrix):
    """A matrix whose sums and rates are symbols, and not expressions in its counts."""

    positives, negatives = property(lambda self: _symbol("P")), property(lambda self: _symbol("N"))
    predicted_positives = property(lambda self: _symbol("P'"))
    predicted_negatives = property(lambda self: _symbol("N'"))
    tpr, fpr = property(lambda self: self.rates.tp), property(lambda self: self.rates.fp)
    fnr, tnr = property(lambda self: self.rates.fn), property(lambda self: self.rates.tn)
    ppv = property(lambda self: _symbol(r"\rho_{t_p}"))
    npv = property(lambda self: _symbol(r"\rho_{t_n}"))
    rates = property(lambda self: matrix_of_rates())


def matrix_of_rates() -> MatrixOfRates:
    """Build the matrix of rates in the paper's symbols, for printed formulas."""
    tp, fp, fn, tn = _printed_cells(r"\Phi_{{{}}}")
    return MatrixOfRates(tp=tp, fp=fp, fn=fn, tn=tn)


def matrix_in_paper_notation() -> MatrixInPaperNotation:
    """Build the matrix of counts in the paper's symbols, for printed formulas.

    Misses can be 0, so that the formulas of Naish's O and its binary kind have their case for it.
    """
    tp, fp, fn, tn = _printed_cells()
    return MatrixInPaperNotation(tp=tp, fp=fp, fn=sympy.Symbol(fn.name, nonnegative=True), tn=tn)


def _printed_cells(symbol: str = "{}") -> list[sympy.Symbol]:
    """Build symbols of the four cells, of which true positives can be 0, so that the formula of AGM
    has its case for it."""
    tp, *others = map(symbol.format, COUNTS)
    return [sympy.Symbol(tp, nonnegative=True), *map(_symbol, others)]


def formula(metric: Metric) -> sympy.Expr:
    """Write a metric as a SymPy expression in the positive symbols t_p, f_p, f_n and t_n."""
    return metric(matrix_of(map(_symbol, COUNTS)))


def printed_formula(metric: Metric) -> sympy.Expr:
    """Write a metric in the symbols t_p >= 0 and f_p, f_n, t_n > 0, with its case for t_p = 0 if it
    has one."""
    return metric(matrix_of(_printed_cells()))


def rate_formula(metric: Metric) -> sympy.Expr | None:
    """Write a metric as a function of the rates u and v alone, or return None if SymPy finds none.

    The function agrees with the metric for all class sizes, wherever the metric is defined.
    """
    formula = _without_canceled_sizes(metric)
    return None if formula.has(*_class_sizes()) else formula


def formula_without_negatives(metric: Metric) -> sympy.Expr | None:
    """Write a metric as a function of the rates u and v and the number P of positives, or return
    None if SymPy finds none.

    The function agrees with the metric for every number of negatives, wherever the metric is
    defined.
    """
    formula = _without_canceled_sizes(metric)
    return None if formula.has(_class_sizes()[1]) else formula


def _without_canceled_sizes(metric: Metric) -> sympy.Expr:
    positives, negatives = _class_sizes()
    matrix = ConfusionMatrix.from_rates(*rate_symbols(), positives=positives, negatives=negatives)
    return sympy.bottom_up(expression(metric(matrix)), _cancel_sizes)


def expression(value: Value) -> sympy.Expr:
    """Convert a metric's symbolic value to an expression, also from the array of one entry that
    functions like `np.where` return."""
    return sympy.sympify(np.asarray(value, dtype=object).item())


def _cancel_sizes(expression: sympy.Expr) -> sympy.Expr:
    if not isinstance(expression, sympy.Basic) or not expression.has(*_class_sizes()):
        return expression
    if isinstance(expression, sympy.core.relational.Relational):
        difference = sympy.cancel(expression.lhs - expression.rhs)
        return expression.func(sympy.cancel(difference / _factor_of_sizes(difference)), 0)
    if not isinstance(expression, sympy.Expr):
        return expression  # a pair of value and condition
    if isinstance(expression, sympy.Min | sympy.Max):
        size = next(map(_factor_of_sizes, filter(None, expression.args)))
        return size * expression.func(*(sympy.cancel(part / size) for part in expression.args))
    return sympy.cancel(expression)


def _factor_of_sizes(expression: sympy.Expr) -> sympy.Expr:
    """Find the positive factor of an expression that consists of class sizes alone, which can be
    taken out of a minimum or maximum."""
    size, _ = sympy.factor(expression).as_independent(*rate_symbols(), as_Add=False)
    parts = sympy.Mul.make_args(size)
    return sympy.Mul(*(part for part in parts if part.has(*_class_sizes()) and part.is_positive))


def describe(metric: Metric) -> str:
    """Describe a metric: its definition, formula and range, and whether class sizes enter.

    Without SymPy, the text has what to install in place of the formula. A function that compares
    values, or passes them to NumPy, has no formula.

    Examples
    --------
    >>> from skewproof.metrics import balanced_accuracy, describe
    >>> print(describe(balanced_accuracy))
    Balanced accuracy (Brodersen et al. 2010; Eq. 16 corrected).
    <BLANKLINE>
    Arithmetic mean of sensitivity and specificity.
    <BLANKLINE>
    Formula: t_n/(2*(f_p + t_n)) + t_p/(2*(f_n + t_p))
    <BLANKLINE>
    Range: [0, 1]
    <BLANKLINE>
    Does not depend on the class sizes: with u = tp/P and v = fp/N it is u/2 - v/2 + 1/2.
    """
    expect_metric(metric)
    *what_it_is, _ = (metric.__doc__ or "").split("\n\n")  # the last part is about calls
    try:
        formula, sizes = sympy.sstr(printed_formula(metric)), _sizes(metric)
    except MissingExtraError as error:
        formula, sizes = str(error), ""
    except FAILS_IN_SYMPY:
        formula, sizes = "none, since its function fails on SymPy's symbols", ""
    parts = [*what_it_is, f"Formula: {formula}", f"Range: {shown_range(metric)}", sizes]
    return "\n\n".join(filter(None, parts))


def _sizes(metric: Metric) -> str:
    of_rates = rate_formula(metric)
    if of_rates is not None:
        return f"Does not depend on the class sizes: with u = tp/P and v = fp/N it is {of_rates}."
    for u, v in (("1/2", "1/4"), ("3/4", "1/3"), ("1/4", "1/8")):
        balanced, rare = (_value_at(metric, u, v, negatives) for negatives in (100, 100_000))
        difference = sympy.N(balanced - rare, 30)
        if difference.is_Float and abs(difference) > CERTAIN:
            at = f"at u = tp/P = {u} and v = fp/N = {v}"
            values = f"{float(balanced):.4g} with 100 negatives and {float(rare):.4g} with 100,000"
            return f"Depends on the class sizes: {at}, 100 positives, it is {values}."
    return "Whether it depends on the class sizes is unknown: `skewproof audit` tries more points."


def _value_at(metric: Metric, tpr: str, fpr: str, negatives: int) -> sympy.Expr:
    rates = sympy.Rational(tpr), sympy.Rational(fpr)
    sizes = {"positives": sympy.Integer(100), "negatives": sympy.Integer(negatives)}
    return expression(metric(ConfusionMatrix.from_rates(*rates, **sizes)))
