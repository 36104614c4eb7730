"""The folders of the package that list public names."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

import skewproof


def namespaces() -> list[ModuleType]:
    """Import each folder with a list of its names."""
    root = Path(skewproof.__file__).parent
    stubs = sorted(root.glob("*/__init__.pyi"))
    folders = [stub.parent.name for stub in stubs] + ["metrics.atlas"]
    return [import_module(f"skewproof.{folder}") for folder in folders]
