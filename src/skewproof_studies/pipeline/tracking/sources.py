"""Which files of the project a script runs: modules that it imports, and data beside them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

DATA = ("*.yaml", "templates/*")
"""What a module may read from its own folder; it names the file."""

_NAMED = re.compile(r"\b(skewproof(?:_studies)?(?:\.\w+)+):\w+")
"""A function that data name, as module:function."""


def files_run_by(script: Path, source: Path) -> tuple[Path, ...]:
    """The files under a source folder that a script depends on.

    Parameters
    ----------
    script
        A Python file.
    source
        The folder of the packages that count; what is imported from elsewhere is left out.

    Returns
    -------
    Sorted: the modules that the script imports, directly or not, in functions too; the data files
    beside these modules that one of them names; and the modules of functions that these data name.
    """
    modules = _closure(_imported(script, source), source)
    data = _data(modules)
    named = {name for path in data for name in _NAMED.findall(path.read_text(encoding="utf-8"))}
    modules = _closure(
        [*modules, *(file for name in named for file in _files(name, source))], source
    )
    return tuple(sorted({*modules, *_data(modules)}))


def _closure(files: Iterable[Path], source: Path) -> set[Path]:
    """Files, and all that they import, directly or not."""
    found: set[Path] = set()
    waiting = list(files)
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += _imported(file, source)
    return found


@cache
def _imported(file: Path, source: Path) -> tuple[Path, ...]:
    """The files that a module imports itself. Scripts share modules: each is read once."""
    names = _imported_names(ast.parse(file.read_bytes()))
    return tuple(path for name in names for path in _files(name, source))


def _imported_names(tree: ast.Module) -> Iterator[str]:
    """Names of modules, and of what is taken from them, which may be modules too."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield from (f"{module}.{each.name}" for each in names)


def _files(name: str, source: Path) -> Iterator[Path]:
    """The packages and the module in a dotted name; what is in the module has no file."""
    path = source
    for part in name.split("."):
        path /= part
        for file in (path / "__init__.py", path.with_suffix(".py")):
            if file.is_file():
                yield file


def _data(modules: Iterable[Path]) -> set[Path]:
    code = "".join(module.read_text(encoding="utf-8") for module in modules)
    folders = {module.parent for module in modules}
    beside = {path for folder in folders for pattern in DATA for path in folder.glob(pattern)}
    return {path for path in beside if path.name in code}
