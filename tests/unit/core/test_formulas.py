import numpy as np
import pytest
import sympy

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas import FormulaError, parse_metric
from skewproof.core.symbolic import formula
from skewproof.metrics import METRICS

MATRIX = ConfusionMatrix(tp=9, fp=4, fn=3, tn=20)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("tp/P", 9 / 12),
        ("(tp*tn - fp*fn)/((tp+fp)*(fp+tn))", (9 * 20 - 4 * 3) / (13 * 24)),
        ("-fn/(P + N)", -3 / 36),
        ("sqrt(tp*tn)/N", 180**0.5 / 24),
        ("abs(tp - tn)/(P + N)", 11 / 36),
        ("exp(-fp/N)", np.exp(-4 / 24)),
        ("log(1 + tp/P)", np.log(1.75)),
        ("min(tp/P, tn/N)", 9 / 12),
        ("max(tp/P, tn/N)", 20 / 24),
        ("(tp/P)**2", (9 / 12) ** 2),
        ("(tp/P)**(1/3)", (9 / 12) ** (1 / 3)),
        ("1 - 0.5*fp/N", 1 - 0.5 * 4 / 24),
    ],
)
def test_values(text, value):
    metric = parse_metric(text, key="own")
    assert float(metric(MATRIX)) == pytest.approx(value, rel=1e-14)
    exact = formula(metric).subs(dict(zip(sympy.symbols("t_p f_p f_n t_n", positive=True),
                                          (9, 4, 3, 20), strict=True)))  # fmt: skip
    assert float(exact) == pytest.approx(value, rel=1e-12)
    assert not exact.has(sympy.Float)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("2*tp/(2*tp + fn + fp)", "f1"),
        ("((tp*tn - fp*fn)/sqrt((tp+fp)*P*N*(tn+fn)) + 1)/2", "mcc"),
        ("(tp/P + tn/N)/2", "balanced_accuracy"),
        ("(tp + 1)/(tp + fp + 2)", "laplace"),
    ],
)
def test_a_known_metric_written_anew(text, key):
    counts = np.random.default_rng(0).integers(0, 5, (4, 300)).astype(float)
    matrix = ConfusionMatrix(*counts)
    own, known = parse_metric(text, key="own")(matrix), METRICS[key](matrix)
    np.testing.assert_allclose(own, known, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the formula is empty"),
        ("tp/(tp + fp", "character 4: '(' was never closed"),
        ("tp = 3", "character 4: invalid syntax"),
        ("tpr/2", "character 1, 'tpr': expected one of tp, fp, fn, tn, P, N; did you mean 'tp'?"),
        ("tp + sqr(fp)", "character 6, 'sqr(fp)': expected one of sqrt, abs, log, exp, min, max"),
        ("sqrt(tp, fp)", "sqrt takes 1 argument"),
        ("min(tp)", "min takes 2 arguments"),
        ("min(*tp)", "min takes 2 arguments"),
        ("sqrt(x=tp)", "expected numbers, counts"),
        ("tp/(fp - fp)", "character 5, 'fp - fp': is always 0, and the formula divides by it"),
        ("tp/((tp + fp)**2 - tp**2 - 2*tp*fp - fp**2)", "is always 0"),
        ("2*3", "is 6 for every confusion matrix"),
        ("(tp + fn)/P", "is 1 for every confusion matrix"),
        ("log(-tp)", "undefined for every confusion matrix"),
        ("1e400*tp", "expected a number of at most 1e+12"),
        ("1j*tp", "expected a number"),
        ("True*tp", "expected a number"),
        ("'tp'", "expected numbers, counts"),
        ("9**9**9*tp", "character 4, '9**9': expected a number as exponent"),
        ("((tp**9)**9)/P", "expected powers of at most 16 in all"),
        ("tp**fp", "'fp': expected a number as exponent"),
        ("+" * 3000 + "tp", "expected at most 2000"),
    ],
)  # fmt: skip
def test_what_is_no_metric(text, message):
    with pytest.raises(FormulaError) as caught:
        parse_metric(text, key="own")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "tp.__class__",
        "(lambda: tp)()",
        "[x for x in tp]",
        "tp if fp else tn",
        "tp and fp",
        "tp < fp",
        "tp @ fp",
        "tp // fp",
        "tp % fp",
        "f'{tp}'",
        "(tp := 3)",
        "tp[0]",
        "print(tp)",
        "exec(tp)",
    ],
)
def test_no_code_is_run(text):
    with pytest.raises(FormulaError):
        parse_metric(text, key="own")
