import numpy as np
import pytest
from made_metrics import made

from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.sensitivity.label_errors.indices import label_error_indices
from skewproof.sensitivity.label_errors.samples import sampled_label_error_indices

EXAMINED = [METRICS[key] for key in ("accuracy", "f1", "f1_i", "mcc", "optimized_precision")]


def sampled(metrics, level, **options):
    options = {"log2_samples": 10, "scrambles": 4, "seed": 1} | options
    return sampled_label_error_indices(metrics, Level.parse(level), 100, **options)


@pytest.mark.parametrize("level", ["1:1", "1:1000"])
@pytest.mark.slow
def test_samples_come_to_the_exact_shares(level):
    found = sampled(EXAMINED, level, log2_samples=11, scrambles=32)
    exact = label_error_indices(
        EXAMINED, positives=100, negatives=Level.parse(level).negatives(100)
    )
    for estimate, value in ((found.s1, exact.s1), (found.st, exact.st)):
        margin = 4 * estimate.standard_error + exact.error[:, np.newaxis] + 1e-12
        assert (np.abs(estimate.mean - value) <= margin).all()


def test_a_scramble_depends_on_its_number_and_the_level_alone():
    few, more = (sampled([METRICS["f1"]], "1:10", scrambles=number) for number in (2, 3))
    again = sampled(EXAMINED[:2], "1:10", scrambles=2)
    np.testing.assert_array_equal(few.s1.mean[0], again.s1.mean[1])
    assert (few.s1.mean != more.s1.mean).all()


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (lambda c: 0 * c.tp + 0.3, r"<lambda> is constant \(0\.3\)"),
        (lambda c: np.where(c.tpr > 0.3, c.tnr, np.nan), "<lambda> is undefined at"),
    ],
)
def test_what_has_no_shares_is_refused(formula, message):
    with pytest.raises(ValueError, match=message):
        sampled([made(formula)], "1:1")
