import math
import operator
import re
from xml.etree import ElementTree

import numpy as np
import pytest
import sympy

from skewproof.core.confusion import ConfusionMatrix, matrix_of
from skewproof.core.formulas.metrics import parse_metric
from skewproof.core.normalize import normalized
from skewproof.metrics import METRICS
from skewproof.metrics.atlas import ATLAS
from skewproof.reporting.shown_formula import (
    number_text,
    set_in_math,
    typed,
    typed_matrix,
    typed_matrix_of_rates,
)

MATRICES = matrix_of(np.random.default_rng(0).uniform(1, 100, (4, 50)))


def read(text):
    """Read a typed formula without special cases as a metric."""
    return parse_metric(text.partition(";")[0].replace("pi", repr(math.pi)))


@pytest.mark.slow
def test_a_typed_formula_is_read_as_the_metric(subtests):
    for key, metric in METRICS.items():
        with subtests.test(key):
            found = read(typed(metric(typed_matrix())))
            np.testing.assert_allclose(found(MATRICES), metric(MATRICES), rtol=1e-12)
            found = read(typed(metric(typed_matrix_of_rates())))
            expected = normalized(metric, key="n", symbol="n", source="")
            np.testing.assert_allclose(found(MATRICES), expected(MATRICES), rtol=1e-9)


def test_functions_are_named_as_they_are_read():
    metric = parse_metric("max(tp/P, min(tn/N, sqrt(tp/P))) + abs(tp/P - fp/N)")
    text = typed(metric(typed_matrix()))
    np.testing.assert_allclose(read(text)(MATRICES), metric(MATRICES), rtol=1e-12)
    assert "Max" not in text


def test_a_case_of_its_own_is_said():
    text = typed(METRICS["adjusted_g_mean"](typed_matrix()))
    assert text.endswith("; 0 where tp/P = 0")


SIGNS = {"=": "__eq__", ">": "__gt__", "<": "__lt__", ">=": "__ge__", "<=": "__le__"}


def holds(condition, matrix):
    """Return whether a typed condition holds for one matrix."""
    left, sign, right = re.fullmatch(r"(.*) (=|>=|<=|>|<) (.*)", condition).groups()
    symbols = {
        "P": float(matrix.positives),
        "N": float(matrix.negatives),
        "sqrt": math.sqrt,
        **{name: float(getattr(matrix, name)) for name in ("tp", "fp", "fn", "tn")},
    }
    values = [eval(side, {"__builtins__": {}}, symbols) for side in (left, right)]
    return getattr(operator, SIGNS[sign].strip("_"))(*values)


def the_value_is_that_of_the_case(metric, text):
    formula, cases = text.split("; ")
    seen = set()
    cells = np.random.default_rng(0).uniform(0.5, 30, (4, 60))
    for place, (tp, fp, fn, tn) in enumerate(cells.T):
        matrix = ConfusionMatrix(tp=tp * (place > 10), fp=fp, fn=fn * (place < 50), tn=tn)
        chosen = formula
        for case in cases.split(", else "):
            value, condition = case.split(" where ")
            if all(holds(part, matrix) for part in condition.split(" and ")):
                chosen = value
                break
        seen.add(chosen)
        found = float(parse_metric(chosen)(matrix)) if re.search("[a-z]", chosen) else float(chosen)
        assert found == pytest.approx(float(metric(matrix)), rel=1e-9)
    assert len(seen) > 1


@pytest.mark.slow
def test_the_case_whose_condition_holds_has_the_value(subtests):
    """The value is that of the first printed condition that holds."""
    texts = {key: typed(metric(typed_matrix())) for key, metric in ATLAS.items()}
    texts = {key: text for key, text in texts.items() if " where " in text}
    assert texts
    for key, text in texts.items():
        with subtests.test(key):
            the_value_is_that_of_the_case(ATLAS[key], text)


def test_numbers_of_many_digits_are_rounded():
    assert number_text(sympy.Rational(1, 3)) == "1/3"
    assert float(number_text(sympy.Integer(7) ** 300)) == pytest.approx(7.0**300, rel=1e-12)


@pytest.mark.parametrize("key", ["f1", "g_mean", "adjusted_g_mean", "optimized_precision"])
def test_mathml_is_whole_and_has_the_symbols_of_the_paper(key):
    markup = set_in_math(METRICS[key](typed_matrix()))
    tree = ElementTree.fromstring(f"<p>{markup.replace('&InvisibleTimes;', '')}</p>")
    names = {"".join(name.itertext()) for name in tree.iter() if name.tag.endswith("msub")}
    assert names <= {"tp", "fp", "fn", "tn"}
    assert names
