import hashlib
from pathlib import Path

import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix, matrix_of
from skewproof.core.formulas.metrics import FormulaError
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof_studies.settings.definitions import study_metrics
from skewproof_studies.settings.own_metrics import resolved

MATRIX = ConfusionMatrix(tp=9, fp=4, fn=3, tn=20)


def registry(**definitions):
    keys = [name for key in definitions for name in (key, f"{key}_i")]
    return study_metrics(["f1", *keys], resolved(definitions))


def test_a_formula_joins_with_its_normalized_variant():
    found = registry(peirce="tp/P - fp/N")
    assert list(found) == ["f1", "peirce", "peirce_i"]
    assert "peirce" not in METRICS
    assert float(found["peirce"](MATRIX)) == pytest.approx(9 / 12 - 4 / 24)
    expected = (9 / 12 - 4 / 24 + 1) / 2  # from [-1, 1] to [0, 1]
    for key in ("peirce", "peirce_i"):
        assert float(bounded(found[key])(MATRIX)) == pytest.approx(expected)
    assert "scaled from [-1, 1]" in found["peirce_i"].source
    assert found["peirce_i"].variant_of == "peirce"
    by_eq_46 = pytest.approx(float(METRICS["laplace_i"](MATRIX)), abs=1e-7)
    assert float(registry(own="(tp + 1)/(tp + fp + 2)")["own_i"](MATRIX)) == by_eq_46


def test_a_member_of_a_family_joins_with_its_normalized_variant():
    """The variant is the formula with the rates in place of tp and fp, and n = 2, P = 1."""
    found = registry(robust="robust_f(d0=1)")
    assert float(found["robust"](MATRIX)) == pytest.approx((36 / 12 + 2) * 9 / (36 + 12 + 13))
    assert float(found["robust_i"](MATRIX)) == pytest.approx(4 * 0.75 / (2 + 1 + 0.75 + 1 / 6))
    within = registry(half="1/2 - robust_f(d0=1)/2")["half"]
    assert float(within(MATRIX)) == pytest.approx((1 - 5 * 9 / (36 + 12 + 13)) / 2)
    with pytest.raises(FormulaError, match=r"extra_metrics.robust = .* no parameter 'd'"):
        registry(robust="robust_f(d=1)")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("2*tp/(2*tp + fn + fp)", "f1"),
        ("(tp*tn - fp*fn)/sqrt((tp+fp)*P*N*(tn+fn))", "mcc"),
        ("2*(tp*tn - fp*fn)/((tp+fp)*N + P*(fn+tn))", "cohen_kappa"),
        ("(tp + tn)/(P + N) - abs(tn/N - tp/P)/(tn/N + tp/P)", "optimized_precision"),
    ],
)
@pytest.mark.slow
def test_a_known_metric_has_its_known_variant(text, key):
    found = registry(own=text)
    counts = np.random.default_rng(0).uniform(1, 50, (4, 100))
    matrix = matrix_of(counts)
    for own, known in (("own", key), ("own_i", f"{key}_i")):
        values = bounded(found[own])(matrix)
        np.testing.assert_allclose(values, bounded(METRICS[known])(matrix), atol=1e-8)


def test_a_function_of_a_file_has_the_digest_of_the_file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def recall(c):\n    return c.tp / c.positives\n")
    definitions = {"own": f"{path}:recall", "formula": "tp/P"}
    assert float(registry(**definitions)["own"](MATRIX)) == pytest.approx(9 / 12)
    digests = [definition.digest for definition in resolved(definitions).values()]
    assert digests == [hashlib.sha256(path.read_bytes()).hexdigest(), ""]


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("own", "tpr", "extra_metrics.own = 'tpr': character 1"),
        ("f1", "tp/P", "the key f1 is taken"),
        ("Own", "tp/P", "expected a key of lowercase letters"),
        ("own", "tp/fp", "own is unbounded above"),
        ("own", "P", "'P' depends on the class sizes alone"),
        ("own", "MINE:size", "mine.py:size' depends on the class sizes alone"),
        ("own", "tp*(P - 1)", "own_i is 0 for all classifiers"),
        (5, "tp/P", "extra_metrics.5 = 'tp/P': expected a key of lowercase letters"),
        ("x" * 101, "tp/P", "underscores, at most 100"),
        ("own", 5, 'extra_metrics.own = 5: expected a formula in quotes, or "path/to/file.py:f'),
        ("own", "x" * 10**5, "the formula has 100000 characters: expected at most 10000"),
        ("own", "MINE:fails", "mine.py:fails fails on confusion matrices: RuntimeError: no"),
    ],
)
@pytest.mark.slow
def test_bad_definitions(tmp_path, monkeypatch, key, text, message):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "def fails(c):\n    raise RuntimeError('no')\n\n\ndef size(c):\n    return c.positives\n"
    )
    with pytest.raises(FormulaError) as caught:
        resolved({key: text.replace("MINE", "mine.py") if isinstance(text, str) else text})
    assert message in str(caught.value)
    assert len(str(caught.value).encode()) < 2000


def test_several_faults_are_told_at_once():
    texts = {"one": "tpr", "two": "tp/P", "three": "tp/fp", "f1": "tp/P"}
    with pytest.raises(FormulaError) as caught:
        resolved(texts)
    lines = str(caught.value).splitlines()
    assert [line.split()[0] for line in lines] == [
        "extra_metrics.one", "extra_metrics.three", "extra_metrics.f1",
    ]  # fmt: skip
    with pytest.raises(FormulaError, match="the key own_i is taken"):
        resolved({"own": "tp/P", "own_i": "fp/N"})
    with pytest.raises(FormulaError) as caught:
        resolved({f"own_{number}": "é" * 9000 for number in range(100)})
    assert len(str(caught.value).encode()) < 2000
    assert str(caught.value).splitlines()[-1].strip().endswith("more")
