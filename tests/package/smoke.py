"""Functions of an installation without extras, and messages about missing ones.

python -I tests/package/smoke.py README.md
"""

import doctest
import importlib
import importlib.util
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata, resources
from pathlib import Path

import skewproof

LIBRARIES = ["sympy", "yaml", "jinja2", "sklearn", "matplotlib", "SALib", "narwhals", "duckdb"]

PROMISED = {
    *("ConfusionMatrix", "metric", "normalized", "parse_metric", "Registry", "score"),
    *("interval", "compare", "project", "area"),
    *("exact_indices", "sobol_indices", "surface", "deviation", "behavior_type", "condition_2"),
}
"""Public names whose examples run without extras; those of others may need one, and say so."""

NEED_EXTRAS = {
    "audit": ("audit", lambda: skewproof.audit("f1")),
    "condition_1": (
        "audit",
        lambda: skewproof.multiclass.condition_1(skewproof.multiclass.MEASURES["acsa"], 3),
    ),
    "condition_3": (
        "audit",
        lambda: skewproof.multiclass.condition_3(
            skewproof.multiclass.MEASURES["acsa"], 3, lower_bound=0
        ),
    ),
    "get_scorer": ("scoring", lambda: skewproof.get_scorer("f1")),
    "invariance": (
        "audit",
        lambda: skewproof.sensitivity.invariance(
            skewproof.metrics.f1, skewproof.Level(1, 2), skewproof.Level(1, 1), positives=100
        ),
    ),
}
"""Public functions that need a library of an extra, with a call of each."""

PREDICTIONS = "y_true,y_pred\n1,1\n1,0\n0,0\n0,0\n"


def main(readme: Path) -> None:
    found = [name for name in LIBRARIES if importlib.util.find_spec(name)]
    assert not found, f"{found} are in the environment: expected none of an extra"
    for part in ("py.typed", "audits/choosing/catalog.yaml", "metrics/atlas/measures.csv"):
        assert resources.files("skewproof").joinpath(part).is_file(), f"no {part} in the wheel"
    try_readme(readme.read_text(encoding="utf-8"))
    try_examples()
    try_what_needs_extras()
    try_command()


def try_readme(text: str) -> None:
    """Run the first two Python examples of the page, and check two numbers of the second."""
    examples = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[:2]
    assert len(examples) == 2, "fewer than two Python examples in the page"
    names: dict[str, object] = {}
    for example in examples:
        exec(example, names)
    matrix = names["matrix"]
    assert abs(skewproof.metrics.f1(matrix) - 160 / (160 + 300 + 20)) < 1e-12
    assert abs(skewproof.metrics.f1_i(matrix) - 1.6 / (1.6 + 0.003 + 0.2)) < 1e-12


def try_examples() -> None:
    """Run examples of public names; those that fail must end with the sentence about the extra."""
    ran = set()
    for test in examples():
        said = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        if runner.run(test, out=said.write).failed:
            assert 'pip install "skewproof[' in said.getvalue(), said.getvalue()
        else:
            ran.add(test.name)
    missing = PROMISED - ran
    assert not missing, f"the examples of {missing} need an extra: expected that they run"


def try_what_needs_extras() -> None:
    """Check that messages name the needed extra."""
    for name, (extra, call) in NEED_EXTRAS.items():
        said = "nothing"
        try:
            call()
        except ImportError as error:
            said = str(error)
        pattern = rf'[^.\n]* needs [^.\n]*: pip install "skewproof\[{extra}\]"'
        assert re.fullmatch(pattern, said), f"{name} says {said}"


def examples() -> Iterator[doctest.DocTest]:
    """List examples of public names that import no library of an extra themselves."""
    stubs = Path(str(skewproof.__file__)).parent.glob("*/__init__.pyi")
    rooms = [importlib.import_module(f"skewproof.{stub.parent.name}") for stub in sorted(stubs)]
    public = {name: getattr(room, name) for room in (skewproof, *rooms) for name in room.__all__}
    for name, thing in public.items():
        assert thing.__doc__ or not callable(thing), f"{name} has no docstring"
        for test in doctest.DocTestFinder(recurse=False).find(thing, name, module=False):
            text = "".join(example.source for example in test.examples)
            if text and not re.search(rf"(?:import|from) (?:{'|'.join(LIBRARIES)})\b", text):
                yield test


def try_command() -> None:
    Path("predictions.csv").write_text(PREDICTIONS)
    for arguments, expected in (
        (["--version"], metadata.version("skewproof")),
        (["list"], "balanced_accuracy"),
        (["score", "predictions.csv", "--metrics", "accuracy"], "0.75"),
    ):
        ended = run_command(*arguments)
        assert (ended.returncode, ended.stderr) == (0, ""), ended.stderr
        assert expected in ended.stdout, ended.stdout
    refused = run_command("audit", "f1")
    assert (refused.returncode, refused.stdout) == (1, ""), refused
    assert re.fullmatch(r'skewproof: .*: pip install "skewproof\[audit\]"\n', refused.stderr)


def run_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = Path(sys.executable).with_name("skewproof")
    return subprocess.run([command, *arguments], capture_output=True, text=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
