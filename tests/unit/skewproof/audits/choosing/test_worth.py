import json
import math

import pytest
from scipy import stats

from skewproof.audits import metrics_by_worth
from skewproof.audits.choosing.worth import MOST_SHOWN

SOME = ["accuracy", "f1", "mcc", "balanced_accuracy", "recall", "precision"]


def by_key(listed):
    return {row["metric"]: row for row in listed.rows}


@pytest.mark.slow
def test_rates_of_exchange_at_a_classifier():
    listed = metrics_by_worth(30, at="1:100", rates=(0.8, 0.05), metrics=SOME)
    tp, fp, fn, tn = 0.8, 5.0, 0.2, 95.0
    ppv, omitted = tp / (tp + fp), fn / (fn + tn)
    cutoffs = {
        "net_benefit": 1 / 31,
        "accuracy": 1 / 2,
        "f1": tp / (2 * tp + fp + fn),
        "mcc": (ppv + omitted) / 2,
        "balanced_accuracy": 1 / 101,
        "precision": ppv,
    }
    rows = by_key(listed)
    for key, cutoff in cutoffs.items():
        assert rows[key]["hit_is_worth"] == pytest.approx(1 / cutoff - 1)
    assert rows["true_positive_rate"]["hit_is_worth"] == math.inf
    assert "tpr" not in rows["f1"]
    assert listed.cutoff == pytest.approx(1 / 31)


@pytest.mark.slow
def test_the_nearest_come_first_and_those_within_a_factor_of_2_imply_it():
    listed = metrics_by_worth(8, at="1:100", rates=(0.8, 0.05), metrics=SOME)
    assert listed.rows[0]["metric"] == "net_benefit"
    finite = [row["hit_is_worth"] for row in listed.rows[1:-1]]
    distances = [abs(math.log(rate / 8)) for rate in finite]
    assert distances == sorted(distances)
    near = [row["metric"] for row in listed.rows[1:-1] if 4 <= row["hit_is_worth"] <= 16]
    assert listed.implied_by == near
    assert 0 < len(near) < len(SOME)


@pytest.mark.slow
def test_at_best_points_the_rate_is_that_of_the_curve():
    """Negatives to a positive over the likelihood ratio of normal densities 2 apart."""
    listed = metrics_by_worth(5, at="1:50", metrics=SOME)
    for key in ("net_benefit", "accuracy", "f1", "mcc", "balanced_accuracy"):
        row = by_key(listed)[key]
        threshold = stats.norm.isf(row["fpr"])
        assert row["tpr"] == pytest.approx(stats.norm.sf(threshold - 2))
        slope = stats.norm.pdf(threshold - 2) / stats.norm.pdf(threshold)
        assert row["hit_is_worth"] == pytest.approx(50 / slope)
        assert row["alarms_per_hit"] == pytest.approx(50 * row["fpr"] / row["tpr"])
    ends = by_key(listed)["precision"]
    assert math.isnan(ends["hit_is_worth"])
    assert not ends["implies"]


@pytest.mark.slow
def test_undefined_rates_are_null_in_json():
    listed = metrics_by_worth(1, at=0.02, metrics=["accuracy", "precision"])
    stored = json.loads(json.dumps(listed.to_dict(), allow_nan=False))
    assert stored["metrics"][-1]["hit_is_worth"] is None
    assert (stored["tpr"], stored["implied_by"]) == (None, ["accuracy"])
    for text in (listed.to_markdown(), listed._repr_html_()):
        assert "One hit is worth 1 false" in text
        assert text.count("net_benefit") == 1


@pytest.mark.slow
def test_all_metrics_that_need_no_number_of_instances():
    """Robust F has (d0·n + P + fp)/tp with P = 1 and d0 = 0.1: close to 110 alarms for a hit."""
    listed = metrics_by_worth(110, at="1:1000", rates=(0.9, 0.01))
    rows = by_key(listed)
    assert {"f1", "mcc", "g_mean", "robust_mcc"} <= rows.keys()
    assert not {"laplace", "adjusted_g_mean"} & rows.keys()
    assert listed.to_text().count("\n") < MOST_SHOWN + 25
    assert rows["robust_f"]["hit_is_worth"] == pytest.approx((0.1 * 1001 + 1 + 10) / 0.9)
    assert "robust_f" in listed.implied_by


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"worth": 2e9, "at": "1:10"}, "worth = 2000000000.0: expected"),
        ({"worth": 2, "at": "12/400"}, "at = '12/400': expected a stated prevalence"),
        ({"worth": 2, "at": 0.1, "rates": (0.5, 1)}, r"rates = \(0.5, 1\): expected"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        metrics_by_worth(**arguments)
