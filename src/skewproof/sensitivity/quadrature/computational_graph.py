"""A metric's operations on arrays as a computational graph, recorded from one evaluation.

A metric, whether from a text or a function, calls operations on arrays. It is evaluated once on
arrays that record the operations from which they result. These operations can be run again at other
points, and show where the metric has kinks.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.confusion import CELLS, ConfusionMatrix, matrix_of
from skewproof.core.metric import Metric

CHOICES = {np.minimum: 1, np.fmin: 1, np.maximum: -1, np.fmax: -1}
"""Operations that return one of two arguments, with the sign that turns them into a minimum."""

JUMPS = {np.less, np.less_equal, np.greater, np.greater_equal, np.sign}
"""Operations with a jump."""

DIFFERENCES = {*CHOICES, *JUMPS} - {np.sign}
"""Operations with a kink or jump where both arguments are equal."""

PASSING = {*CHOICES, np.absolute, np.fabs, np.negative}
"""Operations whose result has the rounding error of their arguments."""

ZEROS = {np.absolute, np.fabs, np.sign, np.square, np.exp}
"""Operations with a kink or jump where their argument is 0. Squares and exponentials have none, but
where their argument is 0 a formula may have a peak or a step that is too thin to be detected from
elsewhere, as 1/(1 + exp(fp - tp)) has."""

LEAVES = (*CELLS, "P", "N")
"""Inputs of a graph; a graph recorded for given class sizes needs only the counts."""

TIED = 1e-12
"""Largest difference, relative to its parts, whose sign is unknown."""


TIED_AT_ROOT = 1e-7
"""The same at a kink, whose place is not known to the last digit."""


@dataclass(frozen=True, slots=True)
class Node:
    """A reference to a step's result by the number of the step."""

    number: int


class Step(NamedTuple):
    """An operation, with nodes in place of earlier steps' results."""

    function: Callable[..., Any]
    inputs: tuple[Any, ...]
    options: dict[str, Any]

    nested: bool
    """True if nodes may also stand in options, or in lists among the inputs."""

    @property
    def nodes(self) -> list[Node]:
        """The nodes of the earlier steps that it needs."""
        return _nodes((self.inputs, self.options))

    def result(self, values: dict[int, Any]) -> Any:
        """Run the operation on the results of earlier steps, by their numbers."""
        if not self.nested:
            return self.function(*[values[x.number] if type(x) is Node else x for x in self.inputs])
        inputs, options = mapped(
            (self.inputs, self.options), lambda x: values[x.number] if type(x) is Node else x
        )
        return self.function(*inputs, **options)


@dataclass
class Kink:
    """A function whose zeros are kinks."""

    zero: Node
    parts: tuple[Any, ...]
    """Nodes and numbers whose absolute values add up to the size of the function's terms."""

    users: list[int] = field(default_factory=list)
    """Numbers of the steps that have the kink."""


@dataclass
class ComputationalGraph:
    """The operations of a metric and its kinks, in the order of evaluation."""

    steps: list[Step | None]
    output: Any
    kinks: list[Kink]

    def __post_init__(self) -> None:
        self._orders: dict[tuple[int, ...], list[int]] = {}

    def run(self, counts: tuple[Array, ...], wanted: Iterable[Any]) -> tuple[dict[int, Any], int]:
        """Run the steps that the wanted nodes need; return results by number, and their count.

        The counts are the first four of :data:`LEAVES`, or all six, of one shape (points,).
        """
        order = self.order(wanted)
        values: dict[int, Any] = dict(enumerate(counts))
        with np.errstate(all="ignore"):
            for number in order:
                step = self.steps[number]
                assert step is not None  # leaves are no part of an order
                values[number] = step.result(values)
        return values, len(order)

    def order(self, nodes: Iterable[Any]) -> list[int]:
        """List the numbers of the steps that the wanted nodes need, in order."""
        wanted = tuple(part.number for part in nodes if isinstance(part, Node))
        if wanted not in self._orders:
            needed, waiting = set(), list(wanted)
            while waiting:
                number = waiting.pop()
                step = self.steps[number]
                if step is not None and number not in needed:
                    needed.add(number)
                    waiting.extend(node.number for node in step.nodes)
            self._orders[wanted] = sorted(needed)
        return self._orders[wanted]

    @cached_property
    def jumps(self) -> bool:
        """True if an operation has a jump."""
        return any(step is not None and step.function in JUMPS for step in self.steps)

    def used(self, values: dict[int, Any], points: int) -> NDArray[np.bool_]:
        """Return whether the output depends on the kinks, shape (kinks, points).

        For example, a minimum does not depend on its larger argument.
        """
        use = {self.output.number: np.ones(points, dtype=bool)}
        for number in reversed(self.order([self.output])):
            step = self.steps[number]
            if step is None or number not in use:
                continue
            for node, mask in self._passed(step, values, use[number]):
                use[node.number] = use.get(node.number, False) | mask
        of_kinks = np.zeros((len(self.kinks), points), dtype=bool)
        for used, kink in zip(of_kinks, self.kinks, strict=True):
            for user in kink.users:
                used |= use.get(user, False)
        return of_kinks

    def _passed(self, step: Step, values: dict[int, Any], use: Any) -> list[tuple[Node, Any]]:
        """List the nodes on which a step depends, each with the points where it does."""
        if step.function not in CHOICES:
            return [(node, use) for node in step.nodes]
        left, right = (values[x.number] if isinstance(x, Node) else x for x in step.inputs)
        parts = [y for x in step.inputs for y in parts_of(self.steps, x)]
        with np.errstate(all="ignore"):
            difference = CHOICES[step.function] * (left - right)
            tie = TIED_AT_ROOT * size_of(parts, values)
            masks = use & ~(difference > tie), use & ~(difference < -tie)
        return [
            (x, mask) for x, mask in zip(step.inputs, masks, strict=True) if isinstance(x, Node)
        ]


def size_of(parts: Iterable[Any], values: dict[int, Any]) -> Any:
    """Add the absolute values of nodes and numbers."""
    return sum(np.abs(values[x.number] if isinstance(x, Node) else x) for x in parts)


def parts_of(steps: list[Step | None], part: Any) -> tuple[Any, ...]:
    """List the terms from which a value was computed, whose rounding error it has."""
    step = steps[part.number] if isinstance(part, Node) else None
    if step is not None and step.function in (np.add, np.subtract):
        return step.inputs
    if step is not None and step.function in PASSING:
        return tuple({term for x in step.inputs for term in parts_of(steps, x)})
    return (part,)


def mapped(tree: Any, function: Callable[[Any], Any]) -> Any:
    """Apply a function to the entries of nested tuples, lists and dictionaries."""
    if isinstance(tree, dict):
        return {key: mapped(part, function) for key, part in tree.items()}
    if isinstance(tree, list | tuple):
        return type(tree)(mapped(part, function) for part in tree)
    return function(tree)


def _entries(tree: Any) -> list[Any]:
    """List the entries of nested tuples, lists and dictionaries."""
    entries: list[Any] = []
    mapped(tree, entries.append)
    return entries


def _nodes(tree: Any) -> list[Node]:
    return [part for part in _entries(tree) if isinstance(part, Node)]


class NotTracedError(Exception):
    """An error for a metric of which some operations on arrays are not recorded."""

    kinked = False
    """True if a recorded operation has a kink."""


class _Traced(np.ndarray):
    """An array with the number of the step from which it results."""

    recorder: Any
    node: Any

    def __array_finalize__(self, other: Any) -> None:
        self.recorder = getattr(other, "recorder", None)
        self.node = None

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        options.pop("out", None)
        if method == "at":
            raise NotTracedError("an operation in place")
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        recorder = _recorder_of((inputs, options))
        result = recorder.record(function, inputs, options)
        if not isinstance(result, _Traced):
            return result
        if method == "__call__":
            recorder.note(ufunc, [recorder.reference(part) for part in inputs], result.node)
        elif method == "reduce" and ufunc in DIFFERENCES:
            axis = options.get("axis", 0)
            among = [
                recorder.record(np.take, (inputs[0], position), {"axis": axis}).node
                for position in range(inputs[0].shape[axis])
            ]
            for position, later in enumerate(among):
                for earlier in among[:position]:
                    recorder.note(ufunc, [earlier, later], result.node)
        return result

    def __array_function__(self, function: Any, types: Any, inputs: Any, options: Any) -> Any:
        if function is np.broadcast_to and tuple(inputs[1:2]) == (np.shape(inputs[0]),):
            return inputs[0]
        with contextlib.suppress(NotTracedError):
            result = super().__array_function__(function, types, inputs, options)
            if isinstance(result, _Traced) and result.node is not None:
                return result
        return _recorder_of((inputs, options)).record(function, inputs, options)

    def __setitem__(self, mask: Any, value: Any) -> None:
        if np.shape(mask) != self.shape or np.shape(value) not in ((), self.shape):
            raise NotTracedError("an assignment")
        before = self.view()
        before.node = self.node
        changed = self.recorder.record(np.where, (mask, value, before), {})
        np.asarray(self)[...] = np.asarray(changed)
        self.node = changed.node


def _recorder_of(tree: Any) -> _Recorder:
    return next(part.recorder for part in _entries(tree) if isinstance(part, _Traced))


class _Recorder:
    """A record of the operations on traced arrays."""

    def __init__(self) -> None:
        self.steps: list[Step | None] = [None] * len(LEAVES)
        self.known: dict[Any, int] = {}
        self.kinks: dict[int, Kink] = {}

    def leaf(self, number: int, values: Array) -> _Traced:
        result = values.view(_Traced)
        result.recorder, result.node = self, Node(number)
        return result

    def reference(self, part: Any) -> Any:
        """Return the node of a traced array, and any other value as it is."""
        if not isinstance(part, _Traced):
            same = isinstance(part, np.ndarray) and part.size and (part == part.flat[0]).all()
            return part.flat[0] if same else part
        if part.node is None:
            raise NotTracedError("a part of an array")
        return part.node

    def record(self, function: Any, inputs: Any, options: Any) -> Any:
        plain, keywords = (
            mapped(tree, lambda part: np.asarray(part) if isinstance(part, _Traced) else part)
            for tree in (inputs, options)
        )
        with np.errstate(all="ignore"):
            result = function(*plain, **keywords)
        if not isinstance(result, np.ndarray) or result.shape == ():
            return result  # a shape, or a number from a whole array, which other points reveal
        traced = np.array(result).view(_Traced)
        traced.recorder = self
        traced.node = self.step(
            function, mapped(inputs, self.reference), mapped(options, self.reference)
        )
        return traced

    def step(self, function: Any, inputs: tuple[Any, ...], options: dict[str, Any]) -> Node:
        """Return the node of a step, which is new unless an equal step exists."""
        key: Any = (function, tuple((type(x), x) for x in inputs), repr(options) if options else "")
        try:
            hash(key)
        except TypeError:
            key = len(self.steps)
        if key not in self.known:
            self.known[key] = len(self.steps)
            nested = bool(options) or any(isinstance(x, list | tuple | dict) for x in inputs)
            self.steps.append(Step(function, inputs, options, nested))
        return Node(self.known[key])

    def note(self, ufunc: Any, inputs: list[Any], user: Node) -> None:
        """Note the functions whose zeros are kinks of an operation."""
        first, *others = inputs
        zeros: list[Any] = []
        if ufunc in ZEROS or (ufunc is np.power and _is_even(others[0])):
            zeros = [first]
        elif ufunc is np.multiply:
            zeros = self._factors(first, others[0])
        elif ufunc in DIFFERENCES or ufunc.__name__ == "clip":
            for other in others:
                terms = *parts_of(self.steps, first), *parts_of(self.steps, other)
                self._add(self._difference(first, other), terms, user)
        for zero in zeros:
            self._add(zero, parts_of(self.steps, zero), user)

    def _factors(self, first: Any, second: Any) -> list[Node]:
        """Return the factor of a square, or two differences, which may be nearly the same."""
        if isinstance(first, Node) and isinstance(second, Node) and first == second:
            return [first]
        factors = [factor for factor in map(self._factor, (first, second)) if factor is not None]
        return factors if len(factors) == 2 else []

    def _factor(self, part: Any) -> Node | None:
        """Return the difference that a part is up to a constant factor, or None."""
        step = self.steps[part.number] if isinstance(part, Node) else None
        if step is None or step.function is np.subtract:
            return None if step is None else Node(part.number)
        if step.function is np.multiply and not all(isinstance(x, Node) for x in step.inputs):
            return next(filter(None, map(self._factor, step.inputs)), None)
        return None

    def _add(self, zero: Any, parts: tuple[Any, ...], user: Node) -> None:
        if isinstance(zero, Node):
            kink = self.kinks.setdefault(zero.number, Kink(zero, parts))
            kink.users.append(user.number)

    def _difference(self, left: Any, right: Any) -> Any:
        if isinstance(left, Node) and not isinstance(right, Node) and np.all(right == 0):
            return left
        if isinstance(right, Node) and not isinstance(left, Node) and np.all(left == 0):
            return right
        turned = (np.subtract, ((type(right), right), (type(left), left)), "")
        if turned in self.known:
            return Node(self.known[turned])
        return self.step(np.subtract, (left, right), {})


def _is_even(exponent: Any) -> bool:
    real = isinstance(exponent, int | float | np.integer | np.floating)
    return real and exponent != 0 and float(exponent) % 2 == 0


class _TracedMatrix(ConfusionMatrix):
    """A confusion matrix of traced arrays."""

    def __post_init__(self) -> None:
        """Keep the counts, which are valid."""

    @property
    def rates(self) -> ConfusionMatrix:
        matrix = _TracedMatrix(tp=self.tpr, fp=self.fpr, fn=self.fnr, tn=self.tnr)
        matrix.__dict__.update(positives=1.0, negatives=1.0)
        return matrix


def traced(metric: Metric, positives: float, negatives: float) -> ComputationalGraph:
    """Record the operations of a metric for classes of given sizes.

    Raises
    ------
    NotTracedError
        If some are not recorded, for example because the metric accesses single entries of arrays.
    """
    return _noted(metric, np.float64(positives), np.float64(negatives))


def traced_at_all_sizes(metric: Metric) -> ComputationalGraph:
    """Record the operations of a metric as a graph that takes the class sizes as well.

    Raises
    ------
    NotTracedError
        As :func:`traced`.
    """
    return _noted(metric, *np.random.default_rng(1).uniform(1, 1000, (2, 64)))


def _noted(metric: Metric, positives: Any, negatives: Any) -> ComputationalGraph:
    recorder = _Recorder()
    u, v = np.random.default_rng(0).random((2, 64))
    leaves = [positives * u, negatives * v, positives * (1 - u), negatives * (1 - v)]
    if positives.ndim:
        leaves += [positives, negatives]
    counts = [recorder.leaf(number, part) for number, part in enumerate(leaves)]
    tp, fp, fn, tn = counts[:4]
    matrix = _TracedMatrix(tp=tp, fp=fp, fn=fn, tn=tn)
    # The sums of the rates and their complements are 1 up to rounding.
    sizes = counts[4:] or (positives, negatives)
    matrix.__dict__.update(positives=sizes[0], negatives=sizes[1])
    try:
        with np.errstate(all="ignore"):
            output = recorder.reference(metric.formula(matrix))
        graph = ComputationalGraph(recorder.steps, output, list(recorder.kinks.values()))
        _check(graph, metric, tuple(part[::-1][:37] for part in leaves))
    except (NotTracedError, ValueError, TypeError, IndexError) as error:
        not_traced = NotTracedError(str(error))
        users = [recorder.steps[user] for kink in recorder.kinks.values() for user in kink.users]
        # Exponentials are smooth: a formula without other kinks is integrated as one piece.
        not_traced.kinked = any(step is not None and step.function is not np.exp for step in users)
        raise not_traced from None
    return graph


def _check(graph: ComputationalGraph, metric: Metric, counts: tuple[Array, ...]) -> None:
    """Refuse a graph whose values differ from the metric's."""
    with np.errstate(all="ignore"):
        expected = np.broadcast_to(metric(matrix_of(counts[:4])), counts[0].shape)
    values, _ = graph.run(counts, [graph.output])
    output = graph.output
    computed = np.broadcast_to(
        values[output.number] if isinstance(output, Node) else output, expected.shape
    )
    if not np.allclose(computed, expected, rtol=1e-9, equal_nan=True):
        raise NotTracedError("they depend on the points")
