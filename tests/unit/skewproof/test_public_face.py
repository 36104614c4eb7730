"""What one imports from the package itself: all is there, documented, with examples that run."""

import doctest
import importlib
import inspect
import subprocess
import sys

import pytest

import skewproof
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS, get_metric

FUNCTIONS = [
    name
    for name in skewproof.__all__
    if callable(getattr(skewproof, name)) and not isinstance(getattr(skewproof, name), Metric)
]


def test_every_declared_metric_is_public():
    missing = [key for key in METRICS if getattr(skewproof, key, None) is not METRICS[key]]
    assert not missing, f"add {', '.join(missing)} to src/skewproof/__init__.pyi"


def test_the_list_is_what_one_sees():
    assert set(skewproof.__all__) <= set(dir(skewproof))
    assert len(set(skewproof.__all__)) == len(skewproof.__all__)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.slow
def test_examples_run(name):
    thing = getattr(skewproof, name)
    found = [
        test
        for test in doctest.DocTestFinder(recurse=inspect.isclass(thing)).find(
            thing, name, module=importlib.import_module(thing.__module__)
        )
        if test.examples
    ]
    if not (inspect.isclass(thing) and issubclass(thing, BaseException | Warning)):
        assert found, f"give the docstring of {name} an Examples section"
    for test in found:
        result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
        assert result.failed == 0, f"an example of {name} fails"


def test_the_text_of_a_metric_is_its_declaration():
    text = get_metric("f1_i").__doc__
    assert "Normalized F1 score (Eq. 43)." in text
    assert "Range: [0, 1]" in text
    assert "The class sizes do not enter: with u = tp/P and v = fp/N it is 2*u/(u + v + 1)." in text
    assert "the class sizes may enter" in get_metric("mcc").__doc__
    assert "Formula: t_p/(f_p + t_p)" in get_metric("precision").__doc__
    assert Metric.__doc__.startswith("A classification metric: a formula")


def test_importing_the_package_imports_none_of_its_rooms():
    code = "import sys, skewproof; print([name for name in sys.modules if 'skewproof.' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
