"""A small study has the pages' numbers that do not depend on its size."""

import sys

import pytest

from study import PROJECT

sys.path.insert(0, str(PROJECT / "docs/filling"))
import markers
from values import VALUES

OF_ANY_SIZE = {
    "tharwat": {"printed", "agreeing", "claims", "claims_that_hold", "discrepancies"},
    "survey": {"discrepancies"},
    "mullick": {"discrepancies"},
    "burduk": {"discrepancies", "likeness_of_g_mean", "pairs", "pairs_as_claimed"},
}


@pytest.mark.slow
@pytest.mark.parametrize("study", OF_ANY_SIZE)
def test_a_small_study_gives_the_numbers_of_the_pages(whole, study):
    found, stored = VALUES[study](whole.folder / "results"), markers.stored_values()
    expected = {name: stored[f"{study}.{name}"] for name in OF_ANY_SIZE[study]}
    assert {name: float(found[name]) for name in expected} == pytest.approx(expected, rel=1e-9)
