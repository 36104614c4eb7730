"""Public names of the package: all exist and are documented, with examples that run."""

import doctest
import importlib
import inspect
import subprocess
import sys

import numpy as np
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
    text = skewproof.metrics.describe(get_metric("f1_i"))
    assert "Normalized F1 score (Eq. 43)." in text
    assert "Range: [0, 1]" in text
    assert (
        "Does not depend on the class sizes: with u = tp/P and v = fp/N it is 2*u/(u + v + 1)."
        in text
    )
    assert "Depends on the class sizes: at u = tp/P = 1/2" in skewproof.metrics.describe(
        get_metric("mcc")
    )
    assert "Formula: t_p/(f_p + t_p)" in skewproof.metrics.describe(get_metric("precision"))


def test_a_function_that_compares_values_is_described_without_a_formula():
    lower_rate = Metric("lower_rate", "l", "lower rate", "", lambda c: np.fmin(c.tpr, c.tnr))
    assert "Formula: none, since its function fails" in skewproof.metrics.describe(lower_rate)


def test_importing_the_package_imports_none_of_its_rooms():
    code = "import sys, skewproof; print([name for name in sys.modules if 'skewproof.' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
