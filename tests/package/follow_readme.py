"""Follow the README in an empty environment: install what it says to, and run what it shows.

    python tests/package/follow_readme.py dist/*.whl README.md

The wheel stands for the clone. Other tests run what the section on reproducing the paper shows.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from try_wheel import uv, wanted

TRUE, FALSE = "1,1,2026-01", "0,0,2026-02"
FILES = {
    "predictions.csv": [
        "y_true,y_pred,month",
        "1,0,2026-01",
        "0,1,2026-02",
        *[TRUE] * 30,
        *[FALSE] * 300,
    ],
    "scores.csv": ["y_true,old,new", *["1,.4,.9", "1,.6,.7"] * 20, *["0,.5,.2", "0,.1,.3"] * 100],
}

ANSWERS = b"\n" + b"1\n" * 20
"""Answers to the questions of `skewproof choose`; the first may be left out."""


def main(wheel: str, readme: str) -> None:
    page, _, _ = Path(readme).read_text(encoding="utf-8").partition("## Reproduce the paper")
    (extras,) = re.findall(r'^pip install "\.\[([\w,]+)\]"', page, re.MULTILINE)
    with tempfile.TemporaryDirectory() as folder:
        uv("venv", folder)
        uv("pip", "install", "--python", folder, wanted(wheel, tuple(extras.split(","))))
        place = Path(folder)
        for name, rows in FILES.items():
            (place / name).write_text("\n".join(rows) + "\n")
        program = "".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
        run(place, place / "bin/python", "-I", "-c", program)
        commands = re.findall(r"^(skewproof .*)$", page, re.MULTILINE)
        assert len(commands) >= 6, f"{len(commands)} commands in the README: expected six or more"
        for command in commands:
            run(place, "sh", "-c", f"bin/{command}")
            print(command)


def run(place: Path, *command: str | Path) -> None:
    subprocess.run(command, cwd=place, input=ANSWERS, stdout=subprocess.PIPE, check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
