"""Install a wheel in an empty environment, say what that brings, and try it there.

    python tests/package/try_wheel.py dist/*.whl [EXTRA ...]

Without extras the environment is tried by smoke.py; with them it is only measured.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from uv import find_uv_bin

FOLDER = Path(__file__).parent


def main(wheel: str, *extras: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        uv("venv", folder)
        uv("pip", "install", "--compile-bytecode", "--python", folder, wanted(wheel, extras))
        print(what_is_in(Path(folder)))
        if not extras:
            python, readme = Path(folder) / "bin/python", FOLDER.parents[1] / "README.md"
            subprocess.run([python, "-I", FOLDER / "smoke.py", readme], cwd=folder, check=True)


def uv(*arguments: str | Path) -> None:
    subprocess.run([find_uv_bin(), *arguments, "--quiet"], check=True)


def wanted(wheel: str, extras: tuple[str, ...]) -> str:
    return f"skewproof[{','.join(extras)}] @ {Path(wheel).resolve().as_uri()}"


def what_is_in(environment: Path) -> str:
    """Measure number and size of the packages with their compiled files, which pip makes, too."""
    (installed,) = environment.glob("lib/python*/site-packages")
    packages = len(list(installed.glob("*.dist-info")))
    size = sum(path.stat().st_size for path in installed.rglob("*") if path.is_file())
    return f"{packages} packages, {size / 1e6:.0f} MB"


if __name__ == "__main__":
    main(*sys.argv[1:])
