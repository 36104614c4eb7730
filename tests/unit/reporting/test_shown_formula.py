import doctest
import math
from xml.etree import ElementTree

import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas import parse_metric
from skewproof.core.normalize import normalized
from skewproof.metrics import METRICS
from skewproof.reporting import shown_formula
from skewproof.reporting.shown_formula import (
    set_in_math,
    typed,
    typed_matrix,
    typed_matrix_of_rates,
)

MATRICES = ConfusionMatrix(*np.random.default_rng(0).uniform(1, 100, (4, 50)))


def read(text):
    """The metric that a typed formula is read as, where it has no case of its own."""
    return parse_metric(text.partition(";")[0].replace("pi", repr(math.pi)))


@pytest.mark.parametrize("key", METRICS)
def test_a_typed_formula_is_read_as_the_metric(key):
    metric = METRICS[key]
    np.testing.assert_allclose(
        read(typed(metric(typed_matrix())))(MATRICES), metric(MATRICES), rtol=1e-12
    )
    of_rates = read(typed(metric(typed_matrix_of_rates())))
    np.testing.assert_allclose(
        of_rates(MATRICES), normalized(metric, key="n", symbol="n", source="")(MATRICES), rtol=1e-9
    )


def test_functions_are_named_as_they_are_read():
    metric = parse_metric("max(tp/P, min(tn/N, sqrt(tp/P))) + abs(tp/P - fp/N)")
    text = typed(metric(typed_matrix()))
    np.testing.assert_allclose(read(text)(MATRICES), metric(MATRICES), rtol=1e-12)
    assert "Max" not in text


def test_a_case_of_its_own_is_said():
    text = typed(METRICS["adjusted_g_mean"](typed_matrix()))
    assert text.endswith("; 0 where tp/P = 0")


@pytest.mark.parametrize("key", ["f1", "g_mean", "adjusted_g_mean", "optimized_precision"])
def test_mathml_is_whole_and_has_the_symbols_of_the_paper(key):
    markup = set_in_math(METRICS[key](typed_matrix()))
    tree = ElementTree.fromstring(f"<p>{markup.replace('&InvisibleTimes;', '')}</p>")
    names = {"".join(name.itertext()) for name in tree.iter() if name.tag.endswith("msub")}
    assert names <= {"tp", "fp", "fn", "tn"}
    assert names


def test_examples_run():
    assert doctest.testmod(shown_formula) == (0, 3)
