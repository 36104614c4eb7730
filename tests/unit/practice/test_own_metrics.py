import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas import FormulaError
from skewproof.metrics import METRICS
from skewproof.practice.own_metrics import register_extra

MATRIX = ConfusionMatrix(tp=9, fp=4, fn=3, tn=20)


@pytest.fixture(autouse=True)
def registry():
    """The registry as it is, again after each test."""
    before = dict(METRICS)
    yield
    METRICS.clear()
    METRICS.update(before)


def test_a_formula_joins_with_its_normalized_variant():
    register_extra({"peirce": "tp/P - fp/N"})
    expected = (9 / 12 - 4 / 24 + 1) / 2  # from [-1, 1] to [0, 1]
    assert float(METRICS["peirce"](MATRIX)) == pytest.approx(expected)
    assert float(METRICS["peirce_i"](MATRIX)) == pytest.approx(expected)
    assert "scaled from [-1, 1]" in METRICS["peirce"].source


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("2*tp/(2*tp + fn + fp)", "f1"),
        ("(tp*tn - fp*fn)/sqrt((tp+fp)*P*N*(tn+fn))", "mcc"),
        ("2*(tp*tn - fp*fn)/((tp+fp)*N + P*(fn+tn))", "cohen_kappa"),
        ("(tp + tn)/(P + N) - abs(tn/N - tp/P)/(tn/N + tp/P)", "optimized_precision"),
    ],
)
def test_a_known_metric_has_its_known_variant(text, key):
    register_extra({"own": text})
    counts = np.random.default_rng(0).uniform(1, 50, (4, 100))
    matrix = ConfusionMatrix(*counts)
    for own, known in (("own", key), ("own_i", f"{key}_i")):
        np.testing.assert_allclose(METRICS[own](matrix), METRICS[known](matrix), atol=1e-8)
        assert METRICS[own].kinks == METRICS[known].kinks


def test_the_laplace_estimate_of_rates_is_rescaled():
    """Eq. 46."""
    register_extra({"own": "(tp + 1)/(tp + fp + 2)"})
    assert float(METRICS["own_i"](MATRIX)) == pytest.approx(
        float(METRICS["laplace_i"](MATRIX)), abs=1e-7
    )


def test_a_function_of_a_file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def recall(c):\n    return c.tp / c.positives\n")
    register_extra({"own": f"{path}:recall"})
    assert float(METRICS["own"](MATRIX)) == pytest.approx(9 / 12)


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("own", "tpr", "extra_metrics.own = 'tpr': 'tpr', character 1"),
        ("f1", "tp/P", "the key f1 is taken"),
        ("mcc_f1", "tp/P", "the key mcc_f1 is taken"),
        ("Own", "tp/P", "expected a key of small letters"),
        ("own", "tp/fp", "own is unbounded above"),
        ("own", "absent.py:f", "there is no file absent.py"),
        ("own", "MINE:absent", "has no function absent"),
        ("own", "MINE:fails", "fails fails on confusion matrices: no"),
        ("own", "MINE:total", "total gives the shape"),
    ],
)
def test_bad_definitions(tmp_path, key, text, message):
    path = tmp_path / "mine.py"
    path.write_text(
        "def fails(c):\n    raise RuntimeError('no')\n\n\ndef total(c):\n    return c.tp.sum()\n"
    )
    with pytest.raises(FormulaError) as caught:
        register_extra({key: text.replace("MINE", str(path))})
    assert message in str(caught.value)
    assert set(METRICS) >= {"f1", "mcc"}
    assert "own" not in METRICS
