"""Which files of the project a script runs: modules that it imports, and data beside them."""

from __future__ import annotations

from functools import cache
from modulefinder import ModuleFinder
from pathlib import Path

DATA = ("*.yaml", "templates/*")
"""What a module may read from its own folder; it names the file."""


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
    Sorted: the modules that the script imports, directly or not, in functions too, and the data
    files beside these modules that one of them names.
    """
    finder = ModuleFinder(path=[str(source)])
    finder.run_script(str(script))
    found = {name: getattr(module, "__file__", None) for name, module in finder.modules.items()}
    modules = {Path(file) for name, file in found.items() if file and name != "__main__"}
    code = "".join(module.read_text(encoding="utf-8") for module in modules)
    folders = {module.parent for module in modules}
    beside = {path for folder in folders for pattern in DATA for path in folder.glob(pattern)}
    return tuple(sorted(modules | {path for path in beside if path.name in code}))
