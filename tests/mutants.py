"""Changes of meaning in the library that tests must notice.

``python tests/mutants.py draw`` writes ``tests/mutants.csv``: places in the rooms below, drawn with
a seed, and what each becomes. ``python tests/mutants.py run`` makes one change after the other in a
copy of the tree, runs the tests of the module and, while these pass, those of its room and the fast
ones of all rooms, and prints which changes no test has noticed. A module that has changed since the
draw is passed over.
"""

from __future__ import annotations

import ast
import csv
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LIST = Path(__file__).with_suffix(".csv")
ROOMS = (
    "audits",
    "curves",
    "decisions",
    "evaluation",
    "inspection",
    "intervals",
    "planning",
    "prevalence",
    "probabilities",
    "scoring",
    "sensitivity/printed_scores",
    "slices",
    "unlabeled",
)
A_ROOM, SEED = 5, 52

OPERATORS = {
    ast.Lt: ast.LtE,
    ast.Gt: ast.GtE,
    ast.Eq: ast.NotEq,
    ast.Add: ast.Sub,
    ast.Mult: ast.Div,
    ast.And: ast.Or,
}
OTHER = OPERATORS | {new: old for old, new in OPERATORS.items()}
NAMES = [("min", "max"), ("minimum", "maximum"), ("all", "any"), ("low", "high"), ("tp", "fp")]
NAME = dict(NAMES) | {second: first for first, second in NAMES}


class Mutant(NamedTuple):
    """A piece of a module's text, and what it becomes."""

    module: str
    line: int
    start: int
    end: int
    before: str
    after: str


def changed(node: ast.AST) -> ast.AST | None:
    """Return what a part of a program becomes, or None if it stays."""
    match node:
        case ast.Compare(left, [sign], right) if type(sign) in OTHER:
            return ast.Compare(left, [OTHER[type(sign)]()], right)
        case ast.BinOp(left, sign, right) if type(sign) in OTHER:
            return ast.BinOp(left, OTHER[type(sign)](), right)
        case ast.BoolOp(sign, parts):
            return ast.BoolOp(OTHER[type(sign)](), parts)
        case ast.UnaryOp(ast.Not() | ast.USub(), part):
            return part
        case ast.Constant(bool(value)):
            return ast.Constant(not value)
        case ast.Constant(int(value) | float(value)):
            return ast.Constant(value + 1 if isinstance(value, int) else 2 * value or 1.0)
        case ast.Name(name) if name in NAME:
            return ast.Name(NAME[name])
        case ast.Attribute(part, name) if name in NAME:
            return ast.Attribute(part, NAME[name])
    return None


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Return all changes of a module's functions; annotations stay."""
    text = path.read_text(encoding="utf-8")
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tree = ast.parse(text)
    kept = {
        id(part)
        for node in ast.walk(tree)
        for note in (getattr(node, "annotation", None), getattr(node, "returns", None))
        for part in (ast.walk(note) if note else ())
    }
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                after = None if id(node) in kept else changed(node)
                if after is not None:
                    start = starts[node.lineno - 1] + node.col_offset
                    end = starts[node.end_lineno - 1] + node.end_col_offset
                    before = text.encode()[start:end].decode()
                    name = path.relative_to(ROOT).as_posix()
                    yield Mutant(name, node.lineno, start, end, before, f"({ast.unparse(after)})")


def draw() -> None:
    """Draw changes of each room, and write their list."""
    generator = random.Random(SEED)
    with LIST.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Mutant._fields)
        for room in ROOMS:
            paths = sorted((ROOT / "src/skewproof" / room).rglob("*.py"))
            every = sorted({mutant for path in paths for mutant in mutants_of(path)})
            writer.writerows(sorted(generator.sample(every, A_ROOM)))


def outcome(mutant: Mutant, tree: Path) -> str:
    """Return whether a test fails in a copy of the tree."""
    path = tree / mutant.module
    text = path.read_bytes()
    if text[mutant.start : mutant.end].decode() != mutant.before:
        return "other text"
    path.write_bytes(text[: mutant.start] + mutant.after.encode() + text[mutant.end :])
    module = Path(mutant.module).relative_to("src")
    room = Path("tests/unit", *module.parts[:2])
    own = Path("tests/unit", module).with_name(f"test_{module.name}")
    environment = os.environ | {"PYTHONPATH": "src", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        for part, *options in ((own,), (room,), ("tests/unit", "-m", "not slow", "-n", "auto")):
            if (tree / part).exists():
                command = [sys.executable, "-m", "pytest", "-q", "-x", str(part), *options]
                done = subprocess.run(command, cwd=tree, env=environment, capture_output=True)
                if done.returncode in (1, 2):  # a test or an import fails
                    return "noticed"
    finally:
        path.write_bytes(text)
    return "SURVIVED"


def run() -> None:
    """Make each change of the list, and print which of them no test has noticed."""
    with LIST.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    mutants = [Mutant(row[0], *map(int, row[1:4]), *row[4:]) for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, symlinks=True, ignore=shutil.ignore_patterns(".git", ".venv"))
        outcomes = Counter[str]()
        for mutant in mutants:
            known = outcome(mutant, tree)
            outcomes[known] += 1
            change = f"{mutant.before} -> {mutant.after}"
            print(f"{known}: {mutant.module}:{mutant.line}: {change}", flush=True)
    print(dict(outcomes))


if __name__ == "__main__":
    {"draw": draw, "run": run}[sys.argv[1]]()
