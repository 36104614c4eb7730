import pytest

from skewproof_studies.burduk import discrepancies as known
from skewproof_studies.burduk.claim import claim_shares
from skewproof_studies.burduk.discrepancies import discrepancies

pytestmark = pytest.mark.slow  # they wait for tables that take long


@pytest.fixture(scope="module")
def shares(reactions_at_a_tenth):
    return claim_shares(reactions_at_a_tenth, 0.1).assign(imbalance_ratio=0.1)


@pytest.fixture(scope="module")
def found(printed, comparison, shares):
    return discrepancies(printed, comparison, shares)


def test_the_numbers_show_each(found, comparison, printed, shares):
    assert len({one.place for one in found}) == len(found) == 8
    assert all(one.shown for one in found)
    assert "printed 0.09, computed 0.2000" in found[0].evidence
    assert not known.misprints(comparison.assign(agrees=True)).shown
    assert not known.any_tn(shares.assign(both=1.0)).shown
    of_one_size = discrepancies(printed, comparison, shares.assign(imbalance_ratio=1.0))
    assert not any("border" in one.place or "isolines" in one.place for one in of_one_size)


def test_whole_differences_are_no_discrepancy(printed):
    assert "of the 30 printed differences 30 are half" in known.halved_differences(printed).evidence
    own = printed["metric"].isin(["mcc", "cohen_kappa"]) & printed["row"].str.startswith("|")
    whole = printed.assign(printed=printed["printed"].mask(own, 2 * printed["printed"]))
    assert not known.halved_differences(whole).shown


def test_where_isolines_turn_at_a_tenth(found):
    """HMNC on u = v sqrt(IR) is v (1 + IR)/(1 + sqrt(IR)); at u = IR that is v = sqrt(IR)."""
    evidence = next(one.evidence for one in found if "isolines" in one.place)
    root = 0.1**0.5
    low, high = (v * 1.1 / (1 + root) for v in (root, 1))
    assert f"from {low:.4f} to {high:.4f} turn right of IR by rates" in evidence
    assert "all of the values to 0.5500 left of it" in evidence
