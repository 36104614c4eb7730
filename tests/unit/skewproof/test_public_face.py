"""Public names of the package: all exist and are documented, with examples that run."""

import doctest
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import skewproof
from namespaces import namespaces
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS, get_metric
from skewproof.multiclass import Measure

PACKAGE = Path(skewproof.__file__).parent

PUBLIC = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (skewproof, *namespaces())
    for name in module.__all__
}

FUNCTIONS = [
    name
    for name, thing in PUBLIC.items()
    if callable(thing) and not isinstance(thing, Metric | Measure)
]


def test_every_declared_metric_is_public():
    missing = [key for key in METRICS if getattr(skewproof.metrics, key, None) is not METRICS[key]]
    assert not missing, f"add {', '.join(missing)} to src/skewproof/metrics/__init__.pyi"


def test_the_list_is_what_one_sees():
    for module in (skewproof, *namespaces()):
        assert set(module.__all__) <= set(dir(module))
        assert len(set(module.__all__)) == len(module.__all__)


def test_the_door_has_few_names_and_help_groups_them():
    groups = re.findall(r"^    +([a-z_A-Z, ]+)$", skewproof.__doc__, re.M)
    listed = [name for line in groups for name in re.findall(r"\w+", line)]
    assert sorted(listed) == sorted(skewproof.__all__)
    assert len(listed) <= 47


def test_no_name_means_two_things():
    by_name = {}
    for path, thing in PUBLIC.items():
        name = path.rpartition(".")[2]
        assert by_name.setdefault(name, thing) is thing, f"{path} is another {name}"


def test_no_module_hides_a_name():
    for module in (skewproof, *namespaces()):
        folder = Path(module.__file__).parent
        modules = {path.stem for path in folder.glob("*.py")}
        assert not modules & set(module.__all__), module.__name__


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("recall", "skewproof.metrics.true_positive_rate?"),
        ("f1", "skewproof.metrics.f1?"),
        ("sobol_indices", "skewproof.sensitivity.sobol_indices?"),
        ("Card", "skewproof.audits.Card?"),
        ("Yule's Q", "skewproof.get_metric('yule_q')?"),
        ("intervall", "'interval'?"),
    ],
)
def test_a_name_of_another_room_is_suggested(name, right):
    with pytest.raises(AttributeError, match=re.escape(f"did you mean {right}")):
        getattr(skewproof, name)


def test_a_name_like_no_other_gets_no_suggestion():
    with pytest.raises(AttributeError, match=r"has no attribute .qwertz.$"):
        skewproof.qwertz  # noqa: B018


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_public_has_an_example(name):
    thing = PUBLIC[name]
    if not (inspect.isclass(thing) and issubclass(thing, BaseException | Warning)):
        finder = doctest.DocTestFinder(recurse=inspect.isclass(thing))
        assert any(test.examples for test in finder.find(thing, name)), name


@pytest.mark.parametrize(
    "path",
    [
        path.relative_to(PACKAGE.parent).with_suffix("")
        for path in sorted(PACKAGE.rglob("*.py"))
        if ">>>" in path.read_text(encoding="utf-8")
    ],
    ids=str,
)
@pytest.mark.slow
def test_examples_run(path):
    """Those of public names and of all others."""
    module = importlib.import_module(".".join(path.parts).removesuffix(".__init__"))
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    assert doctest.testmod(module, optionflags=flags).failed == 0


def test_help_on_a_metric_says_what_it_is_and_how_to_call_it():
    text = inspect.getdoc(get_metric("f1"))
    assert text.startswith(
        "F1 score (van Rijsbergen 1975; Eq. 19).\n\nHarmonic mean of precision and recall."
    )
    assert "``f1(y_true, y_pred)``" in text
    assert "``skewproof.metrics.describe(f1)``" in text
    assert Metric.__doc__.startswith("A classification metric: a formula")


@pytest.mark.slow
def test_a_metric_is_described_by_its_declaration():
    text = skewproof.metrics.describe(get_metric("mcc"))
    assert "Depends on the class sizes: at u = tp/P = 1/2" in text


def test_a_function_that_compares_values_is_described_without_a_formula():
    lower_rate = Metric("lower_rate", "l", "lower rate", "", lambda c: np.fmin(c.tpr, c.tnr))
    assert "Formula: none, since its function fails" in skewproof.metrics.describe(lower_rate)


def test_importing_the_package_imports_none_of_its_rooms():
    code = "import sys, skewproof; print([name for name in sys.modules if 'skewproof.' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['skewproof.core', 'skewproof.core.namespace']"
