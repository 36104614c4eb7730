"""Files of the project that a script runs: modules that it imports, and data files next to them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

DATA = ("*.yaml", "templates/*")
"""Files that a module may read from its own folder if it names them."""

_NAMED = re.compile(r"\b(skewproof(?:_studies)?(?:\.\w+)+):\w+")
"""Pattern of a function that data files name, as module:function."""


def files_run_by(script: Path, source: Path) -> tuple[Path, ...]:
    """Return the files under a source folder that a script depends on.

    Parameters
    ----------
    script
        A Python file.
    source
        The folder of the packages that count; imports from elsewhere are left out.

    Returns
    -------
    A sorted tuple of the modules that the script imports, directly or indirectly and also in
    functions; the data files next to these modules that one of them names; and the modules of
    functions that these data files name.
    """
    modules = _closure(_imported(script, source), source)
    data = _data(modules)
    named = {name for path in data for name in _NAMED.findall(path.read_text(encoding="utf-8"))}
    modules = _closure(
        [*modules, *(file for name in named for file in _files(name, source))], source
    )
    return tuple(sorted({*modules, *_data(modules)}))


def _closure(files: Iterable[Path], source: Path) -> set[Path]:
    """Return files and all that they import, directly or indirectly."""
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
    """Return the files that a module imports directly. Scripts share modules, so each is read
    once."""
    names = _imported_names(ast.parse(file.read_bytes()))
    return tuple(path for name in names for path in _files(name, source))


def _imported_names(tree: ast.Module) -> Iterator[str]:
    """Yield names of imported modules, and of imported objects, which may be modules too."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield from (f"{module}.{each.name}" for each in names)


def _files(name: str, source: Path) -> Iterator[Path]:
    """Yield the packages and the module in a dotted name; an object in a module has no file."""
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
