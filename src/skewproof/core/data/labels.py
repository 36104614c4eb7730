"""Checks of labels, and counts of labels in the cells of a confusion matrix."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from decimal import Decimal, InvalidOperation
from numbers import Number
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_several
from skewproof.core.data.arrays import array_of, expect_equal_lengths, summed_weights, type_shown
from skewproof.core.data.groups import WEIGHTED_GROUPS, counted_by_group, group_codes
from skewproof.core.data.weights import are_counts, effective_sizes
from skewproof.core.messages import shortened, shown

LABELS_OF_TWO = "labels of two classes, such as y_score >= 0.5"
"""The expected values, for messages about scores."""

KINDS: dict[str, Any] = {"text": str, "bytes": bytes, "numbers": (Number, Decimal, np.bool_)}
"""Kinds of labels; labels of different kinds are never equal."""

MOST_CLASSES = 2000
"""Largest number of classes whose pairs are counted: a matrix of 32 MB."""

MOST_COMPARED_CLASSES = 50
"""Largest number of classes whose triples are counted: 125,000 cells, each a dimension of a
search."""


def counted_cells(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    pos_label: Any,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None = None,
) -> dict[str, Any]:
    """Count the four cells, or sum their weights, by name, with the classes' effective sizes.

    Each cell is summed, and none is found by subtraction, so that an empty cell is exactly 0.

    Parameters and errors are those of :meth:`skewproof.core.confusion.ConfusionMatrix.from_labels`.
    """
    true, predicted = checked_labels(y_true, "y_true"), checked_labels(y_pred, "y_pred")
    weights = None if sample_weight is None else summed_weights(sample_weight, len(true))
    expect_equal_lengths(y_true=true, y_pred=predicted)
    check_classes(true, predicted, pos_label)
    is_positive, called_positive = true == pos_label, predicted == pos_label
    by_group = None
    if groups is not None:
        cells = 2 * (~is_positive).astype(np.intp) + ~called_positive
        by_group = counts_of_groups(groups, cells, (2, 2), weights)
    if weights is None:
        tp = np.count_nonzero(is_positive & called_positive)
        positives, predicted_positives = map(np.count_nonzero, (is_positive, called_positive))
        fn, fp = positives - tp, predicted_positives - tp
        tn = len(true) - positives - fp
        return {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "by_group": by_group}
    effective = effective_sizes(weights, (~is_positive).astype(np.intp), 2)
    return {
        "tp": weights[is_positive & called_positive].sum(),
        "fp": weights[~is_positive & called_positive].sum(),
        "fn": weights[is_positive & ~called_positive].sum(),
        "tn": weights[~is_positive & ~called_positive].sum(),
        "effective": None if effective is None else tuple(effective.tolist()),
        "by_group": by_group,
    }


def counts_of_groups(
    groups: ArrayLike, cells: NDArray[np.intp], shape: tuple[int, ...], weights: Array | None
) -> Array:
    """Count the rows of each group by cell, shape (groups, *shape).

    Parameters
    ----------
    groups
        Label of each row's group.
    cells
        Position of each row's cell in a table of the given shape.
    weights
        Weight of each row; None for 1.

    Raises
    ------
    ValueError
        If groups are refused, or weights are not counts.
    """
    codes, number = group_codes(groups, len(cells))
    if weights is not None and not are_counts(weights.sum(), (weights % 1).sum()):
        raise ValueError(WEIGHTED_GROUPS)
    return counted_by_group(codes, number, cells, shape, weights)


def has_more_than_two(**columns: ArrayLike) -> bool:
    """Return whether columns of labels together have more than two classes; scores have no class.

    Parameters
    ----------
    columns
        The columns, by their names in error messages.

    Raises
    ------
    ValueError
        If labels are invalid.

    Examples
    --------
    >>> has_more_than_two(y_true=[0, 1], y_pred=[1, 2])
    True
    >>> has_more_than_two(y_true=[0, 1], y_pred=[0.2, 0.7])
    False
    """
    arrays = [checked_labels(labels, name) for name, labels in columns.items()]
    known = [arrays[0][0]]
    for labels in arrays:
        for _ in range(3 - len(known)):
            others = np.logical_and.reduce([labels != label for label in known])
            if np.any(others):
                known.append(labels[np.argmax(others)])
    return len(known) > 2 and len(set(map(_kind, known))) == 1 and not _look_like_scores(known)


class CountedPairs(NamedTuple):
    """Pairs of true and predicted classes."""

    counts: NDArray[np.float64]
    """Counts or sums of weights, (true classes, predicted classes)."""

    classes: list[Any]
    """The classes in their order."""

    effective: NDArray[np.float64] | None = None
    """Effective sizes of the true classes, (true classes,); None for counts."""

    by_group: NDArray[np.float64] | None = None
    """The counts of each group, (groups, true classes, predicted classes); None without groups."""


def counted_pairs(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Any] | None,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None = None,
) -> CountedPairs:
    """Count the pairs of true and predicted class.

    Parameters
    ----------
    y_true, y_pred, sample_weight, groups
        As for :meth:`skewproof.core.confusion.ConfusionMatrix.from_labels`.
    labels
        The classes in their order; None stands for all true and predicted classes, sorted.

    Raises
    ------
    ValueError
        If labels or weights are invalid; if there are fewer than two classes or more than 2000, or
        one is not among `labels`; if predictions look like scores.
    """
    true, predicted = checked_labels(y_true, "y_true"), checked_labels(y_pred, "y_pred")
    weights = None if sample_weight is None else summed_weights(sample_weight, len(true))
    expect_equal_lengths(y_true=true, y_pred=predicted)
    distinct = _distinct(y_true=true, y_pred=predicted)
    if labels is None:
        classes = _classes(distinct)
        _refuse_one_number_twice(classes)
    else:
        expected = "at least 2 classes, each once"
        classes = expect_several("labels", labels, expected)
        single = all(map(_is_one, classes)) and len(classes) > 1
        expect(single and len(set(classes)) == len(classes), "labels", labels, expected)
    number = _number_of_classes(classes, MOST_CLASSES)
    indices = {label: index for index, label in enumerate(classes)}
    rows, columns = class_codes(true, "y_true", indices), class_codes(predicted, "y_pred", indices)
    cells, shape = number * rows + columns, (number, number)
    counts = np.bincount(cells, weights, minlength=number**2).reshape(shape)
    effective = None if weights is None else effective_sizes(weights, rows, number)
    by_group = None if groups is None else counts_of_groups(groups, cells, shape, weights)
    return CountedPairs(counts.astype(np.float64), classes, effective, by_group)


def counted_triples(
    y_true: ArrayLike, first: ArrayLike, second: ArrayLike, groups: ArrayLike | None = None
) -> CountedPairs:
    """Count the triples of the true class and two models' predictions, (classes, classes, classes).

    Raises
    ------
    ValueError
        As :func:`counted_pairs`.
    """
    given = {"y_true": y_true, "first": first, "second": second}
    named = {name: checked_labels(labels, name) for name, labels in given.items()}
    expect_equal_lengths(**named)
    classes = _classes(_distinct(**named))
    number = _number_of_classes(classes, MOST_COMPARED_CLASSES)
    indices = {label: index for index, label in enumerate(classes)}
    codes = [class_codes(labels, name, indices) for name, labels in named.items()]
    flat = (codes[0] * number + codes[1]) * number + codes[2]
    shape = number, number, number
    counts = np.bincount(flat, minlength=number**3).reshape(shape)
    by_group = None if groups is None else counts_of_groups(groups, flat, shape, None)
    return CountedPairs(counts.astype(np.float64), classes, by_group=by_group)


def _number_of_classes(classes: list[Any], most: int) -> int:
    number = len(classes)
    if not 2 <= number <= most:
        raise ValueError(
            f"{number} classes, {_listed(classes)}: expected at least 2 and at most {most}"
        )
    return number


def _classes(distinct: dict[str, list[Any]]) -> list[Any]:
    _refuse_scores(distinct, "labels")
    classes = _together(distinct)
    try:
        return sorted(classes)
    except TypeError:
        listed = _listed(_sorted(classes))
        raise ValueError(f"the labels {listed} have no order: expected one type") from None


def class_codes(labels: NDArray[Any], name: str, indices: dict[Any, int]) -> NDArray[np.intp]:
    """Find the index of each label among the classes."""
    import pandas as pd  # takes longer to load than matrices and metrics do

    codes, distinct = pd.factorize(labels)
    try:
        return np.array([indices[label] for label in distinct.tolist()])[codes]
    except KeyError as error:
        known = _listed(list(indices))
        raise ValueError(f"{name} has {shown(error.args[0])}: expected one of {known}") from None


def checked_labels(values: ArrayLike, name: str) -> NDArray[Any]:
    """Check labels and convert them to an array of one dimension; the name is for error messages.

    Raises
    ------
    ValueError
        If there are no labels or more dimensions, or if a label is masked, missing, or a float of
        at least 2^53, to which other whole numbers are rounded.
    """
    labels = array_of(values, name, "labels")
    if labels.ndim and labels.dtype.kind in "Uf" and _is_changed(values, labels.dtype.kind):
        labels = np.asarray(values, dtype=object)
    if labels.dtype.kind in "cV":
        raise ValueError(f"{name} is of the type {type_shown(labels)}: expected labels")
    if labels.ndim != 1:
        fractions = labels.dtype.kind == "f" and bool(np.any(labels != np.rint(labels)))
        scores = " and looks like scores" if fractions else ""
        raise ValueError(f"{name} has the shape {labels.shape}{scores}: expected one dimension")
    if not labels.size:
        raise ValueError(f"{name} is empty: expected at least one label")
    # Whole numbers, booleans and text can't be missing.
    if labels.dtype.kind not in "iubUS":
        import pandas as pd  # see class_codes

        missing = pd.isna(labels)
        if missing.any():
            first = int(np.argmax(missing))
            raise ValueError(f"{name}[{first}] = {shortened(str(labels[first]))}: expected a label")
        refuse_rounded(labels, name)
    return labels.astype(np.float32) if labels.dtype == np.float16 else labels  # for pandas


def _is_changed(values: Any, kind: str) -> bool:
    """Return whether NumPy converted a list's numbers to text or its large integers to floats."""
    if hasattr(values, "dtype"):
        return False
    types = set(map(type, values))
    return types != {str} if kind == "U" else types == {int}


def refuse_rounded(labels: NDArray[Any], name: str) -> None:
    """Refuse floats so large that they may be rounded whole numbers.

    Raises
    ------
    ValueError
        If a float is at least 2^53, or, in single precision, 2^24.
    """
    if labels.dtype.kind == "O":
        labels = np.array([label for label in labels.tolist() if isinstance(label, float)])
    if labels.dtype.kind != "f" or not labels.size:
        return
    large = np.isfinite(labels) & (np.abs(labels) >= 2.0 ** (np.finfo(labels.dtype).nmant + 1))
    if large.any():
        raise ValueError(
            f"{name} has the float {labels[np.argmax(large)]:.0f}, to which other whole numbers are"
            " rounded: expected whole numbers of an integer type, or text"
        )


def check_pos_label(pos_label: Any) -> None:
    """Refuse several labels in place of the positive one.

    Raises
    ------
    ValueError
        If there are several.
    """
    expect(_is_one(pos_label), "pos_label", pos_label, "one label")


def check_classes(true: NDArray[Any], predicted: NDArray[Any], pos_label: Any) -> None:
    """Refuse labels that are not of two classes of one kind, the positive one among them.

    The labels are not sorted, which would take longer than counting them.

    Raises
    ------
    ValueError
        If there are more than two classes, or two of which neither is `pos_label`; if classes, or a
        class and `pos_label`, are of different kinds, such as text and numbers; if a class looks
        like a score: a number that is not whole, or such a number as text in only one of the
        columns.
    """
    check_pos_label(pos_label)
    negative = None
    distinct: dict[str, list[Any]] = {}
    columns = {"y_true": true} if true is predicted else {"y_true": true, "y_pred": predicted}
    for name, labels in columns.items():
        others = labels != pos_label
        has_others = bool(others.any())
        if negative is None and has_others:
            negative = labels[np.argmax(others)]
        if has_others and not np.all((labels == negative) | ~others):
            _refuse_classes(columns, pos_label)
        distinct[name] = [pos_label] * (not others.all()) + [negative] * has_others
    if negative is not None and _kind(negative) != _kind(pos_label):
        _refuse_classes(columns, pos_label)
    _refuse_scores_among(distinct)


def positives_of(y_true: ArrayLike, pos_label: Any) -> NDArray[np.bool_]:
    """Return which labels are the positive one, if they are of two classes and both are present.

    Raises
    ------
    ValueError
        If labels are refused or all of one class.

    Examples
    --------
    >>> positives_of(["ill", "well", "well"], "ill").tolist()
    [True, False, False]
    """
    true = checked_labels(y_true, "y_true")
    check_classes(true, true, pos_label)
    positive = np.asarray(true == pos_label)
    positives = np.count_nonzero(positive)
    if not 0 < positives < positive.size:
        raise ValueError(
            f"{positives} of {positive.size} labels are pos_label = {shown(pos_label)}: expected"
            " both classes"
        )
    return positive


def check_many_classes(true: NDArray[Any], predicted: NDArray[Any]) -> None:
    """Refuse labels of several classes that are of several kinds, and scores.

    Raises
    ------
    ValueError
        If labels are of several kinds, if those of a column are numbers that are not all whole, or
        if two texts are the same number.
    """
    distinct = _distinct(y_true=true, y_pred=predicted)
    _refuse_scores(distinct, LABELS_OF_TWO)
    classes = _together(distinct)
    _refuse_kinds(classes)
    _refuse_one_number_twice(classes)


def _refuse_one_number_twice(classes: list[Any]) -> None:
    """Refuse texts that are the same number, such as "1" and "1.0"."""
    texts: dict[Decimal, Any] = {}
    for label in _sorted(classes):
        number = _number_of(label) if isinstance(label, str) else None
        if number is not None and texts.setdefault(number, label) != label:
            both = f"{shown(texts[number])}, {shown(label)}"
            raise ValueError(
                f"the labels {both} are the same number: expected one text for each class"
            )


def _number_of(text: str) -> Decimal | None:
    """Read a finite number from a text, or return None."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _kind(label: Any) -> str:
    for kind, types in KINDS.items():
        if isinstance(label, types):
            return kind
    return "other values"


def _refuse_scores_among(distinct: dict[str, list[Any]]) -> None:
    """Refuse numbers that are not whole; such numbers as text are refused in one column only."""
    scores = {name: labels for name, labels in distinct.items() if _look_like_scores(labels)}
    for name, labels in scores.items():
        if _kind(labels[0]) != "text" or len(scores) < len(distinct):
            _refuse_scores({name: labels}, LABELS_OF_TWO)


def _is_one(label: Any) -> bool:
    if isinstance(label, Mapping | Set):
        return False
    try:
        return np.ndim(label) == 0
    except ValueError:  # ragged
        return False


def _refuse_classes(columns: dict[str, NDArray[Any]], pos_label: Any) -> None:
    distinct = _distinct(**columns)
    classes = _together(distinct)
    _refuse_scores_among(distinct)
    if len(classes) > 2:
        _refuse_scores(distinct, LABELS_OF_TWO)
    _refuse_kinds(classes)
    if len(classes) > 2:
        raise ValueError(f"{len(classes)} classes, {_listed(_sorted(classes))}: expected two")
    raise ValueError(
        f"pos_label = {shown(pos_label)}: expected one of the labels {_listed(_sorted(classes))}"
    )


def _refuse_kinds(classes: list[Any]) -> None:
    kinds = {_kind(label): label for label in reversed(_sorted(classes))}
    if len(kinds) > 1:
        listed = " and ".join(f"{kind} ({shown(label)})" for kind, label in sorted(kinds.items()))
        raise ValueError(f"the labels mix {listed}: expected labels of one type")


def _distinct(**columns: NDArray[Any]) -> dict[str, list[Any]]:
    """List the different labels of each column."""
    distinct = {}
    for name, labels in columns.items():
        try:
            plain = labels if labels.dtype.kind == "O" else np.unique(labels)
            distinct[name] = list(dict.fromkeys(plain.tolist()))
        except TypeError:
            kind = next(type(label).__name__ for label in labels if label.__hash__ is None)
            raise ValueError(f"{name} contains a {kind}: expected labels") from None
    return distinct


def _together(distinct: dict[str, list[Any]]) -> list[Any]:
    """List the different labels of all columns."""
    return list(dict.fromkeys(label for labels in distinct.values() for label in labels))


def _refuse_scores(distinct: dict[str, list[Any]], expected: str) -> None:
    for name, labels in distinct.items():
        if _look_like_scores(labels):
            plain = _listed(_sorted(np.asarray(labels).tolist()))
            several = len(labels) > 1
            numbers = f"{len(labels)} different numbers" if several else "one number"
            look = "these look like scores" if several else "it looks like a score"
            raise ValueError(f"{name} has {numbers}, {plain}: {look}; expected {expected}")


def _look_like_scores(labels: list[Any]) -> bool:
    """Return whether labels are finite numbers, possibly as text, that are not all whole."""
    try:
        numbers = [float(label) for label in labels]
    except (TypeError, ValueError, OverflowError):
        return False
    return all(map(math.isfinite, numbers)) and not all(number.is_integer() for number in numbers)


def _sorted(classes: list[Any]) -> list[Any]:
    try:
        return sorted(classes)
    except TypeError:  # text beside numbers
        return sorted(classes, key=str)


def _listed(classes: list[Any]) -> str:
    return ", ".join(map(shown, classes[:5])) + (", ..." if len(classes) > 5 else "")
