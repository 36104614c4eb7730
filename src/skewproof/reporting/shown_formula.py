"""Formulas as text in the symbols that ``audit`` reads, and as MathML for browsers."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from skewproof.core.algebra import Value
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.extras import sympy
from skewproof.core.formulas.reader import SYMBOLS
from skewproof.core.formulas.symbolic import MatrixOfRates

FUNCTIONS = {"Max(": "max(", "Min(": "min(", "Abs(": "abs("}
"""Functions that have another name in SymPy."""


LONGEST_NUMBER = 12
"""Largest number of operations in an exact number; longer ones are written as decimals."""

LONGEST_TEXT = 200
"""Largest number of characters of an exact number."""


class _TypedMatrix(ConfusionMatrix):
    """A matrix whose class sizes are symbols."""

    positives = property(lambda self: _symbols()[4])
    negatives = property(lambda self: _symbols()[5])


def typed_matrix() -> ConfusionMatrix:
    """Build the matrix of symbols of counts and class sizes, for formulas that are shown."""
    tp, fp, fn, tn, *_ = _symbols()
    return _TypedMatrix(tp=tp, fp=fp, fn=fn, tn=tn)


def typed_matrix_of_rates() -> MatrixOfRates:
    """Build the matrix of the rates tp/P and so on in place of counts."""
    tp, fp, fn, tn, positives, negatives = _symbols()
    return MatrixOfRates(tp=tp / positives, fp=fp / negatives, fn=fn / positives, tn=tn / negatives)


def _symbols() -> list[Value]:
    """Build symbols of cells and class sizes, whose names SymPy sorts in the order of SYMBOLS.

    All are positive except the cells of the positive class, which may be 0, so that formulas have
    their case for it.
    """
    return [
        sympy.Symbol(
            f"{position}_{name}", **{"nonnegative" if name in ("tp", "fn") else "positive": True}
        )
        for position, name in enumerate(SYMBOLS)
    ]


def typed(expression: Value) -> str:
    """Write a metric's value for one of the two matrices as text.

    Special cases follow the formula.

    Examples
    --------
    >>> from skewproof.metrics import f1, f1_i
    >>> typed(f1(typed_matrix()))
    '2*tp/(2*tp + fp + fn)'
    >>> typed(f1_i(typed_matrix()))
    '2*tp/(P*(2*tp/P + fp/N + fn/P))'
    """
    return _with_cases(expression, _typed)


def set_in_math(expression: Value) -> str:
    """Write a metric's value as MathML, which browsers show without a script."""
    return _with_cases(expression, _mathml)


def number_text(number: Value) -> str:
    """Write an exact number, or the first digits of a long one.

    Examples
    --------
    >>> number_text(sympy.Rational(2, 3)), number_text(sympy.Integer(10) ** 5000)
    ('2/3', '1.00000000000000e+5000')
    """
    if number.count_ops() <= LONGEST_NUMBER:
        try:
            text = str(number)
        except ValueError:  # a whole number with more digits than Python writes
            text = ""
        if 0 < len(text) <= LONGEST_TEXT:
            return text
    return str(number.evalf(15))


def _with_cases(expression: Value, write: Callable[[Value], str]) -> str:
    """Write a formula and, after it, its special cases in order of precedence."""
    whole = sympy.piecewise_fold(sympy.sympify(expression))
    if not isinstance(whole, sympy.Piecewise):
        return write(whole)
    *cases, (elsewhere, _) = whole.args
    clauses = (f"{write(value)} where {_condition(condition, write)}" for value, condition in cases)
    return f"{write(elsewhere)}; {', else '.join(clauses)}"


def _condition(condition: Value, write: Callable[[Value], str]) -> str:
    if isinstance(condition, sympy.And):
        return " and ".join(_condition(part, write) for part in condition.args)
    sign = "=" if condition.rel_op == "==" else condition.rel_op
    if write is _mathml:
        sign = escape(sign)
    return f"{write(condition.lhs)} {sign} {write(condition.rhs)}"


def _typed(expression: Value) -> str:
    text = re.sub(r"\b\d_", "", sympy.sstr(expression))
    for name, typed_name in FUNCTIONS.items():
        text = text.replace(name, typed_name)
    return text


def _mathml(expression: Value) -> str:
    body = re.sub(
        r"<msub><mi>\d</mi><mi>(\w)(\w?)</mi></msub>",
        lambda name: (
            f"<msub><mi>{name[1]}</mi><mi>{name[2]}</mi></msub>"
            if name[2]
            else f"<mi>{name[1]}</mi>"
        ),
        sympy.mathml(expression, printer="presentation"),
    )
    opening = '<math xmlns="http://www.w3.org/1998/Math/MathML" displaystyle="true">'
    return f"{opening}{body}</math>"
