"""Intervals that enclose all values of a metric on boxes of classifiers, for many boxes at a time.

Each operation of the metric is done on intervals of floats, which are rounded outward after every
step. In addition to an operation's values, its slopes on the box and its value at the box's center
are enclosed. By the mean value theorem they yield a second enclosure of the values (the mean value
form, Moore 1966), with which the first is intersected. Numbers below 1e-290, whose last digits
underflow, are not rounded outward. A constant that a float does not hold exactly, such as 0.1, is
an interval that contains the decimal number and the float.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.sensitivity.quadrature.computational_graph import ComputationalGraph, Node

ONE_ROUNDING = 2.3e-16
"""Upper bound of the relative distance of a float from the next one."""

FEW_ROUNDINGS = 16 * ONE_ROUNDING
"""Upper bound of the relative error of NumPy's logarithms, exponentials and powers, which is below
4 units in the last place."""


LARGEST = float(np.finfo(np.float64).max)


class NotEnclosedError(Exception):
    """An error for a metric with an operation that has no enclosure here."""


class Interval(NamedTuple):
    """Lower and upper ends, arrays that broadcast against each other."""

    low: Array
    high: Array

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __add__(self, other: Any) -> Interval:
        return _outward(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return _outward(self.low - other.high, self.high - other.low)

    def __mul__(self, other: Any) -> Interval:
        if all((x.low >= 0).all() and (x.high <= LARGEST).all() for x in (self, other)):
            return _outward(self.low * other.low, self.high * other.high)
        products = [first * second for first in self for second in other]
        # Zero times infinity is undefined; the other ends cover the products near it.
        low, high = (
            fold(fold(products[0], products[1]), fold(products[2], products[3]))
            for fold in (np.minimum, np.maximum)
        )
        unknown = np.isnan(low)
        if unknown.any():
            products = [np.where(np.isnan(product), 0.0, product) for product in products]
            low, high = np.min(products, axis=0), np.max(products, axis=0)
        return _outward(low, high)

    def inverse(self) -> Interval:
        """Invert the interval; the result is the whole line if 0 is inside."""
        if (self.low > 0).all():
            return _outward(1 / self.high, 1 / self.low)
        low, high = 1 / self.high, 1 / self.low
        low = np.where(self.high == 0, -np.inf, low)
        high = np.where(self.low == 0, np.inf, high)
        inside = (self.low <= 0) & (self.high >= 0) & ((self.low < 0) == (self.high > 0))
        return _outward(np.where(inside, -np.inf, low), np.where(inside, np.inf, high))

    def within(self, other: Interval) -> Interval:
        """Intersect two enclosures of the same number; NaN ends are ignored."""
        return Interval(np.fmax(self.low, other.low), np.fmin(self.high, other.high))

    def hull(self, other: Interval) -> Interval:
        """Compute the smallest interval that contains both."""
        return Interval(np.minimum(self.low, other.low), np.maximum(self.high, other.high))

    def where(self, condition: NDArray[np.bool_], other: Interval) -> Interval:
        """Select this interval where a condition holds, and the other elsewhere."""
        return Interval(
            np.where(condition, self.low, other.low), np.where(condition, self.high, other.high)
        )


def _outward(low: Array, high: Array, share: float = ONE_ROUNDING) -> Interval:
    # An overflow is a large number, which is not infinite.
    return Interval(
        np.minimum(low - share * np.abs(low), LARGEST),
        np.maximum(high + share * np.abs(high), -LARGEST),
    )


def _number(number: Any) -> Interval:
    value = np.asarray(number, dtype=np.float64)
    return Interval(value, value)


WHOLE_LINE = Interval(np.array(-np.inf), np.array(np.inf))

ONE = _number(1.0)

SIGNS = Interval(np.array(-1.0), np.array(1.0))


class Enclosed(NamedTuple):
    """Enclosures of an operation's result on boxes."""

    values: Interval
    """Shape (boxes,): the values."""

    slopes: Interval
    """Shape (2, boxes): the slopes by the rates u and v, of Clarke's generalized gradient."""

    center: Interval
    """Shape (boxes,): the value in the middle."""


class Boxes(NamedTuple):
    """Rectangles in the square of the rates, with class sizes."""

    rates: Interval
    """The rates, shape (2, boxes)."""

    complements: Interval
    """1 minus the rates, exact up to rounding outward."""

    sizes: Array
    """Shape (2, boxes): P and N."""


def enclosed(graph: ComputationalGraph, boxes: Boxes) -> Enclosed:
    """Enclose a metric on boxes.

    Parameters
    ----------
    graph
        The metric's operations for all class sizes.
    boxes
        The boxes.

    Raises
    ------
    NotEnclosedError
        If the metric has an operation that is not enclosed.
    """
    if not isinstance(graph.output, Node):
        raise NotEnclosedError("a constant")
    center, reach = _middles(boxes)
    known = dict(enumerate(_leaves(boxes, center)))
    with np.errstate(all="ignore"):
        for number in graph.order([graph.output]):
            step = graph.steps[number]
            assert step is not None
            rule = RULES.get(step.function)
            if rule is None or step.options:
                raise NotEnclosedError(f"{step.function} has no enclosure")
            inputs = [_known(part, known) for part in step.inputs]
            result = rule(*inputs, reach)
            if step.function is np.true_divide:
                rest = _rest(graph, *step.inputs)
                if rest is not None:
                    result = _share(
                        inputs[0], inputs[1], result, [_known(part, known) for part in rest]
                    )
            known[number] = result._replace(values=result.values.within(_linear(result, reach)))
    return known[graph.output.number]


def _middles(boxes: Boxes) -> tuple[tuple[Interval, Interval], Interval]:
    """Compute the middles of boxes, their complements, and the rates' differences from them."""
    small = boxes.rates.high <= 0.5
    middle = (boxes.rates.low + boxes.rates.high) / 2
    other = (boxes.complements.low + boxes.complements.high) / 2
    rate = _number(middle).where(small, ONE - _number(other))
    complement = (ONE - _number(middle)).where(small, _number(other))
    reach = (boxes.rates - rate).where(small, complement - boxes.complements)
    return (rate, complement), reach


def _leaves(boxes: Boxes, middles: tuple[Interval, Interval]) -> list[Enclosed]:
    """Enclose tp, fp, fn, tn, P and N."""
    leaves, zeros = [], np.zeros(boxes.sizes.shape[1])
    for sign, rates, middle in (
        (1.0, boxes.rates, middles[0]),
        (-1.0, boxes.complements, middles[1]),
    ):
        for axis in (0, 1):
            size = _number(boxes.sizes[axis])
            slope = np.zeros_like(boxes.sizes)
            slope[axis] = sign * boxes.sizes[axis]
            values, center = (Interval(x.low[axis], x.high[axis]) * size for x in (rates, middle))
            leaves.append(Enclosed(values, _number(slope), center))
    for axis in (0, 1):
        size = _number(boxes.sizes[axis])
        leaves.append(Enclosed(size, _number(np.zeros((2, zeros.size))), size))
    return leaves


def _known(part: Any, known: dict[int, Enclosed]) -> Enclosed:
    return known[part.number] if isinstance(part, Node) else _constant(part)


def _constant(value: Any) -> Enclosed:
    if isinstance(value, bool | np.bool_) or not np.isscalar(value):
        raise NotEnclosedError(f"{type(value)} is not a number")
    number = _number(value)
    if Decimal(repr(float(number.low))) != Decimal(float(number.low)):
        number = _outward(number.low, number.high, FEW_ROUNDINGS)
    return Enclosed(number, _number(np.zeros((2, 1))), number)


def _linear(a: Enclosed, reach: Interval) -> Interval:
    """Compute the mean value form."""
    part = a.slopes * reach
    return a.center + Interval(part.low[0], part.high[0]) + Interval(part.low[1], part.high[1])


Rule = Callable[..., Enclosed]


def _add(a: Enclosed, b: Enclosed, reach: Interval) -> Enclosed:
    return Enclosed(a.values + b.values, a.slopes + b.slopes, a.center + b.center)


def _subtract(a: Enclosed, b: Enclosed, reach: Interval) -> Enclosed:
    return Enclosed(a.values - b.values, a.slopes - b.slopes, a.center - b.center)


def _multiply(a: Enclosed, b: Enclosed, reach: Interval) -> Enclosed:
    if a is b:
        return _square(a, reach)
    slopes = a.slopes * b.values + b.slopes * a.values
    return Enclosed(a.values * b.values, slopes, a.center * b.center)


def _divide(a: Enclosed, b: Enclosed, reach: Interval) -> Enclosed:
    inverse = b.values.inverse()
    quotient = a.values * inverse
    slopes = (a.slopes - quotient * b.slopes) * inverse
    return Enclosed(quotient, slopes, a.center * b.center.inverse())


def _share(a: Enclosed, b: Enclosed, quotient: Enclosed, rest: list[Enclosed]) -> Enclosed:
    """Enclose a/b if b is a plus a rest, as 1/(1 + rest/a), which is in [0, 1] for positive a and
    rest."""
    left = rest[0]
    for term in rest[1:]:
        left = _add(left, term, left.values)
    fits = (a.values.low >= 0) & (left.values.low >= 0)
    share = Interval(
        np.where(left.values.high == 0, 1.0, 1 / (1 + left.values.high / a.values.low)),
        np.where(a.values.high == 0, 0.0, 1 / (1 + left.values.low / a.values.high)),
    )
    share = _outward(share.low, share.high, 4 * ONE_ROUNDING)
    inverse = b.values.inverse()
    slopes = (a.slopes * left.values - left.slopes * a.values) * (inverse * inverse)
    values = quotient.values.within(share.where(fits, WHOLE_LINE))
    return quotient._replace(values=values, slopes=quotient.slopes.within(slopes))


def _rest(graph: ComputationalGraph, numerator: Any, denominator: Any) -> list[Any] | None:
    """List the terms that a denominator has in addition to its numerator, or return None."""
    terms = _terms(graph, denominator)
    for term in _terms(graph, numerator):
        if term not in terms:
            return None
        terms.remove(term)
    return terms or None


def _terms(graph: ComputationalGraph, part: Any) -> list[Any]:
    """List the nodes and numbers whose sum is a node."""
    step = graph.steps[part.number] if isinstance(part, Node) else None
    if step is None or step.function is not np.add:
        return [part]
    return [term for operand in step.inputs for term in _terms(graph, operand)]


def _negative(a: Enclosed, reach: Interval) -> Enclosed:
    return Enclosed(-a.values, -a.slopes, -a.center)


def _positive(a: Enclosed, reach: Interval) -> Enclosed:
    return a


def _rising(
    function: Callable[[Array], Array], least: float, share: float
) -> Callable[[Interval], Interval]:
    """Extend an increasing function to intervals; below `least` it is undefined."""

    def apply(a: Interval) -> Interval:
        return _outward(
            function(np.maximum(a.low, least)), function(np.maximum(a.high, least)), share
        )

    return apply


_root = _rising(np.sqrt, 0.0, ONE_ROUNDING)
_logarithm = _rising(np.log, 0.0, FEW_ROUNDINGS)
_exponential = _rising(np.exp, -np.inf, FEW_ROUNDINGS)


def _defined(slopes: Interval, where: NDArray[np.bool_]) -> Interval:
    """Replace slopes with unknown ones where a function is not defined on all of a box."""
    return slopes.where(where, WHOLE_LINE)


def _sqrt(a: Enclosed, reach: Interval) -> Enclosed:
    values = _root(a.values)
    slopes = a.slopes * (values.inverse() * _number(0.5))
    return Enclosed(values, _defined(slopes, a.values.low >= 0), _root(a.center))


def _log(a: Enclosed, reach: Interval) -> Enclosed:
    slopes = _defined(a.slopes * a.values.inverse(), a.values.low >= 0)
    return Enclosed(_logarithm(a.values), slopes, _logarithm(a.center))


def _exp(a: Enclosed, reach: Interval) -> Enclosed:
    values = _exponential(a.values)
    return Enclosed(values, a.slopes * values, _exponential(a.center))


def _size(a: Interval) -> Interval:
    """Enclose absolute values."""
    ends = np.abs(a.low), np.abs(a.high)
    least = np.where((a.low <= 0) & (a.high >= 0), 0.0, np.minimum(*ends))
    return Interval(least, np.maximum(*ends))


def _square_of(a: Interval) -> Interval:
    low, high = _size(a)
    return _outward(low * low, high**2)


def _square(a: Enclosed, reach: Interval) -> Enclosed:
    slopes = a.slopes * (a.values * _number(2.0))
    return Enclosed(_square_of(a.values), slopes, _square_of(a.center))


def _absolute(a: Enclosed, reach: Interval) -> Enclosed:
    sign = ONE.where(a.values.low > 0, (-ONE).where(a.values.high < 0, SIGNS))
    return Enclosed(_size(a.values), a.slopes * sign, _size(a.center))


def _minimum(a: Enclosed, b: Enclosed, reach: Interval) -> Enclosed:
    values, center = (
        Interval(np.minimum(x.low, y.low), np.minimum(x.high, y.high))
        for x, y in ((a.values, b.values), (a.center, b.center))
    )
    first, second = a.values.high < b.values.low, b.values.high < a.values.low
    slopes = a.slopes.where(first, b.slopes.where(second, a.slopes.hull(b.slopes)))
    high = np.fmin(values.high, _blended(a, b, reach))
    return Enclosed(Interval(values.low, high), slopes, center)


def _maximum(a: Enclosed, b: Enclosed, reach: Interval) -> Enclosed:
    return _negative(_minimum(_negative(a, reach), _negative(b, reach), reach), reach)


def _blended(a: Enclosed, b: Enclosed, reach: Interval) -> Array:
    """Bound a minimum from above by a mean of both arguments.

    The weights are such that the mean has hardly a slope along one of the rates; the bound is
    infinite if there are no such weights.
    """
    ends = np.array(np.inf)
    slopes_a, slopes_b = ((x.slopes.low + x.slopes.high) / 2 for x in (a, b))
    weights = slopes_b / (slopes_b - slopes_a)
    for axis in (0, 1):
        known = (weights[axis] > 0) & (weights[axis] < 1)
        weight = np.where(known, weights[axis], 0.5)
        weight_a, weight_b = _number(weight), ONE - _number(weight)
        mean = Enclosed(
            WHOLE_LINE,
            a.slopes * weight_a + b.slopes * weight_b,
            a.center * weight_a + b.center * weight_b,
        )
        ends = np.fmin(ends, _linear(mean, reach).high)
    return ends


def _power(a: Enclosed, b: Enclosed, reach: Interval) -> Enclosed:
    if b.values.low.ndim:
        raise NotEnclosedError("an exponent that is not a number")
    # Powers are monotone in the exponent; its own rounding is far below the one that is added.
    ends = (_constant_power(a, float(end), reach) for end in b.values)
    hulls = (first.hull(last) for first, last in zip(*ends, strict=True))
    return Enclosed(*(_outward(hull.low, hull.high, FEW_ROUNDINGS) for hull in hulls))


def _constant_power(a: Enclosed, exponent: float, reach: Interval) -> Enclosed:
    if exponent < 0:
        return _divide(_constant(1.0), _constant_power(a, -exponent, reach), reach)
    if exponent == 1:
        return a
    if exponent == 2:
        return _square(a, reach)
    values, center = (_positive_power(interval, exponent) for interval in (a.values, a.center))
    slopes = a.slopes * (_positive_power(a.values, exponent - 1) * _number(exponent))
    if exponent < 1:
        slopes = a.slopes * (values * a.values.inverse() * _number(exponent))
    if exponent % 1:
        slopes = _defined(slopes, a.values.low >= 0)
    return Enclosed(values, slopes, center)


def _positive_power(a: Interval, exponent: float) -> Interval:
    low, high = a
    if exponent % 1:
        low, high = np.maximum(low, 0.0), np.maximum(high, 0.0)
    elif exponent % 2 == 0:
        low, high = _size(a)
    return _outward(np.power(low, exponent), np.power(high, exponent), FEW_ROUNDINGS)


RULES: dict[Any, Rule] = {
    np.add: _add,
    np.subtract: _subtract,
    np.multiply: _multiply,
    np.true_divide: _divide,
    np.negative: _negative,
    np.positive: _positive,
    np.sqrt: _sqrt,
    np.log: _log,
    np.exp: _exp,
    np.square: _square,
    np.absolute: _absolute,
    np.minimum: _minimum,
    np.maximum: _maximum,
    np.power: _power,
}
"""Functions that enclose operations."""
