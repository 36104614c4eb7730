"""An installation without extras, and the messages about missing ones."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from skewproof.core.extras import EXTRAS, MissingExtraError, _Library, extra
from skewproof.core.formulas.symbolic import describe
from skewproof.metrics import get_metric

PROJECT = Path(__file__).parents[3]


def test_a_module_of_no_extra_is_an_error_as_ever():
    with pytest.raises(ModuleNotFoundError) as raised, extra("a card"):
        import skewproof.nothing  # noqa: F401
    assert type(raised.value) is ModuleNotFoundError
    assert raised.value.name == "skewproof.nothing"


def test_without_sympy_there_are_no_symbols(monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    sympy = _Library("sympy", "a proof")
    assert not hasattr(sympy, "__wrapped__")
    with pytest.raises(MissingExtraError, match=re.escape('pip install "skewproof[audit]"')):
        _ = sympy.Symbol


def test_without_sympy_a_description_says_what_shows_the_formula(monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    monkeypatch.setattr("skewproof.core.formulas.symbolic.sympy", _Library("sympy", "a proof"))
    text = describe(get_metric("g_mean"))
    assert 'Formula: a proof needs SymPy: pip install "skew' in text
    assert "Range: [0, 1]" in text
    assert "class size" not in text


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("audits.choosing.clusterings:rand", ([0, 0, 1], [0, 1, 1])),
        ("audits.choosing.clusterings:adjusted_rand", ([0, 0, 1], [0, 1, 1])),
        ("audits.choosing.clusterings:fowlkes_mallows", ([0, 0, 1], [0, 1, 1])),
        ("audits.choosing.clusterings:silhouette", ([[0.0], [1.0], [9.0]], [0, 0, 1])),
        ("audits.choosing.ranked_lists:ndcg", ([3, 0, 2], [0.9, 0.8, 0.7])),
        ("scoring.scoring:get_scorer", ("f1",)),
    ],
)
def test_without_scikit_learn(monkeypatch, function, arguments):
    module, name = function.split(":")
    monkeypatch.setitem(sys.modules, "sklearn.metrics", None)
    call = getattr(__import__(f"skewproof.{module}", fromlist=[name]), name)
    with pytest.raises(MissingExtraError) as raised:
        call(*arguments)
    assert str(raised.value) == f'{name} needs scikit-learn: pip install "skewproof[scoring]"'


@pytest.mark.slow
def test_all_but_the_named_functions_work_without_extras():
    """Another process runs it: here they are imported. `make package` tries the wheel itself."""
    absent = [*EXTRAS, "skewproof_studies"]
    code = f"""
import sys
sys.modules.update(dict.fromkeys({absent}))
sys.path.insert(0, {str(PROJECT / "tests/package")!r})
import smoke
smoke.try_readme({(PROJECT / "README.md").read_text()!r})
smoke.try_examples()
smoke.try_what_needs_extras()
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.slow
def test_every_extra_and_group_is_on_the_page():
    toml = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    named = {*toml["project"]["optional-dependencies"], *toml["dependency-groups"]}
    page = (PROJECT / "docs/guide/installing.md").read_text()
    assert named == set(re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE))
