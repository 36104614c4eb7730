"""Formulas as one types them, in the symbols that ``audit`` reads, and as a browser sets them."""

from __future__ import annotations

import re

from skewproof.core.algebra import Value
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.extras import sympy
from skewproof.core.symbolic import MatrixOfRates

CELLS = ("tp", "fp", "fn", "tn", "P", "N")
"""In the order in which terms and factors are written."""

FUNCTIONS = {"Max(": "max(", "Min(": "min(", "Abs(": "abs("}
"""Functions by another name in SymPy."""


class _TypedMatrix(ConfusionMatrix):
    """Counts whose class sizes are symbols of their own."""

    positives = property(lambda self: _symbols()[4])
    negatives = property(lambda self: _symbols()[5])


def typed_matrix() -> ConfusionMatrix:
    """The counts and class sizes as symbols; what a metric gives for them is to be shown."""
    return _TypedMatrix(*_symbols()[:4])


def typed_matrix_of_rates() -> MatrixOfRates:
    """The rates of both classes, tp/P and so on, in place of the counts."""
    tp, fp, fn, tn, positives, negatives = _symbols()
    return MatrixOfRates(tp / positives, fp / negatives, fn / positives, tn / negatives)


def _symbols() -> list[Value]:
    """The cells and class sizes, with names whose alphabetical order, SymPy's, is that above.

    All are positive but the true positives, which may be 0: a metric may have a case of its own
    there.
    """
    return [
        sympy.Symbol(f"{place}_{name}", **{"nonnegative" if name == "tp" else "positive": True})
        for place, name in enumerate(CELLS)
    ]


def typed(expression: Value) -> str:
    """What a metric gives for one of the two matrices, as one types it.

    Where it has a case of its own, the case is said behind the formula.

    Examples
    --------
    >>> from skewproof import f1, f1_i
    >>> typed(f1(typed_matrix()))
    '2*tp/(2*tp + fp + fn)'
    >>> typed(f1_i(typed_matrix()))
    '2*tp/(P*(2*tp/P + fp/N + fn/P))'
    """
    formula, *case = map(_typed, _cases(expression))
    return f"{formula}; {case[0]} where {case[1]} = {case[2]}" if case else formula


def set_in_math(expression: Value) -> str:
    """The same as MathML, which browsers set without a script."""
    formula, *case = map(_mathml, _cases(expression))
    parts = [formula, "; ", case[0], " where ", case[1], " = ", case[2]] if case else [formula]
    return "".join(parts)


def _cases(expression: Value) -> list[Value]:
    """A formula, and where it has a case of its own, the value of that, and the two sides of the
    equation that is its condition."""
    whole = sympy.piecewise_fold(sympy.sympify(expression))
    if not isinstance(whole, sympy.Piecewise):
        return [whole]
    (value, condition), (elsewhere, _) = whole.args
    return [elsewhere, value, condition.lhs, condition.rhs]


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
