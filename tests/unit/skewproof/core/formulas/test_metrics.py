import dataclasses
import pickle
import re
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
import sympy
from matplotlib.mathtext import MathTextParser

from skewproof.core.confusion import ConfusionMatrix, matrix_of
from skewproof.core.formulas.metrics import FormulaError, ParsedFormula, parse_metric
from skewproof.core.formulas.symbolic import formula
from skewproof.core.normalize import normalized
from skewproof.core.scales import bounded
from written import check_written, refusals

MATRIX = ConfusionMatrix(tp=9, fp=4, fn=3, tn=20)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sqrt(tp*tn)/N", 180**0.5 / 24),
        ("abs(tp - tn)/(P + N)", 11 / 36),
        ("exp(-fp/N)", np.exp(-4 / 24)),
        ("log(1 + tp/P)", np.log(1.75)),
        ("max(tp/P, tn/N)", 20 / 24),
        ("(tp/P)**(1/3)", (9 / 12) ** (1 / 3)),
    ],
)
@pytest.mark.slow
def test_values(text, value):
    metric = parse_metric(text, key="own")
    assert float(metric(MATRIX)) == pytest.approx(value, rel=1e-14)
    exact = formula(metric).subs(dict(zip(sympy.symbols("t_p f_p f_n t_n", positive=True),
                                          (9, 4, 3, 20), strict=True)))  # fmt: skip
    assert float(exact) == pytest.approx(value, rel=1e-12)
    assert not exact.has(sympy.Float)


CODE = [
    *("__import__('os').system('true')", "tp.__class__", "(lambda: tp)()", "[x for x in tp]"),
    *("tp if fp else tn", "tp and fp", "tp < fp", "tp @ fp", "tp // fp", "tp % fp"),
    *("f'{tp}'", "(tp := 3)", "tp[0]", "print(tp)", "exec(tp)"),
]

NO_METRICS = [
    *("", "tp/(tp + fp", "tp = 3", "tp^2", "tpr/2", "tp + sqr(fp)", "tp fp", "tp(fp)", "abs*tp"),
    *("tp +", "tp)", "(tp, fp)", "min(tp,)", "1__0*tp", "tp\0", "ｐ", "sqrt(tp, fp)", "min(*tp)"),
    *("min(tp, fp, fn)", "tp/(fp - fp)", "0**-1*tp", "tp/min(log(0*tp),1)", "abs((1e-300)**-16)"),
    *("(tp + fp)**2 - tp**2 - 2*tp*fp - fp**2", "(16)**16", "tp + fn", "sqrt(P*N)/(P + N)"),
    *("(tp + fn)/P", "log(-tp)", "max(1e12, fp/9)", "tp/(max(1e12, fp/99) - 1e12)", "1e400*tp"),
    *("9**9**9*tp", "((tp**9)**9)/P", "tp**fp", "+" * 10_000 + "tp", "x" * 9000, 5),
    "tp*fp+(" * 300 + "tp" + ")" * 300,
]


@pytest.mark.slow
def test_what_is_no_metric_is_refused_and_never_run():
    check_written(
        Path(__file__).with_name("no_metrics.txt"),
        texts=refusals(parse_metric, NO_METRICS, FormulaError),
        code=refusals(parse_metric, CODE, FormulaError),
        keys=refusals(lambda key: parse_metric("tp", key=key), [None, "", "  ", 5, ["f1"]]),
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-" * 2000 + "tp", 9),
        ("-" * 2001 + "tp", -9),
        ("(" * 4000 + "tp" + ")" * 4000, 9),
        ("tp" + "+fp" * 3000, 9 + 3000 * 4),
        ("abs(" * 1900 + "-tp" + ")" * 1900, 9),
        ("tp/((tp/fp)**0.001)", 9 / (9 / 4) ** 0.001),
        ("tp/min(exp(exp(fn)),fn)", 9 / 3),
        ("max(tp - 100, 0)", 0),  # the same for all classifiers where there are few positives
        (".5e1*tp + 1_000.*fp", 45 + 4000),
        ("tp**(-1/2)", 1 / 3),
        ("\ttp\n+ fp ", 13),
    ],
    ids=lambda text: str(text)[:20],
)
@pytest.mark.slow
def test_long_and_deep_formulas_are_read(text, value):
    metric = parse_metric(text)
    assert float(metric(MATRIX)) == pytest.approx(value, rel=1e-14)
    assert pickle.loads(pickle.dumps(metric)) == metric


BY_VALUE = {
    (0, (0, 1, 2, 3)): "1/log(tp); exp(log(tp))",
    (3, (1, 0, 2, 3)): "min(3, tn/fp)",
    (-2, (1, 0, 2, 3)): "max(-2, log(fp))",
    (0, (1, 0, 2, 3)): "exp(-1/fp); tp/(1 + tn/fp); (tn/fp)**-2",
    (1, (1, 0, 2, 3)): "(tn/fp)**0",
    (1, (0, 1, 2, 3)): "(tp/P)**0",
    (np.inf, (1, 0, 2, 3)): "tn/fp; tn/(-fp); tn/(0*fp - 0*tp); tn/(1/log(fp)); fp**-1; (-fp)**-3",
    (-np.inf, (1, 0, 2, 3)): "-tn/fp",
    (-np.inf, (0, 1, 2, 3)): "log(tp)",
    (np.inf, (0, 1, 2, 3)): "abs(log(tp)); exp(1/tp); sqrt(1/tp)",
    (np.inf, (0, 0, 2, 3)): "1/tp + 1/fp",
    (np.nan, (0, 0, 2, 3)): (
        "tp/fp; 1/tp - 1/fp; (1/tp)/(1/fp); (tp/fp)**0; min(3, tp/fp); max(tp/fp, 1); 0*(tp/fp)"
    ),
    (np.nan, (0, 1, 2, 3)): "tp*log(tp)",
    (np.nan, (1, 0, 2, 3)): "log(tp - fn); sqrt(tp - fn)**2; ((tp - fn)**0.5)**2",
}
"""Formulas by their value, by the rule of parse_metric, and the cells tp, fp, fn and tn."""

STEPS = [(text, *key) for key, texts in BY_VALUE.items() for text in texts.split("; ")]


@pytest.mark.parametrize(("text", "value", "cells"), STEPS)
@pytest.mark.slow
def test_infinite_and_undefined_steps_follow_one_rule(text, value, cells):
    """The same on a matrix, on an array of them, and on exact numbers."""
    read = ParsedFormula(text)
    one = float(read(matrix_of(cells)))
    of_many = read(matrix_of(np.array([1.0, cell]) for cell in cells))
    many = np.broadcast_to(of_many, 2)[1]
    exact = sympy.sympify(read(matrix_of(map(sympy.Integer, cells))))
    assert not exact.has(sympy.zoo, sympy.I)
    np.testing.assert_array_equal([one, many, float(exact)], [value] * 3)


def random_text(random, depth):
    """Write arithmetic with as few parentheses as possible."""
    if depth == 0:
        return random.choice(["tp", "fp", "fn", "tn", "P", "N", "2", "3", "7"])
    left, right = (random_text(random, random.randrange(depth)) for _ in range(2))
    power = (
        f"{random.choice(['tp', 'P', '3', f'({left})'])}**{random.choice(['2', '3', '-1', '-2'])}"
    )
    signs = [f"{left} {sign} {right}" for sign in "+-*/"]
    return random.choice([*signs, *signs, f"-{left}", f"({left})", power])


def product_of_powers(text):
    """Multiply all powers, which the highest power of powers does not exceed."""
    return np.prod([int(power) for power in re.findall(r"\*\*-?(\d)", text)], initial=1)


@pytest.mark.slow
def test_operators_bind_as_python_s_do():
    """Python's own reading of the text, in rational numbers."""
    random, read = Random(0), 0
    names = {"tp": 9, "fp": 4, "fn": 3, "tn": 20, "P": 12, "N": 24}
    for _ in range(300):
        text = random_text(random, 4)
        numbers = {name: Fraction(value) for name, value in names.items()}
        exact = re.sub(r"\b(\d)\b(?<!\*\*\d)(?<!-\d)", r"Fraction(\1)", text)
        try:
            expected = eval(exact, {"Fraction": Fraction}, numbers)
        except ZeroDivisionError:
            continue
        if product_of_powers(text) > 16:
            continue
        read += 1
        found = float(ParsedFormula(text)(MATRIX))
        assert found == pytest.approx(float(expected), rel=1e-9, abs=1e-9)
    assert read > 150


@pytest.mark.parametrize("text", ["0**-1", "(1e-300)**-16", "(-8)**(1/3)", "1/0", "0*log(0)"])
def test_numbers_that_are_no_numbers_become_infinite_or_undefined(text, recwarn):
    assert not np.isfinite(ParsedFormula(text)(MATRIX))
    assert not recwarn.list


def test_exponentials_beyond_all_computers_are_undefined_exactly():
    """SymPy alone would look for the digits of e to the power 10^(10^43)."""
    matrix = matrix_of(map(sympy.Integer, (9, 4, 100, 20)))
    assert ParsedFormula("min(exp(exp(exp(fn))), fn)")(matrix) is sympy.nan
    assert ParsedFormula("min(sqrt(fp - tp), fn)")(matrix) is sympy.nan
    assert ParsedFormula("exp(tp - fp)")(matrix) == sympy.exp(5)


KEYS = [
    *("50%", "a#b", "a}b", "a{b", "a$b", "a$b$c", "a&b^2~c\\d\\"),
    *("\\frac", "a\nb\tc", "\x00", "\ud800"),
]


@pytest.mark.parametrize(
    ("text", "small", "large"),
    [
        ("max(1000, fp)", 1000, 10**6),
        ("max(1e9, fp)", 10**9, 10**11),
        ("max(tp/P, 300/N)", 3.0, 0.5),  # 300/N above 1 for fewer than 300 negatives
        ("tp/P + 1/(max(20000, fp) - 20000)", float("inf"), 0.5 + 1 / (10**6 - 20000)),
    ],
)
def test_what_varies_on_large_classes_alone_is_a_metric(text, small, large):
    """Values by hand at TPR 1/2 and FPR 1, with 100 negatives and with 10^6 or more."""
    own, negatives = parse_metric(text), max(10**6, int(large))
    sizes = {"positives": 10, "negatives": np.array([100, negatives])}
    found = own(ConfusionMatrix.from_rates(0.5, 1.0, **sizes))
    assert found.tolist() == pytest.approx([small, large])


@pytest.mark.parametrize("key", [*KEYS, "x" * 5000])
def test_any_key_can_be_drawn(key):
    parser = MathTextParser("path")
    own = parse_metric("tp/P - fp/N", key=key)
    assert own.key == key
    for one in (own, normalized(own), bounded(dataclasses.replace(own, bounds=(-1.0, 1.0)))):
        parser.parse(f"${one.symbol}$")


def test_the_drawn_key_has_the_keys_signs():
    """The glyphs of Matplotlib's layout, in their order, are the signs of the key."""
    parsed = MathTextParser("path").parse(
        f"${parse_metric('tp/P - fp/N', key='5%_#{a}$&b').symbol}$"
    )
    signs = "".join(chr(glyph[2]) for glyph in parsed.glyphs)
    assert signs.replace(" ", "") == "5%#{a}$&b"
