"""A metric as a list of array operations, each done once, and only those that a part needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from skewproof.core.algebra import Array

CHOICES = {np.minimum: 1, np.fmin: 1, np.maximum: -1, np.fmax: -1}
"""Operations that pass on one of two arguments: the lesser of both times the sign."""

JUMPS = {np.less, np.less_equal, np.greater, np.greater_equal, np.sign}
"""Operations that jump."""

DIFFERENCES = {*CHOICES, *JUMPS} - {np.sign}
"""Operations with a kink or jump where both arguments are equal."""

PASSING = {*CHOICES, np.absolute, np.fabs, np.negative}
"""Operations whose result has the rounding of their arguments."""

LEAVES = ("tp", "fp", "fn", "tn", "P", "N")
"""What a program begins with; one that was noted for given class sizes needs the counts alone."""

TIED = 1e-12
"""A difference this small, relative to its parts, has no sign."""


TIED_AT_ROOT = 1e-7
"""The same where a kink is, whose place is not known to the last digit."""


class Node(NamedTuple):
    """A step's result, by the number of the step."""

    number: int


class Step(NamedTuple):
    """An operation, with nodes in the places of what earlier steps give."""

    function: Callable[..., Any]
    inputs: tuple[Any, ...]
    options: dict[str, Any]


@dataclass
class Kink:
    """A function whose zeros are kinks."""

    zero: Node
    parts: tuple[Any, ...]
    """Nodes and numbers whose sizes add up to that of the terms from which it arose."""

    users: list[int] = field(default_factory=list)
    """Steps that have the kink."""


@dataclass
class Program:
    """The operations of a metric, and its kinks in the order of evaluation."""

    steps: list[Step | None]
    output: Any
    kinks: list[Kink]

    def __post_init__(self) -> None:
        self._orders: dict[tuple[int, ...], list[int]] = {}

    def run(self, counts: tuple[Array, ...], wanted: Iterable[Any]) -> tuple[dict[int, Any], int]:
        """Results of the steps that the wanted nodes need, by number, and how many these are.

        The counts are the first four of :data:`LEAVES`, or all six, of one shape (points,).
        """
        order = self.order(wanted)
        values: dict[int, Any] = dict(enumerate(counts))
        with np.errstate(all="ignore"):
            for number in order:
                function, numbers, constants, step = self._calls[number]
                if step is None:
                    values[number] = function(
                        *[
                            constant if place is None else values[place]
                            for place, constant in zip(numbers, constants, strict=True)
                        ]
                    )
                else:
                    inputs, options = (_filled_in(x, values) for x in (step.inputs, step.options))
                    values[number] = function(*inputs, **options)
        return values, len(order)

    @cached_property
    def _calls(self) -> list[Any]:
        """Of each step its function and inputs, by number or constant, or the step itself where it
        has options or inputs within others."""
        calls: list[Any] = []
        for step in self.steps:
            if step is None:
                calls.append(None)
                continue
            plain = not step.options and not any(
                isinstance(x, list | tuple | dict) and not isinstance(x, Node) for x in step.inputs
            )
            numbers = [x.number if isinstance(x, Node) else None for x in step.inputs]
            calls.append((step.function, numbers, step.inputs, None if plain else step))
        return calls

    def order(self, nodes: Iterable[Any]) -> list[int]:
        """Steps that the wanted nodes need, in order."""
        wanted = tuple(part.number for part in nodes if isinstance(part, Node))
        if wanted not in self._orders:
            needed, waiting = set(), list(wanted)
            while waiting:
                number = waiting.pop()
                step = self.steps[number]
                if step is not None and number not in needed:
                    needed.add(number)
                    waiting.extend(node.number for node in _nodes((step.inputs, step.options)))
            self._orders[wanted] = sorted(needed)
        return self._orders[wanted]

    @cached_property
    def jumps(self) -> bool:
        """Whether an operation jumps."""
        return any(step is not None and step.function in JUMPS for step in self.steps)

    def used(self, values: dict[int, Any], points: int) -> Array:
        """Whether the kinks have a part in the output, shape (kinks, points): a minimum does not
        pass on the larger argument."""
        use = {self.output.number: np.ones(points, dtype=bool)}
        for number in reversed(self.order([self.output])):
            step = self.steps[number]
            if step is None or number not in use:
                continue
            passed = self._passed(step, values, use[number])
            for node, mask in passed:
                before = use.get(node.number)
                use[node.number] = mask if before is None else before | mask
        none = np.zeros(points, dtype=bool)
        return np.array(
            [
                np.logical_or.reduce([use.get(user, none) for user in kink.users])
                for kink in self.kinks
            ]
        ).reshape(len(self.kinks), points)

    def _passed(self, step: Step, values: dict[int, Any], use: Any) -> list[tuple[Node, Any]]:
        """The nodes that a step depends on, and at which points."""
        if step.function not in CHOICES:
            return [(node, use) for node in _nodes((step.inputs, step.options))]
        one, other = (values[x.number] if isinstance(x, Node) else x for x in step.inputs)
        parts = [y for x in step.inputs for y in parts_of(self.steps, x)]
        with np.errstate(all="ignore"):
            difference = CHOICES[step.function] * (one - other)
            tie = TIED_AT_ROOT * size_of(parts, values)
            masks = use & ~(difference > tie), use & ~(difference < -tie)
        return [
            (x, mask) for x, mask in zip(step.inputs, masks, strict=True) if isinstance(x, Node)
        ]


def size_of(parts: Iterable[Any], values: dict[int, Any]) -> Any:
    """Added sizes of nodes and numbers."""
    return sum(np.abs(values[x.number] if isinstance(x, Node) else x) for x in parts)


def parts_of(steps: list[Step | None], part: Any) -> tuple[Any, ...]:
    """From what terms a value arose, whose rounding it has."""
    step = steps[part.number] if isinstance(part, Node) else None
    if step is not None and step.function in (np.add, np.subtract):
        return step.inputs
    if step is not None and step.function in PASSING:
        return tuple({term for x in step.inputs for term in parts_of(steps, x)})
    return (part,)


def _nodes(tree: Any) -> list[Node]:
    if isinstance(tree, Node):
        return [tree]
    if isinstance(tree, dict):
        tree = tree.values()
    elif not isinstance(tree, list | tuple):
        return []
    return [node for part in tree for node in _nodes(part)]


def mapped(tree: Any, function: Callable[[Any], Any]) -> Any:
    """Nested tuples, lists and dictionaries with the function applied to what is in them."""
    if isinstance(tree, dict):
        return {key: mapped(part, function) for key, part in tree.items()}
    if isinstance(tree, list | tuple) and not isinstance(tree, Node):
        return type(tree)(mapped(part, function) for part in tree)
    return function(tree)


def _filled_in(tree: Any, values: dict[int, Any]) -> Any:
    return mapped(tree, lambda part: values[part.number] if isinstance(part, Node) else part)
