"""Public names of a package, each of which is loaded when it is first used."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path
from typing import Any


def lazy_names(
    package: str, path: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Read the public names of a package from the imports in the stub beside its ``__init__.py``.

    A type checker and an editor read the same stub. A module that is only imported for one of its
    names is loaded when that name is used, so that commands and jobs start fast.

    Parameters
    ----------
    package, path
        ``__name__`` and ``__file__`` of the package.

    Returns
    -------
    The package's ``__getattr__``, ``__dir__`` and ``__all__``.
    """
    stub = ast.parse(Path(path).with_suffix(".pyi").read_text("utf-8"))
    modules = {
        alias.name: resolve_name("." * node.level + (node.module or ""), package)
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = modules[name]
        if module == package:
            return import_module(f"{package}.{name}")
        value = getattr(import_module(module), name)
        setattr(sys.modules[package], name, value)
        return value

    return load, lambda: list(modules), list(modules)
