import pytest
from mpmath import mp

from skewproof.probabilities import binormal_score


def by_mpmath(share, mean, deviation, calibrated):
    """Compute Brier score and log loss with 30 digits, from densities and Bayes' rule."""
    with mp.workdps(30):
        share, mean, deviation, assumed = (
            mp.mpf(repr(number)) for number in (share, mean, deviation, calibrated)
        )

        def forecast(x):
            hit, false = assumed * mp.npdf(x, mean, deviation), (1 - assumed) * mp.npdf(x)
            return hit / (hit + false), false / (hit + false)

        def integral(of_positives, of_negatives):
            def integrand(x):
                p, q = forecast(x)
                return share * mp.npdf(x, mean, deviation) * of_positives(p, q) + (
                    1 - share
                ) * mp.npdf(x) * of_negatives(p, q)

            ends = mp.linspace(-14, 14 + mean, 15)
            return float(mp.quad(integrand, ends))

        return {
            "brier": integral(lambda p, q: q**2, lambda p, q: p**2),
            "log_loss": integral(lambda p, q: -mp.log(p), lambda p, q: -mp.log(q)),
        }


@pytest.mark.parametrize(
    ("share", "mean", "deviation", "trained"),
    [(0.001, 2.0, 1.0, None), (0.001, 2.0, 1.0, 0.5), (0.3, 1.0, 1.5, None)],
)
@pytest.mark.slow
def test_losses_are_those_of_mpmath(share, mean, deviation, trained):
    expected = by_mpmath(share, mean, deviation, share if trained is None else trained)
    for key, value in expected.items():
        score = binormal_score(key, share, mean=mean, deviation=deviation, trained=trained)
        assert score == pytest.approx(value, rel=1e-10, abs=1e-13)


def test_parts_add_up():
    options = {"mean": 2, "trained": "1:1"}
    for key in ("brier", "log_loss"):
        score, off, resolved, unsure, skill = (
            binormal_score(f"{key}{part}", 0.01, **options)
            for part in ("", "_miscalibration", "_resolution", "_uncertainty", "_skill")
        )
        assert score == pytest.approx(off - resolved + unsure)
        assert skill == pytest.approx(1 - score / unsure)


@pytest.mark.parametrize(
    ("score", "at", "options", "message"),
    [
        ("briar", 0.1, {}, "score = 'briar': expected one of brier, brier_skill"),
        ("brier", "population", {}, "at = .*: expected one prevalence"),
        ("brier", 0.1, {"mean": 31}, "mean = 31: expected"),
        ("brier", 0.1, {"deviation": 0}, "deviation = 0: expected"),
        ("brier", 0.1, {"trained": "0.1..0.2"}, "trained = .*: expected one prevalence"),
    ],
)
def test_what_does_not_fit_is_refused(score, at, options, message):
    with pytest.raises(ValueError, match=message):
        binormal_score(score, at, **({"mean": 1} | options))
