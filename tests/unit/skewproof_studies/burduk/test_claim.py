import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.scales import bounded
from skewproof.metrics import get_metric
from skewproof_studies.burduk.claim import claim_in_the_tables, claim_shares, reactions
from skewproof_studies.burduk.tables import HMNC, OTHER_METRICS
from skewproof_studies.burduk.theorem_and_slopes import slopes


def test_the_claim_holds_in_every_pair_of_the_tables(rows):
    for table in rows.values():
        pairs = claim_in_the_tables(table)
        assert list(pairs["pair"]) == ["|psi1-psi2|", "|psi1-psi4|", "|psi2-psi3|", "|psi3-psi4|"]
        assert list(pairs["changes"]) == ["TP", "TN", "TN", "TP"]
        assert pairs["holds"].all()


@pytest.mark.slow
def test_shares_converge_with_the_grid():
    coarse, fine = (
        claim_shares(reactions(positives=1000, negatives=250, grid=grid), 0.25)["both"]
        for grid in (100, 200)
    )
    assert (coarse - fine).abs().max() < 0.01


@pytest.mark.slow
def test_the_comparison_with_other_metrics_is_the_same_by_counts():
    """A step of a millionth of an instance, away from where two metrics react alike."""
    u, v = np.random.default_rng(0).uniform(0.05, 0.95, (2, 200))
    sizes, step = {"positives": 1000, "negatives": 100}, 1e-6

    def reaction(key, tp_step, tn_step):
        after, before = (
            ConfusionMatrix.from_tp_fp(
                1000 * u + sign * tp_step, 100 * (1 - v) - sign * tn_step, **sizes
            )
            for sign in (1, -1)
        )
        metric = bounded(get_metric(key))
        return np.abs(metric(after) - metric(before)) / (2 * step)

    by_rates = dict(zip(("tp", "tn"), slopes(HMNC, u, v, **sizes), strict=True))
    for key in OTHER_METRICS:
        others = dict(zip(("tp", "tn"), slopes(key, u, v, **sizes), strict=True))
        for name, steps in {"tp": (step, 0), "tn": (0, step)}.items():
            hmnc, other = reaction(HMNC, *steps), reaction(key, *steps)
            apart = np.abs(hmnc - other) > 1e-3 * np.maximum(hmnc, other)
            assert apart.sum() > 150
            agree = (hmnc < other) == (by_rates[name] < others[name])
            assert agree[apart].all()
