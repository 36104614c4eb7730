"""Which files of the project a script runs: modules that it imports, and data beside them."""

from __future__ import annotations

import re
from functools import cache
from modulefinder import ModuleFinder
from pathlib import Path

DATA = ("*.yaml", "templates/*")
"""What a module may read from its own folder; it names the file."""

_NAMED = re.compile(r"\b(skewproof(?:\.\w+)+):\w+")
"""A function that data name, as module:function."""


@cache
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
    finder = ModuleFinder(path=[str(source)])
    finder.run_script(str(script))
    modules, data = _modules(finder), _data(_modules(finder))
    for name in sorted({name for path in data for name in _NAMED.findall(path.read_text())}):
        finder.import_hook(name)
        modules = _modules(finder)
    return tuple(sorted(modules | data))


def _modules(finder: ModuleFinder) -> set[Path]:
    found = {name: getattr(module, "__file__", None) for name, module in finder.modules.items()}
    return {Path(file) for name, file in found.items() if file and name != "__main__"}


def _data(modules: set[Path]) -> set[Path]:
    code = "".join(module.read_text(encoding="utf-8") for module in modules)
    folders = {module.parent for module in modules}
    beside = {path for folder in folders for pattern in DATA for path in folder.glob(pattern)}
    return {path for path in beside if path.name in code}
