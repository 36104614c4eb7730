"""The printed formulas and directions of the atlas's pages, against the declarations by floats."""

import itertools
import re
from functools import reduce

import numpy as np
import pytest
import sympy

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.symbolic import matrix_in_paper_notation
from skewproof.metrics.atlas import ATLAS, COMMUNITIES
from skewproof.studies.atlas.pages import community_pages

pytestmark = pytest.mark.slow

TP, FP, FN, TN = np.array(
    [cells for cells in itertools.product([0, 1, 3, 7, 20], repeat=4) if sum(cells) > 1],
    dtype=float,
).T

with np.errstate(invalid="ignore"):
    PRINTED = {
        **{"t_p": TP, "f_p": FP, "f_n": FN, "t_n": TN},
        **{"P": TP + FN, "N": FP + TN, "P'": TP + FP, "N'": FN + TN},
        **{r"\Phi_{t_p}": TP / (TP + FN), r"\Phi_{f_n}": FN / (TP + FN)},
        **{r"\Phi_{f_p}": FP / (FP + TN), r"\Phi_{t_n}": TN / (FP + TN)},
        **{r"\rho_{t_p}": TP / (TP + FP), r"\rho_{t_n}": TN / (FN + TN)},
    }
"""What the symbols of a printed formula stand for, at matrices with and without zeros."""


def root(value):
    """The square root, of what rounding leaves beside 0 that of 0."""
    return np.sqrt(np.where(np.abs(value) < 1e-12, 0, value))


def logarithm(value):
    """The natural logarithm, and a number where there is none: 0 times it is 0."""
    found = np.log(value)
    return np.where(np.isfinite(found), found, -1e3)


def printed_values(formula, log):
    names = {
        "log": log,
        "sqrt": root,
        "Min": lambda *values: reduce(np.minimum, values),
        "Max": lambda *values: reduce(np.maximum, values),
    }
    symbols = sorted(formula.free_symbols, key=str)
    function = sympy.lambdify(symbols, formula, modules=[names, "scipy", "numpy"])
    with np.errstate(all="ignore"):
        found = function(*(PRINTED[str(symbol)] for symbol in symbols))
    return np.broadcast_to(np.asarray(found, dtype=float), TP.shape)


@pytest.fixture(scope="module")
def pages():
    return dict(community_pages())


@pytest.fixture(scope="module")
def sections(pages):
    """The text of each measure's place, by key."""
    parts = re.split(r"^\((\w+)\)=$", "\n".join(pages.values()), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_each_measure_has_its_place_on_one_page(pages):
    assert set(pages) <= {one.key.replace(" ", "_") for one in COMMUNITIES}
    anchors = [key for text in pages.values() for key in re.findall(r"^\((\w+)\)=$", text, re.M)]
    assert sorted(anchors) == sorted(ATLAS)


def test_what_a_place_says(sections):
    precision = sections["precision"]
    assert r"$$\rho_{t_p}$$" in precision
    assert "- confidence (association rules: " in precision
    assert "the class sizes may enter" in precision
    assert "Undefined or infinite where these are 0: fp and tp." in precision


@pytest.mark.parametrize("key", ATLAS)
def test_the_printed_formula_is_the_measure_at_zeros_too(key, sections):
    formula = sympy.sympify(ATLAS[key](matrix_in_paper_notation()))
    assert f"$${sympy.latex(formula)}$$" in sections[key]
    with np.errstate(all="ignore"):
        values = np.broadcast_to(ATLAS[key](ConfusionMatrix(TP, FP, FN, TN)), TP.shape)
    defined = np.isfinite(values)
    plain = printed_values(formula, np.log)
    np.testing.assert_array_equal(np.isfinite(plain) & ~defined, False)
    wrong = ~np.isclose(plain[defined], values[defined], rtol=1e-7, atol=1e-7)
    assert wrong.any() == (r"Here $0 \log x$ is 0" in sections[key])
    with_zeros = printed_values(formula, logarithm)
    np.testing.assert_allclose(with_zeros[defined], values[defined], rtol=1e-7, atol=1e-7)


def test_cases_at_zero_are_printed(sections):
    for key in ("naish_o", "naish_binary"):
        assert r"f_{n} > 0" in sections[key]


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("base_rate", "the same for all classifiers of given classes"),
        ("michael", "neither higher nor lower is better at all class sizes"),
        ("rajski_distance", "smallest for the perfect classifier and for the one that is always"),
        ("quantity_disagreement", "smallest wherever as many are called positive as are"),
        ("unknown_l", "from 0 to 1; higher is better"),
        ("rand_index", "from -∞ to 1, of whole counts from 0 to 1; largest for"),
    ],
)
def test_the_range_and_what_a_good_value_is(key, said, sections):
    assert said in sections[key]
