from pathlib import Path

import pytest

from skewproof_studies.burduk import discrepancies as known
from skewproof_studies.burduk.claim import claim_shares
from skewproof_studies.burduk.discrepancies import discrepancies, discrepancy_report
from written import check_written

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
    check_written(Path(__file__).with_name("discrepancies.txt"), report=discrepancy_report(found))
    assert not known.misprints(comparison.assign(agrees=True)).shown
    assert not known.any_tn(shares.assign(both=1.0)).shown
    of_one_size = discrepancies(printed, comparison, shares.assign(imbalance_ratio=1.0))
    assert not any("border" in one.place or "isolines" in one.place for one in of_one_size)


def test_whole_differences_are_no_discrepancy(printed):
    own = printed["metric"].isin(["mcc", "cohen_kappa"]) & printed["row"].str.startswith("|")
    whole = printed.assign(printed=printed["printed"].mask(own, 2 * printed["printed"]))
    assert not known.halved_differences(whole).shown
