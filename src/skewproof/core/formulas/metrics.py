"""Metrics from users' formulas, which are read as arithmetic and never run as code."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

from skewproof.core.algebra import Value, is_symbolic, ratio
from skewproof.core.arguments import expect
from skewproof.core.confusion import CELLS, ConfusionMatrix
from skewproof.core.extras import sympy
from skewproof.core.formulas.reader import (
    SYMBOLS as NAMES,
    FormulaError,
    Step,
    error_at,
    read_steps,
)
from skewproof.core.messages import shortened, shown
from skewproof.core.metric import Formula, Metric

__all__ = ["FormulaError", "ParsedFormula", "parse_metric", "refuse_constant", "unnamed_metric"]

SYMBOLS: dict[str, Formula] = dict(
    zip(NAMES, map(attrgetter, (*CELLS, "positives", "negatives")), strict=True)
)


def _quotient(dividend: Value, divisor: Value) -> Value:
    """Divide as if 0 had no sign: 1/0 is infinite, even if the 0 is -0."""
    if is_symbolic(dividend) or is_symbolic(divisor):
        return dividend * sympy.oo if divisor == 0 else dividend / divisor
    return ratio(dividend, divisor + 0.0)


def _power(base: Value, exponent: Value) -> Value:
    if is_symbolic(base):
        return _exact_power(base, exponent)
    # Python's own numbers would raise where the result is infinite or complex.
    base = np.float64(base) if isinstance(base, float) else base
    if exponent == 0:
        return np.where(np.isnan(base), np.nan, 1.0)
    return (base + 0.0 if exponent < 0 else base) ** exponent


def _exact_power(base: Value, exponent: Value) -> Value:
    if base is sympy.nan or (base.is_extended_negative and exponent != int(exponent)):
        return sympy.nan
    return sympy.oo if base == 0 and exponent < 0 else base**exponent


def _either(of_arrays: Callable[..., Value], of_symbols: str) -> Callable[..., Value]:
    """Combine a function of arrays and the function of SymPy with the given name."""

    def apply(*arguments: Value) -> Value:
        if any(map(is_symbolic, arguments)):
            if of_symbols == "exp" and _is_beyond(arguments[0]):
                return sympy.nan
            if of_symbols in ("log", "sqrt") and arguments[0].is_extended_negative:
                return sympy.nan
            if of_symbols == "log" and arguments[0] == 0:
                return -sympy.oo
            try:
                return getattr(sympy, of_symbols)(*arguments)
            except ValueError:  # SymPy's minimum of an undefined argument
                return sympy.nan
        return of_arrays(*arguments)

    return apply


LARGEST_EXPONENT = 1e6
"""Largest exponent of an exact number. Beyond it the exponential is taken as undefined, because its
digits would take too long to compute."""


def _is_beyond(exponent: Value) -> bool:
    """Return whether an expression is a number that is not real or too large to exponentiate."""
    if not getattr(exponent, "is_number", False) or exponent.is_infinite:
        return False
    value = exponent.evalf(5)
    return not (value.is_real and abs(value) <= LARGEST_EXPONENT)


OPERATIONS: dict[str, Callable[..., Value]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _quotient,
    "**": _power,
    "positive": operator.pos,
    "negative": operator.neg,
    "sqrt": _either(np.sqrt, "sqrt"),
    "abs": abs,
    "log": _either(np.log, "log"),
    "exp": _either(np.exp, "exp"),
    "min": _either(np.minimum, "Min"),
    "max": _either(np.maximum, "Max"),
}
"""Operators and functions of a formula."""

ROUNDING = 1e-12
"""Largest difference due to rounding, relative to the largest value."""

SLOW = {"**", "exp", "log"}
"""Operations that take about ten times as long as others."""


@dataclass(frozen=True)
class ParsedFormula:
    """A formula read as arithmetic, which can be pickled for parallel searches.

    Raises
    ------
    FormulaError
        If the text is not a formula; the message says what is wrong and where.
    """

    text: str

    def __post_init__(self) -> None:
        _ = self.steps

    def __reduce__(self) -> tuple[Any, ...]:
        return ParsedFormula, (self.text,)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the calculation, in their order."""
        if not isinstance(self.text, str):
            raise FormulaError(f"{shown(self.text)} is not text: expected a formula")
        return read_steps(self.text.strip())

    @cached_property
    def cost(self) -> int:
        """Approximate time that the formula takes for many matrices; an addition takes 1."""
        return sum(10 if step.operation in SLOW else 1 for step in self.steps)

    def __call__(self, matrix: ConfusionMatrix) -> Value:
        """Evaluate the formula."""
        return evaluated(self.steps, matrix, SYMBOLS, OPERATIONS)


def evaluated(
    steps: Iterable[Step],
    matrix: ConfusionMatrix,
    symbols: Mapping[str, Formula],
    operations: Mapping[str, Callable[..., Value]],
) -> Value:
    """Evaluate the steps of a formula for a matrix, exactly if the matrix is symbolic."""
    number = _exact if has_symbols(matrix) else float
    stack: list[Value] = []
    with np.errstate(all="ignore"):
        for step in steps:
            if step.number is not None and not step.takes:
                stack.append(number(step.number))
            elif not step.takes:
                stack.append(symbols[step.operation](matrix))
            else:
                taken = stack[-step.takes :]
                del stack[-step.takes :]
                stack.append(operations[step.operation](*taken))
    return stack.pop()


def has_symbols(matrix: ConfusionMatrix) -> bool:
    """Return whether the cells of a matrix are SymPy's symbols or numbers."""
    return is_symbolic(matrix.tp) or is_symbolic(matrix.fp)


def _exact(number: float) -> Value:
    """Convert the shortest decimal number that reads as the float to a fraction."""
    return sympy.Rational(repr(number))


def parse_metric(text: str, *, key: str = "metric") -> Metric:
    """Read a metric from its formula.

    Parameters
    ----------
    text
        Arithmetic (``+ - * / **``, parentheses, numbers) in tp, fp, fn, tn, P and N, with sqrt,
        abs, log, exp, min and max, of at most 10,000 characters.
    key
        The metric's key, any text, from which its name and symbol are made.

    Returns
    -------
    A metric whose bounds are not known yet;
    :func:`skewproof.sensitivity.ranges.ranges.with_bounds` finds them.

    Notes
    -----
    Every step of a formula is arithmetic of the extended real numbers, in which 0 has no sign.
    x/0 is infinite with the sign of x, 0 to a negative power is infinity, and log(0) is minus
    infinity. A step with an infinite argument can have a finite result: 1/log(tp) is 0 at tp = 0,
    and min(3, tn/fp) is 3 at fp = 0. The following are undefined: 0/0, infinity/infinity, 0 times
    infinity, infinity minus infinity, and roots and logarithms of negative numbers. A step with an
    undefined argument is undefined, which includes minima, maxima and the power 0; x**0 is 1 for
    every other x.

    Raises
    ------
    FormulaError
        If the text is not such a formula, if it divides by a part that is always 0, or if its value
        is the same, or depends on the class sizes alone, on all of 16,000 confusion matrices with
        up to 10^12 positives and negatives.
    ValueError
        If the key is not text or is empty.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix
    >>> from skewproof.metrics import parse_metric
    >>> peirce = parse_metric("tp/P - fp/N", key="peirce")
    >>> float(peirce(ConfusionMatrix(tp=3, fp=1, fn=1, tn=3)))
    0.5
    >>> float(parse_metric("min(3, tn/fp)")(ConfusionMatrix(tp=3, fp=0, fn=1, tn=4)))
    3.0
    """
    metric = unnamed_metric(key, text, formula := ParsedFormula(text))
    _refuse_zero(formula)
    refuse_constant(metric, text)
    return metric


def unnamed_metric(key: str, source: str, formula: Formula) -> Metric:
    """Build a metric of unknown bounds, whose name and symbol are made from its key.

    Raises
    ------
    ValueError
        If the key is not text or is empty.
    """
    expect(isinstance(key, str) and bool(key.strip()), "key", key, "text, such as 'peirce'")
    name = key.replace("_", " ")
    return Metric(key, _in_latex(name), name, source, formula, bounds=None)


_LATEX = {"\\": r"}\backslash\text{", "^": r"}\wedge\text{", "~": r"}\sim\text{"} | {
    sign: f"\\{sign}" for sign in "{}$%#&_"
}


def _in_latex(text: str) -> str:
    """Write text in LaTeX, as Matplotlib and browsers read it too."""
    signs = shortened(" ".join(text.split()))
    return rf"\text{{{''.join(_LATEX.get(sign, sign) for sign in signs)}}}"


def _refuse_zero(formula: ParsedFormula) -> None:
    # mpmath takes longer to load than the rest of this module, which keys do not need.
    from skewproof.core.formulas.zero_divisors import first_zero, has_branches

    steps, text = formula.steps, formula.text.strip()
    number = first_zero(steps)
    if number == len(steps):
        raise FormulaError(f"{shown(text)} is 0 for every confusion matrix: expected a metric")
    if number is not None and (divisor := steps[number].divisor) is not None:
        always = "0 at all matrices tried" if has_branches(steps[:number]) else "always 0"
        raise error_at(text, *divisor, f"is {always}, and the formula divides by it")


TRIED_SIZES, TRIED_RATES = 40, 400
"""Numbers of pairs of class sizes, and of classifiers at each, on which a metric must vary."""

LARGEST_POWER = 12
"""Base-10 logarithm of the largest class size of these matrices."""

TRIED = (
    f"on the {TRIED_SIZES * TRIED_RATES:,} confusion matrices tried, with up to 10^{LARGEST_POWER}"
    " positives and negatives"
)


def refuse_constant(metric: Metric, text: str) -> None:
    """Refuse a metric that has the same value for all classifiers on classes of the same sizes.

    The message names the matrices that were tried, as others might have another value.

    Raises
    ------
    FormulaError
        If it is undefined on all of these, is the same on all, or depends on the class sizes alone.
    """
    random = np.random.default_rng(0)
    few = random.uniform(1, 200, (2, TRIED_SIZES // 2))
    sizes = np.hstack([few, 10 ** random.uniform(0, LARGEST_POWER, few.shape)])[..., np.newaxis]
    rates = random.random((2, TRIED_SIZES, TRIED_RATES))
    # A quarter are near an edge: some metrics are constant everywhere else.
    edge = 1 / (1 + np.exp(random.uniform(-20, 20, rates[..., ::4].shape)))
    rates[..., ::4] = edge
    matrices = ConfusionMatrix.from_rates(*rates, positives=sizes[0], negatives=sizes[1])
    values = np.asarray(metric(matrices), dtype=np.float64)
    values = np.where(np.isfinite(values), values, np.nan)
    rows = [row for row in values if not np.isnan(row).all()]
    name = shown(text)
    if not rows:
        raise FormulaError(f"{name} is undefined {TRIED}: expected a metric")
    if _is_constant(values):
        value = values[np.isfinite(values)][0] + 0.0
        raise FormulaError(f"{name} is {value:.6g} {TRIED}: expected a metric")
    if all(map(_is_constant, rows)):
        raise FormulaError(
            f"{name} depends on the class sizes alone {TRIED}: expected a metric, which tells"
            " classifiers on the same instances apart"
        )


def _is_constant(values: Value) -> bool:
    """Return whether known values are the same but for rounding."""
    with np.errstate(over="ignore"):
        return bool(np.nanmax(values) - np.nanmin(values) <= ROUNDING * np.nanmax(np.abs(values)))
