"""Data sets of two classes: reading them, knowing a file by its content, undersampling."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import BinaryIO, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

Format = Literal["npz", "csv"]

SPARSE_BELOW = 1 / 3
"""Share of values other than 0 below which a model is fitted sooner to a sparse matrix."""


@dataclass(frozen=True)
class Data:
    """Instances of two classes."""

    features: NDArray[np.float64] | sparse.csr_array
    """(instances, attributes)."""

    positive: NDArray[np.bool_]
    """Which instances are of the positive class."""

    def dense(self) -> NDArray[np.float64]:
        """The features as a plain array."""
        if isinstance(self.features, np.ndarray):
            return self.features
        return self.features.toarray()


def git_blob_id(content: bytes) -> str:
    """The name that git gives a file's content: SHA-1 of "blob", its size, a zero byte and it."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def read_data(file: BinaryIO, kind: Format) -> Data:
    """Read a data set.

    Parameters
    ----------
    file
        Its content.
    kind
        "npz": arrays X (instances, attributes) and y; "csv": a column "class" and numbers.

    Raises
    ------
    ValueError
        If an array or the column is not there, a value is missing, or the classes are not 0 and 1.
    """
    if kind == "npz":
        with np.load(file) as arrays:
            _expect({"X", "y"} <= set(arrays), f"arrays {', '.join(arrays)}", "X and y")
            features, labels = np.asarray(arrays["X"], dtype=np.float64), arrays["y"]
    else:
        table = pd.read_csv(file)
        _expect("class" in table, f"columns {', '.join(table)}", 'one named "class"')
        labels = table["class"].to_numpy()
        features = table.drop(columns="class").to_numpy(dtype=np.float64)
    _expect(features.ndim == 2, f"X of the shape {features.shape}", "two dimensions")
    _expect(
        len(features) == len(labels),
        f"{len(features)} rows, {len(labels)} labels",
        "equal lengths",
    )
    _expect(bool(np.isfinite(features).all()), "a value is missing or not finite", "numbers")
    classes = np.unique(labels)
    _expect(classes.tolist() == [0, 1], f"classes {', '.join(map(str, classes))}", "0 and 1")
    filled = np.count_nonzero(features) / features.size
    chosen = sparse.csr_array(features) if filled < SPARSE_BELOW else features
    return Data(chosen, labels == 1)


def undersampled(data: Data, seed: int) -> Data:
    """Keep as many instances of the larger class, drawn at random, as the smaller one has."""
    random = np.random.default_rng(seed)
    classes = [np.flatnonzero(data.positive == value) for value in (False, True)]
    size = min(map(len, classes))
    kept = np.sort(np.concatenate([random.permutation(members)[:size] for members in classes]))
    return Data(data.features[kept], data.positive[kept])


def _expect(condition: bool, found: str, expected: str) -> None:
    if not condition:
        raise ValueError(f"{found}: expected {expected}")
