"""Metrics from formulas that a user writes: read as arithmetic, never run as code."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from skewproof.core.algebra import Value, is_symbolic, ratio
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Formula, Metric
from skewproof.core.registry import nearest

SYMBOLS: dict[str, Callable[[ConfusionMatrix], Value]] = {
    "tp": lambda c: c.tp,
    "fp": lambda c: c.fp,
    "fn": lambda c: c.fn,
    "tn": lambda c: c.tn,
    "P": lambda c: c.positives,
    "N": lambda c: c.negatives,
}
"""What a formula may name."""

OPERATORS: dict[type[ast.AST], Callable[..., Value]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: ratio,
    ast.Pow: operator.pow,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}


def _either(of_arrays: Callable[..., Value], of_symbols: str) -> Callable[..., Value]:
    """A function of arrays, or of expressions that of SymPy with the given name."""

    def apply(*arguments: Value) -> Value:
        if any(map(is_symbolic, arguments)):
            import sympy

            return getattr(sympy, of_symbols)(*arguments)
        with np.errstate(divide="ignore", invalid="ignore"):
            return of_arrays(*arguments)

    return apply


FUNCTIONS: dict[str, tuple[Callable[..., Value], int]] = {
    "sqrt": (_either(np.sqrt, "sqrt"), 1),
    "abs": (abs, 1),
    "log": (_either(np.log, "log"), 1),
    "exp": (_either(np.exp, "exp"), 1),
    "min": (_either(np.minimum, "Min"), 2),
    "max": (_either(np.maximum, "Max"), 2),
}
"""What a formula may call, and with how many arguments."""

LONGEST = 2000
"""Characters of a formula."""

LARGEST = 1e12
"""Number in a formula."""

HIGHEST = 16
"""Power to which a formula may raise anything, powers of powers multiplied."""


class FormulaError(ValueError):
    """A formula that is no metric; the message says what is wrong and where."""


@dataclass(frozen=True)
class ParsedFormula:
    """A formula read as arithmetic; it can be pickled, as parallel searches need.

    Raises
    ------
    FormulaError
        If the text is no formula; the message says what is wrong and where.
    """

    text: str

    def __post_init__(self) -> None:
        _check(self._tree, self.text, power=1)

    @cached_property
    def _tree(self) -> ast.expr:
        return _parse(self.text)

    def __call__(self, matrix: ConfusionMatrix) -> Value:
        """Evaluate the formula."""
        return _evaluate(self._tree, matrix)


def parse_metric(text: str, *, key: str = "metric") -> Metric:
    """Read a metric from its formula.

    Parameters
    ----------
    text
        Arithmetic (``+ - * / **``, parentheses, numbers) in tp, fp, fn, tn, P and N, with sqrt,
        abs, log, exp, min and max. 0/0 is undefined, as in every metric here.
    key
        The metric's key, from which its name and symbol are made.

    Returns
    -------
    A metric whose bounds are not known yet: :func:`skewproof.sensitivity.ranges.with_bounds`.

    Raises
    ------
    FormulaError
        If the text is no such formula; if it divides by what is always 0; if it is the same for
        every confusion matrix.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, parse_metric
    >>> peirce = parse_metric("tp/P - fp/N", key="peirce")
    >>> float(peirce(ConfusionMatrix(tp=3, fp=1, fn=1, tn=3)))
    0.5
    """
    metric = unnamed_metric(key, text, formula := ParsedFormula(text))
    _refuse_zero_division(formula._tree, text)
    _refuse_constant(metric, text)
    return metric


def unnamed_metric(key: str, source: str, formula: Formula) -> Metric:
    """A metric that has its name and symbol from its key, and bounds that are not known."""
    name = key.replace("_", " ")
    return Metric(key, rf"\mathrm{{{name}}}", name, source, formula, bounds=None)


def _error(text: str, node: ast.AST, message: str) -> FormulaError:
    position = 1 + getattr(node, "col_offset", 0)
    part = ast.get_source_segment(text, node) or text
    return FormulaError(f"{text!r}, character {position}, {part!r}: {message}")


def _parse(text: str) -> ast.expr:
    if not text.strip():
        raise FormulaError("the formula is empty: expected one such as 'tp/(tp + fp)'")
    if len(text) > LONGEST:
        raise FormulaError(f"the formula has {len(text)} characters: expected at most {LONGEST}")
    text = text.strip()
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        place = getattr(error, "offset", None) or 1
        raise FormulaError(f"{text!r}, character {place}: {getattr(error, 'msg', error)}") from None


def _check(node: ast.expr, text: str, power: float) -> None:
    """Refuse all but numbers, symbols, operators and functions that are listed."""
    match node:
        case ast.Constant(value=bool() | complex()):
            raise _error(text, node, "expected a number")
        case ast.Constant(value=int() | float() as value):
            if not abs(value) <= LARGEST:
                raise _error(text, node, f"expected a number of at most {LARGEST:g}")
        case ast.Name(id=name):
            if name not in SYMBOLS:
                known = ", ".join(SYMBOLS)
                raise _error(text, node, f"expected one of {known}" + nearest(name, SYMBOLS))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            if isinstance(op, ast.Pow):
                power *= _exponent(right, text)
                if power > HIGHEST:
                    message = f"expected powers of at most {HIGHEST} in all"
                    raise _error(text, node, message)
            else:
                _check(right, text, power)
            _check(left, text, power)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
            _check(operand, text, power)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            if name not in FUNCTIONS:
                known = ", ".join(FUNCTIONS)
                raise _error(text, node, f"expected one of {known}" + nearest(name, FUNCTIONS))
            _, count = FUNCTIONS[name]
            if len(arguments) != count or any(isinstance(x, ast.Starred) for x in arguments):
                raise _error(text, node, f"{name} takes {count} argument{'s' * (count > 1)}")
            for argument in arguments:
                _check(argument, text, power)
        case _:
            raise _error(text, node, "expected numbers, counts, + - * / ** and listed functions")


def _exponent(node: ast.expr, text: str) -> float:
    """The size of an exponent, which must be a number: others grow beyond any computer."""
    match node:
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner):
            return _exponent(inner, text)
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return max(1.0, abs(value))
        case ast.BinOp(
            left=ast.Constant(value=int() | float() as upper),
            op=ast.Div(),
            right=ast.Constant(value=int() | float() as lower),
        ) if lower:
            return max(1.0, abs(upper / lower))
    raise _error(text, node, "expected a number as exponent")


def _evaluate(node: ast.expr, matrix: ConfusionMatrix) -> Value:
    match node:
        case ast.Constant(value=value):
            if not (is_symbolic(matrix.tp) or is_symbolic(matrix.fp)):
                return value
            import sympy

            return sympy.nsimplify(value, rational=True)
        case ast.Name(id=name):
            return SYMBOLS[name](matrix)
        case ast.BinOp(left=left, op=op, right=right):
            return OPERATORS[type(op)](_evaluate(left, matrix), _evaluate(right, matrix))
        case ast.UnaryOp(op=op, operand=operand):
            return OPERATORS[type(op)](_evaluate(operand, matrix))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            function, _ = FUNCTIONS[name]
            return function(*(_evaluate(argument, matrix) for argument in arguments))
    raise AssertionError(node)


def _refuse_zero_division(tree: ast.expr, text: str) -> None:
    import sympy

    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            divisors = [
                sympy.sympify(_evaluate(node.right, matrix)) for matrix in _exact_matrices()
            ]
            if all(divisor == 0 for divisor in divisors):
                raise _error(text, node.right, "is always 0, and the formula divides by it")


def _exact_matrices() -> list[ConfusionMatrix]:
    """Whole numbers so large that what is 0 at all of them is 0 everywhere (Schwartz-Zippel)."""
    import sympy

    counts = np.random.default_rng(0).integers(10**6, 10**9, (4, 4))
    return [ConfusionMatrix(*map(sympy.Integer, row.tolist())) for row in counts]


def _refuse_constant(metric: Metric, text: str) -> None:
    counts = np.random.default_rng(0).uniform(0, 100, (4, 1000))
    values = np.broadcast_to(metric(ConfusionMatrix(*counts)), 1000)
    values = values[np.isfinite(values)]
    if not values.size:
        raise FormulaError(f"{text!r} is undefined for every confusion matrix: expected a metric")
    if np.ptp(values) <= 1e-12 * np.abs(values).max():
        shown = f"{values[0]:.6g}"
        raise FormulaError(f"{text!r} is {shown} for every confusion matrix: expected a metric")
