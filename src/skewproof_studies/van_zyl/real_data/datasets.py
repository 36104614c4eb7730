"""Data sets of two classes: reading, identification of a file by its content, undersampling."""

from __future__ import annotations

import csv
import hashlib
import warnings
import zipfile
import zlib
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from skewproof.core.messages import shortened

Format = Literal["npz", "csv"]

SPARSE_BELOW = 1 / 3
"""Share of nonzero values below which a model is fitted faster to a sparse matrix."""

BROKEN_ARCHIVE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    KeyError,
    NotImplementedError,
    RuntimeError,
)
"""Errors of Python at a file that is not a zip archive, or is truncated or encrypted."""


@dataclass(frozen=True)
class Data:
    """Instances of two classes."""

    features: NDArray[np.float64] | sparse.csr_array
    """Features, shape (instances, attributes)."""

    positive: NDArray[np.bool_]
    """Mask of the positive instances, shape (instances,)."""

    def dense(self) -> NDArray[np.float64]:
        """Return the features as a dense array."""
        if isinstance(self.features, np.ndarray):
            return self.features
        return self.features.toarray()


def git_blob_id(content: bytes) -> str:
    """Return git's id of a content: the SHA-1 of "blob", the size, a zero byte and the content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def read_data(file: BinaryIO, kind: Format) -> Data:
    """Read a data set.

    Parameters
    ----------
    file
        Content of the file.
    kind
        Format of the file. "npz": arrays X (instances, attributes) and y; "csv": a column "class"
        and columns of numbers.

    Raises
    ------
    ValueError
        If the file has another format, an array or the column is missing or repeated, there are no
        attributes, a value is missing, or the classes are not 0 and 1.
    """
    features, labels = _read_npz(file) if kind == "npz" else _read_csv(file)
    _expect(
        features.ndim == 2 and features.size > 0,
        f"X of the shape {features.shape}",
        "rows of at least one attribute",
    )
    _expect(
        labels.shape == features.shape[:1],
        f"{len(features)} rows, labels of the shape {labels.shape}",
        "a label for each row",
    )
    _expect(bool(np.isfinite(features).all()), "a value is missing or not finite", "numbers")
    classes = np.unique(labels)
    listed = shortened(", ".join(map(str, classes[:100])))
    _expect(classes.tolist() == [0, 1], f"classes {listed}", "0 and 1")
    filled = np.count_nonzero(features) / features.size
    chosen = sparse.csr_array(features) if filled < SPARSE_BELOW else features
    return Data(chosen, labels == 1)


def _read_csv(file: BinaryIO) -> tuple[NDArray[Any], NDArray[Any]]:
    header = next(csv.reader([file.readline().decode("utf-8-sig")]), [])
    file.seek(0)
    count = header.count("class")
    named = shortened(", ".join(header), 200)
    _expect(count == 1, f"{count} columns named class, of {named}", "one")
    try:
        with warnings.catch_warnings():
            # pandas would take surplus fields of a row for a row label, or drop them.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            table = pd.read_csv(file, index_col=False)
    except pd.errors.ParserWarning as error:
        raise ValueError("a row has more fields than the header: expected as many") from error
    try:
        features = table.drop(columns="class").to_numpy(dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{shortened(str(error), 200)}: expected numbers") from error
    return features, table["class"].to_numpy()


def _read_npz(file: BinaryIO) -> tuple[NDArray[Any], NDArray[Any]]:
    try:
        with np.lib.npyio.NpzFile(file, allow_pickle=False) as arrays:
            named = shortened(", ".join(arrays), 200)
            _expect({"X", "y"} <= set(arrays), f"arrays {named}", "X and y")
            features, labels = arrays["X"], arrays["y"]
    except BROKEN_ARCHIVE as error:
        raise ValueError(f"not a complete npz archive: {shortened(str(error), 200)}") from error
    _expect(features.dtype.kind in "biuf", f"X of the type {features.dtype}", "numbers")
    return np.asarray(features, dtype=np.float64), labels


def undersampled(data: Data, seed: int) -> Data:
    """Keep a random part of the larger class, as large as the smaller class."""
    random = np.random.default_rng(seed)
    classes = [np.flatnonzero(data.positive == value) for value in (False, True)]
    size = min(map(len, classes))
    kept = np.sort(np.concatenate([random.permutation(members)[:size] for members in classes]))
    return Data(data.features[kept], data.positive[kept])


def _expect(condition: bool, given: str, expected: str) -> None:
    if not condition:
        raise ValueError(f"{given}: expected {expected}")
