"""A law of all areas over the whole range of classifiers; some seconds, each area being exact."""

from hypothesis import given, settings, strategies as st

from skewproof_studies.tharwat.areas import AREA_KINDS
from skewproof_studies.tharwat.binormal import Binormal


@settings(max_examples=10)
@given(separation=st.floats(0.5, 3), prevalence=st.floats(0.001, 0.9))
def test_areas_lie_between_0_and_1_and_a_better_classifier_has_better_ones(separation, prevalence):
    worse, better = Binormal(separation, prevalence), Binormal(separation + 0.5, prevalence)
    for name, kind in AREA_KINDS.items():
        first, second = kind.population(worse).value, kind.population(better).value
        assert 0 <= first <= 1
        assert second < first if name in ("det", "equal_error_rate") else second > first
