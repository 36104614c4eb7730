"""The operations of a metric, read off from its evaluation.

Whatever a metric is made of, a text or a function, it calls operations on arrays. Arrays that note
what they come from are given to it once; the noted operations can be repeated for other points.
"""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.sensitivity.quadrature.program import (
    DIFFERENCES,
    LEAVES,
    Kink,
    Node,
    Program,
    Step,
    mapped,
    parts_of,
)

ZEROS = {np.absolute, np.fabs, np.sign, np.square, np.exp}
"""Operations with a kink or jump where their argument is 0. A square and an exponential have none;
but where its argument is 0 a formula may have a peak or a step that is too thin to be seen from
elsewhere, as 1/(1 + exp(fp - tp)) has."""


class NotTracedError(Exception):
    """A metric whose operations on arrays are not all seen."""

    kinked = False
    """Whether any that is seen has a kink."""


class _Traced(np.ndarray):
    """An array that knows of which step it is the result."""

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
                recorder.record(np.take, (inputs[0], place), {"axis": axis}).node
                for place in range(inputs[0].shape[axis])
            ]
            for place, other in enumerate(among):
                for one in among[:place]:
                    recorder.note(ufunc, [one, other], result.node)
        return result

    def __array_function__(self, function: Any, types: Any, inputs: Any, options: Any) -> Any:
        if function is np.broadcast_to and tuple(inputs[1:2]) == (np.shape(inputs[0]),):
            return inputs[0]
        with contextlib.suppress(NotTracedError):
            result = super().__array_function__(function, types, inputs, options)
            if isinstance(result, _Traced) and result.node is not None:
                return result
        return _recorder_of((inputs, options)).record(function, inputs, options)

    def __setitem__(self, place: Any, value: Any) -> None:
        if np.shape(place) != self.shape or np.shape(value) not in ((), self.shape):
            raise NotTracedError("an assignment")
        before = self.view()
        before.node = self.node
        changed = self.recorder.record(np.where, (place, value, before), {})
        np.asarray(self)[...] = np.asarray(changed)
        self.node = changed.node


def _recorder_of(tree: Any) -> _Recorder:
    found: list[_Recorder] = []
    mapped(tree, lambda part: found.append(part.recorder) if isinstance(part, _Traced) else None)
    return found[0]


class _Recorder:
    """What the operations on traced arrays are noted in."""

    def __init__(self) -> None:
        self.steps: list[Step | None] = [None] * len(LEAVES)
        self.known: dict[Any, int] = {}
        self.kinks: dict[int, Kink] = {}

    def leaf(self, number: int, values: Array) -> _Traced:
        result = values.view(_Traced)
        result.recorder, result.node = self, Node(number)
        return result

    def reference(self, part: Any) -> Any:
        """The node of a traced array; other things as they are."""
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
            return result  # a shape, or a number from a whole array: it shows at other points
        traced = np.array(result).view(_Traced)
        traced.recorder = self
        traced.node = self.step(
            function, mapped(inputs, self.reference), mapped(options, self.reference)
        )
        return traced

    def step(self, function: Any, inputs: tuple[Any, ...], options: dict[str, Any]) -> Node:
        """The node of a step, which is new unless there is one like it."""
        key: Any = (function, tuple((type(x), x) for x in inputs), repr(options) if options else "")
        try:
            hash(key)
        except TypeError:
            key = len(self.steps)
        if key not in self.known:
            self.known[key] = len(self.steps)
            self.steps.append(Step(function, inputs, options))
        return Node(self.known[key])

    def note(self, ufunc: Any, inputs: list[Any], user: Node) -> None:
        """Note the functions whose zeros are kinks of an operation."""
        first = inputs[0]
        even_power = ufunc is np.power and np.ndim(inputs[1]) == 0 and inputs[1] in _EVEN
        own_square = (
            ufunc is np.multiply
            and isinstance(first, Node)
            and isinstance(inputs[1], Node)
            and first == inputs[1]
        )
        if ufunc in ZEROS or even_power or own_square:
            self._add(first, parts_of(self.steps, first), user)
        elif ufunc is np.multiply and None not in (factors := list(map(self._factor, inputs))):
            for factor in factors:  # like a square, where both are nearly the same
                self._add(factor, parts_of(self.steps, factor), user)
        elif ufunc in DIFFERENCES or ufunc.__name__ == "clip":
            for other in inputs[1:]:
                self._add(
                    self._difference(first, other),
                    (*parts_of(self.steps, first), *parts_of(self.steps, other)),
                    user,
                )

    def _factor(self, part: Any) -> Node | None:
        """The difference that a part is, but for a constant factor, or None."""
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

    def _difference(self, one: Any, other: Any) -> Any:
        if isinstance(one, Node) and not isinstance(other, Node) and np.all(other == 0):
            return one
        if isinstance(other, Node) and not isinstance(one, Node) and np.all(one == 0):
            return other
        turned = (np.subtract, ((type(other), other), (type(one), one)), "")
        if turned in self.known:
            return Node(self.known[turned])
        return self.step(np.subtract, (one, other), {})


_EVEN = {number for number in range(-16, 17, 2) if number}


class _TracedMatrix(ConfusionMatrix):
    """A confusion matrix of traced arrays."""

    def __post_init__(self) -> None:
        """The counts are valid, and stay as they are."""

    @property
    def rates(self) -> ConfusionMatrix:
        matrix = _TracedMatrix(tp=self.tpr, fp=self.fpr, fn=self.fnr, tn=self.tnr)
        matrix.__dict__.update(positives=1.0, negatives=1.0)
        return matrix


def traced(metric: Metric, positives: float, negatives: float) -> Program:
    """Note the operations of a metric for classes of given sizes.

    Raises
    ------
    NotTracedError
        If not all are seen, as where the metric goes through its arrays by number.
    """
    return _noted(metric, np.float64(positives), np.float64(negatives))


def traced_at_all_sizes(metric: Metric) -> Program:
    """Note the operations of a metric, with the class sizes among what the program is given.

    Raises
    ------
    NotTracedError
        As :func:`traced`.
    """
    return _noted(metric, *np.random.default_rng(1).uniform(1, 1000, (2, 64)))


def _noted(metric: Metric, positives: Any, negatives: Any) -> Program:
    recorder = _Recorder()
    u, v = np.random.default_rng(0).random((2, 64))
    leaves = [positives * u, negatives * v, positives * (1 - u), negatives * (1 - v)]
    if positives.ndim:
        leaves += [positives, negatives]
    counts = [recorder.leaf(number, part) for number, part in enumerate(leaves)]
    matrix = _TracedMatrix(*counts[:4])
    # The sums of the rates and their complements are 1 but for rounding.
    sizes = counts[4:] or (positives, negatives)
    matrix.__dict__.update(positives=sizes[0], negatives=sizes[1])
    try:
        with np.errstate(all="ignore"):
            output = recorder.reference(metric.formula(matrix))
        program = Program(recorder.steps, output, list(recorder.kinks.values()))
        _check(program, metric, tuple(part[::-1][:37] for part in leaves))
    except (NotTracedError, ValueError, TypeError, IndexError) as error:
        not_traced = NotTracedError(str(error))
        users = [recorder.steps[user] for kink in recorder.kinks.values() for user in kink.users]
        # Exponentials are smooth: a formula of them alone is integrated as one piece.
        not_traced.kinked = any(step is not None and step.function is not np.exp for step in users)
        raise not_traced from None
    return program


def _check(program: Program, metric: Metric, counts: tuple[Array, ...]) -> None:
    """Refuse a program that gives other values than the metric."""
    with np.errstate(all="ignore"):
        expected = np.broadcast_to(metric(ConfusionMatrix(*counts[:4])), counts[0].shape)
    values, _ = program.run(counts, [program.output])
    output = program.output
    found = np.broadcast_to(
        values[output.number] if isinstance(output, Node) else output, expected.shape
    )
    if not np.allclose(found, expected, rtol=1e-9, equal_nan=True):
        raise NotTracedError("they depend on the points")
