"""Lemmas 2 and 3 of Mullick et al."""

import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from skewproof.multiclass.bounds import bounds
from skewproof.multiclass.measures import auroc_ova, auroc_ovo
from skewproof_studies.mullick.conditions.lemmas import lemma_2, lemma_3


@given(st.integers(2, 6).flatmap(lambda c: arrays(float, c, elements=st.integers(1, 1000))))
def test_lemmas_2_and_3_are_the_bounds_by_the_best_columns(sizes):
    ovo, ova = (bounds(measure, sizes) for measure in (auroc_ovo, auroc_ova))
    assert ovo.exact
    assert (ovo.low, ovo.high) == pytest.approx((lemma_2(len(sizes)), 1), abs=1e-12)
    assert ova.exact
    assert (ova.low, ova.high) == pytest.approx((lemma_3(sizes), 1), abs=1e-12)
