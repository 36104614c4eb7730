"""Reader of the text of a formula, which becomes a flat sequence of steps.

The shunting-yard algorithm (Dijkstra 1961) orders the operators as Python does. There is no
recursion, so that long or deeply nested texts exhaust nothing, and a text is never run.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from skewproof.core.confusion import CELLS
from skewproof.core.messages import shortened, shown
from skewproof.core.registry import nearest

SYMBOLS = (*CELLS, "P", "N")
"""Names of counts and class sizes in a formula."""

FUNCTIONS = {"sqrt": 1, "abs": 1, "log": 1, "exp": 1, "min": 2, "max": 2}
"""Functions that a formula may call, with their numbers of arguments."""

LONGEST = 10_000
"""Largest number of characters of a formula."""

LARGEST = 1e12
"""Largest number in a formula."""

HIGHEST = 16
"""Largest exponent in a formula; the exponents of powers of powers are multiplied."""

DEEPEST = 200
"""Largest number of values that wait for an operator at the same time."""

BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "negative": 3, "positive": 3, "**": 4}
"""Precedence of the operators; the last three are right-associative."""

UNARY = {"-": "negative", "+": "positive"}

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>\*\*|[-+*/(),]))",
    re.ASCII,
)


class FormulaError(ValueError):
    """A formula that is not a metric; the message says what is wrong and where."""


class Step(NamedTuple):
    """One step of a formula, which replaces values on top of a stack with its result."""

    operation: str
    """"number", a symbol, an operator or a function."""

    takes: int
    """Number of values that it takes."""

    number: float | None = None
    """The value of a number, or the exponent of a power."""

    divisor: tuple[int, int] | None = None
    """Start and end of the step's divisor in the text."""


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class _Value(NamedTuple):
    """Properties of a value on the stack before it is computed."""

    start: int
    end: int
    inner: tuple[int, int]
    """Start and end in the text without the enclosing parentheses."""
    degree: float = 1.0
    """The largest product of nested exponents."""
    number: float | None = None
    """The number itself, if the value is a signed number or a quotient of such numbers."""


def read_steps(
    text: str,
    symbols: Collection[str] = SYMBOLS,
    functions: Mapping[str, int] = FUNCTIONS,
) -> tuple[Step, ...]:
    """Read a formula.

    Parameters
    ----------
    text
        Arithmetic (``+ - * / **``, parentheses, numbers) of `symbols` and `functions`, without
        leading or trailing spaces.
    symbols
        The names that have a value.
    functions
        The names that can be called, with their numbers of arguments.

    Raises
    ------
    FormulaError
        If it is not such a formula.
    """
    if not text:
        raise FormulaError("the formula is empty: expected one such as 'tp/(tp + fp)'")
    if len(text) > LONGEST:
        raise FormulaError(f"the formula has {len(text)} characters: expected at most {LONGEST}")
    reader = _Reader(text, symbols, functions)
    tokens = _tokens(text)
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        reader.take(token, called=after is not None and after.text == "(")
    return reader.steps_at_end()


def error_at(text: str, start: int, end: int, message: str) -> FormulaError:
    """Build an error that quotes a part of a formula and its place, counted from 1."""
    part = shown(text[start:end])
    return FormulaError(f"{shown(text)}, character {start + 1}, {part}: {message}")


UNKNOWN = "expected a number, a count such as tp, one of + - * / ** or a function such as sqrt"
NOT_AN_OPERATOR = {"^": "not an operator; use **", "=": "a formula has no equals sign"}
"""Messages for signs of other languages, with what to write instead."""


def _tokens(text: str) -> list[_Token]:
    tokens, position = [], 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            position = len(text) - len(text[position:].lstrip())
            raise error_at(
                text, position, position + 1, NOT_AN_OPERATOR.get(text[position], UNKNOWN)
            )
        kind = str(match.lastgroup)
        tokens.append(_Token(kind, match[kind], *match.span(kind)))
        position = match.end()
    return tokens


class _Reader:
    """A parser that takes the tokens of a formula one by one."""

    def __init__(self, text: str, symbols: Collection[str], functions: Mapping[str, int]) -> None:
        self.text = text
        self.symbols = symbols
        self.functions = functions
        self.steps: list[Step] = []
        self.values: list[_Value] = []
        self.pending: list[_Token] = []
        """Pending operators, functions and open parentheses, the innermost last."""
        self.arguments: list[int] = []
        """The number of arguments begun in each open parenthesis."""
        self.expects_value = True

    def take(self, token: _Token, *, called: bool) -> None:
        """Take the next token; `called` tells that an open parenthesis follows."""
        if self.expects_value:
            self._take_value(token, called)
        elif token.text in BINDING:
            self._apply_pending(BINDING[token.text])
            self.pending.append(token)
            self.expects_value = True
        elif token.text == ",":
            self._next_argument(token)
        elif token.text == ")":
            self._close(token)
        else:
            raise self._error(token, "expected an operator before it")

    def steps_at_end(self) -> tuple[Step, ...]:
        """Return all steps, or refuse an incomplete formula."""
        if self.expects_value:
            end = len(self.text)
            raise error_at(self.text, end - 1, end, "expected a number, count or function after it")
        self._apply_pending(0)
        if self.pending:
            character = self.pending[-1].start + 1
            raise FormulaError(f"{shown(self.text)}, character {character}: '(' was never closed")
        return tuple(self.steps)

    def _error(self, token: _Token, message: str) -> FormulaError:
        return error_at(self.text, token.start, token.end, message)

    def _take_value(self, token: _Token, called: bool) -> None:
        if token.kind == "number":
            number = self._number(token)
            self._push(Step("number", 0, number), token, number)
        elif token.kind == "name":
            known = self.functions if called else self.symbols
            if token.text not in known:
                listed = shortened(", ".join(known))
                raise self._error(token, f"expected one of {listed}{nearest(token.text, known)}")
            if called:
                self.pending.append(token)
            else:
                self._push(Step(token.text, 0), token)
        elif token.text == "(":
            self.pending.append(token)
            self.arguments.append(1)
        elif token.text in UNARY:
            self.pending.append(token._replace(text=UNARY[token.text]))
        else:
            raise self._error(token, "expected a number, count or function in its place")

    def _number(self, token: _Token) -> float:
        try:
            value = float(token.text)
        except ValueError:
            raise self._error(token, "expected a number") from None
        if not value <= LARGEST:
            raise self._error(token, f"expected a number of at most {LARGEST:g}")
        return value

    def _push(self, step: Step, token: _Token, number: float | None = None) -> None:
        if len(self.values) == DEEPEST:
            message = f"expected at most {DEEPEST} values that wait for an operator"
            raise self._error(token, message)
        span = token.start, token.end
        self.steps.append(step)
        self.values.append(_Value(*span, span, number=number))
        self.expects_value = False

    def _apply_pending(self, binding: int) -> None:
        """Apply pending operators of higher precedence, or of equal one if left-associative."""
        while self.pending:
            strength = BINDING.get(self.pending[-1].text, -1)
            to_the_left = strength <= BINDING["*"]
            if strength < binding or (strength == binding and not to_the_left):
                return
            self._apply(self.pending.pop())

    def _apply(self, operator: _Token) -> None:
        right = self.values.pop()
        if operator.text in UNARY.values():
            step = Step(operator.text, 1)
            number = right.number
            if number is not None and operator.text == "negative":
                number = -number
            value = right._replace(start=operator.start, number=number)
        else:
            left = self.values.pop()
            step, value = self._binary(operator, left, right)
        self.steps.append(step)
        self.values.append(value._replace(inner=(value.start, value.end)))

    def _binary(self, operator: _Token, left: _Value, right: _Value) -> tuple[Step, _Value]:
        value = right._replace(start=left.start, degree=max(left.degree, right.degree), number=None)
        if operator.text == "/":
            if left.number is not None and right.number:
                value = value._replace(number=left.number / right.number)
            return Step("/", 2, divisor=right.inner), value
        if operator.text != "**":
            return Step(operator.text, 2), value
        if right.number is None:
            raise error_at(self.text, *right.inner, "expected a number as exponent")
        degree = left.degree * max(1.0, abs(right.number))
        if not degree <= HIGHEST:
            message = f"expected powers of at most {HIGHEST} in all"
            raise error_at(self.text, value.start, value.end, message)
        divisor = left.inner if right.number < 0 else None
        return Step("**", 2, right.number, divisor), value._replace(degree=degree)

    def _next_argument(self, comma: _Token) -> None:
        self._apply_pending(0)
        if len(self.pending) < 2 or self.pending[-2].text not in self.functions:
            raise self._error(comma, "expected a comma only between the arguments of a function")
        self.arguments[-1] += 1
        self.expects_value = True

    def _close(self, closing: _Token) -> None:
        self._apply_pending(0)
        if not self.pending:
            raise self._error(closing, "it closes no parenthesis")
        start, given = self.pending.pop().start, self.arguments.pop()
        if not (self.pending and self.pending[-1].text in self.functions):
            self.values[-1] = self.values[-1]._replace(start=start, end=closing.end)
            return
        name = self.pending.pop()
        count = self.functions[name.text]
        if given != count:
            message = f"{name.text} takes {count} argument{'s' * (count > 1)}"
            raise error_at(self.text, name.start, closing.end, message)
        degree = max(value.degree for value in self.values[-count:])
        del self.values[-count:]
        span = name.start, closing.end
        self.steps.append(Step(name.text, count))
        self.values.append(_Value(*span, span, degree))
