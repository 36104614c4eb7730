"""Checks of arrays: numbers, probabilities and weights of instances."""

from __future__ import annotations

from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.messages import shortened, shown

WEIGHT_SUMS = 1e-50, 1e50
"""Smallest and largest sum of weights; beyond these limits products of sums in formulas overflow or
underflow."""


def array_of(values: ArrayLike, name: str, expected: str) -> NDArray[Any]:
    """Convert values that are neither masked nor ragged to an array."""
    refuse_masked(values, name)
    try:
        return np.asarray(values)
    except ValueError:
        raise ValueError(
            f"{name} is ragged (its entries differ in length): expected an array of {expected}"
        ) from None


def type_shown(values: NDArray[Any]) -> str:
    """Write the type of an array's entries."""
    return shortened(str(values.dtype))


def refuse_masked(values: Any, name: str) -> None:
    """Refuse masked entries, as the conversion to a plain array loses the mask."""
    if np.ma.is_masked(values):
        index = _first(np.ma.getmaskarray(values))
        raise ValueError(f"{name}[{index}] is masked: expected a value, or the entry left out")


def expect_entries(fits: NDArray[Any], name: str, values: NDArray[Any], expected: str) -> None:
    """Raise an error unless all entries of an array fit; it has the first other one and its index.

    Examples
    --------
    >>> numbers = np.array([0.5, 1.5])
    >>> expect_entries(numbers <= 1, "tpr", numbers, "a number from 0 to 1")
    Traceback (most recent call last):
        ...
    ValueError: tpr[1] = 1.5: expected a number from 0 to 1
    """
    wrong = ~np.asarray(fits, dtype=bool)
    if wrong.any():
        entry = values[tuple(np.argwhere(wrong)[0])]
        entry_name = f"{name}[{_first(wrong)}]" if values.ndim else name
        given = shown(entry) if values.dtype.kind == "O" else entry
        raise ValueError(f"{entry_name} = {given}: expected {expected}")


def _first(wrong: NDArray[Any]) -> str:
    return ", ".join(map(str, np.argwhere(wrong)[0]))


def expect_equal_lengths(**arrays: NDArray[Any]) -> None:
    """Refuse arrays that are not of one dimension and of equal lengths, by their names.

    Raises
    ------
    ValueError
        If they are not.

    Examples
    --------
    >>> expect_equal_lengths(y_true=np.array([1, 0]), y_score=np.array([0.5]))
    Traceback (most recent call last):
        ...
    ValueError: y_true and y_score have 2 and 1 entries: expected equal lengths
    """
    shapes = [array.shape for array in arrays.values()]
    names = " and ".join(arrays)
    if any(len(shape) != 1 for shape in shapes):
        listed = " and ".join(map(str, shapes))
        raise ValueError(
            f"{names} have the shapes {listed}: expected one dimension and equal lengths"
        )
    if len(set(shapes)) > 1:
        lengths = " and ".join(str(length) for (length,) in shapes)
        raise ValueError(f"{names} have {lengths} entries: expected equal lengths")


def checked_numbers(values: ArrayLike, name: str, *, what: str = "number") -> NDArray[Any]:
    """Check finite real numbers of any shape, without rounding different numbers to equal ones.

    They are converted to float64 if that changes none of them, and keep their type otherwise, as do
    whole numbers beyond 2^53.

    Raises
    ------
    ValueError
        If an entry is masked, missing or not finite, or is not a real number but complex or text.
    """
    numbers = array_of(values, name, f"{what}s")
    expected = f"a finite {what}"
    if numbers.dtype.kind not in "biufO":
        raise ValueError(
            f"{name} is of the type {type_shown(numbers)}: expected {expected} in each entry"
        )
    if numbers.dtype.kind == "O":
        real = np.frompyfunc(lambda entry: isinstance(entry, (Real, Decimal)), 1, 1)(numbers)
        expect_entries(real, name, numbers, expected)
    try:
        floats = numbers.astype(np.float64)
    except OverflowError:
        raise ValueError(
            f"{name} has a number too large for a float: expected {expected}"
        ) from None
    expect_entries(np.isfinite(floats), name, floats, expected)
    return floats if _same(numbers, floats) else numbers


def _same(numbers: NDArray[Any], floats: Array) -> bool:
    """Return whether conversion to float64 kept the numbers."""
    if numbers.dtype.kind in "iu":
        # All whole numbers in this range are float64. NumPy would round others to compare them.
        return bool(np.all((numbers <= 2**53) & (numbers >= -(2**53))))
    return bool(np.all(numbers == floats))


def checked_shares(values: ArrayLike, name: str, *, what: str = "number") -> Array:
    """Check numbers from 0 to 1 of any shape, such as rates, and return them as floats.

    Raises
    ------
    ValueError
        If one is missing or outside [0, 1].
    """
    shares = checked_numbers(values, name, what=what).astype(np.float64)
    expect_entries((shares >= 0) & (shares <= 1), name, shares, f"a {what} from 0 to 1")
    return shares


def checked_probabilities(values: ArrayLike, name: str = "y_prob") -> Array:
    """Check probabilities of any shape, and return them as floats.

    Raises
    ------
    ValueError
        If one is missing or outside [0, 1].
    """
    return checked_shares(values, name, what="probability")


def positive_class_probabilities(values: ArrayLike, name: str, labels: NDArray[Any]) -> Array:
    """Check the probabilities of the positive class of labeled instances.

    Raises
    ------
    ValueError
        If one is missing or outside [0, 1], or they are not of one dimension and as many as labels.
    """
    probabilities = checked_probabilities(values, name)
    if probabilities.ndim != 1:
        raise ValueError(
            f"{name} has the shape {probabilities.shape}: expected one dimension, such as"
            " predict_proba(X)[:, 1]"
        )
    expect_equal_lengths(**{"y_true": labels, name: probabilities})
    return probabilities


def checked_weights(values: ArrayLike, length: int) -> Array:
    """Check the weights of a number of instances and convert them to floats.

    Raises
    ------
    ValueError
        If they are not numbers, are negative, or are not as many as the instances.
    """
    weights = checked_numbers(values, "sample_weight").astype(np.float64)
    if weights.shape != (length,):
        raise ValueError(f"sample_weight has the shape {weights.shape}: expected ({length},)")
    expect_entries(weights >= 0, "sample_weight", weights, "a number >= 0")
    return weights


def summed_weights(values: ArrayLike, length: int) -> Array:
    """Check weights and their sum, which formulas multiply.

    Raises
    ------
    ValueError
        As :func:`checked_weights`, or if the sum is above 0 and too small or too large.
    """
    weights = checked_weights(values, length)
    with np.errstate(over="ignore"):
        total = weights.sum()
    least, most = WEIGHT_SUMS
    if total and not least <= total <= most:
        raise ValueError(
            f"sample_weight sums to {total:g}: expected a sum from {least:g} to {most:g}"
        )
    return weights
