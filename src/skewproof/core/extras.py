"""Optional libraries, and the error messages for those that are not installed."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

EXTRAS = {
    "sympy": ("SymPy", "audit"),
    "jinja2": ("Jinja2", "audit"),
    "yaml": ("PyYAML", "audit"),
    "sklearn": ("scikit-learn", "scoring"),
    "matplotlib": ("Matplotlib", "figures"),
    "vl_convert": ("vl-convert-python", "explorer"),
    "narwhals": ("narwhals", "frames"),
    "duckdb": ("DuckDB", "frames"),
    "pyarrow": ("PyArrow", "frames"),
}
"""Modules, each with the name of its library and of the extra that installs it."""


class MissingExtraError(ModuleNotFoundError):
    """An error for a library of one of the package's extras that is not installed."""


@contextlib.contextmanager
def extra(needed_by: str) -> Iterator[None]:
    """Name the extra to install if an import in the block fails.

    Parameters
    ----------
    needed_by
        The part of the package that needs the import, for the message.

    Raises
    ------
    MissingExtraError
        If a library of an extra is not installed. For any other module Python's own error is
        raised.

    Examples
    --------
    >>> from skewproof.core.extras import extra
    >>> with extra("a figure"):
    ...     raise ModuleNotFoundError(name="matplotlib.figure")
    Traceback (most recent call last):
    skewproof.core.extras.MissingExtraError: a figure needs Matplotlib: pip install \
"skewproof[figures]"
    """
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in EXTRAS:
            raise
        library, name = EXTRAS[module]
        message = f'{needed_by} needs {library}: pip install "skewproof[{name}]"'
        raise MissingExtraError(message, name=error.name) from None


class _Library:
    """A library that is imported when it is first used."""

    def __init__(self, module: str, needed_by: str) -> None:
        self._module, self._needed_by = module, needed_by

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        with extra(self._needed_by):
            attribute = getattr(importlib.import_module(self._module), name)
        setattr(self, name, attribute)
        return attribute


if TYPE_CHECKING:
    import duckdb as duckdb
    import jinja2 as jinja2
    import matplotlib as matplotlib
    import narwhals.stable.v2 as _narwhals
    import sympy as sympy

    narwhals = _narwhals
else:
    duckdb = _Library("duckdb", "a file of rows")
    jinja2 = _Library("jinja2", "a report")
    matplotlib = _Library("matplotlib", "a figure")
    narwhals = _Library("narwhals.stable.v2", "a data frame")
    sympy = _Library("sympy", "a proof or a formula in symbols")
