"""The patients of Turck et al. (2010), whose scores the R package pROC compares.

Robin et al., BMC Bioinformatics 12:77, 2011, print the AUCs with two digits; further digits, the
statistics and the p-values are those of the package's own tests.
"""

import numpy as np
import pytest
from scipy.stats import norm

from skewproof import compare
from skewproof.curves import area
from skewproof.curves.areas.leave_one_out import RankedAUC
from skewproof.intervals.leave_one_out import Contrast, Variance

POOR = (
    "00001101001011001011101000000000100110110000000001100010001010011101101111000110"
    "100000010000000000001111110001000"
)
"""Outcome of 113 patients with an aneurysmal subarachnoid hemorrhage: 1 if it was poor."""

WFNS = (
    "11113254125255125225211112121134214541425511241125521251222151125214524414121421"
    "232421451154221113125225552445111"
)
"""Grade of the World Federation of Neurological Surgeons."""

S100B = (
    "13 14 10 4 13 10 47 16 18 10 12 10 44 71 4 8 49 4 7 33 9 9 7 11 7 17 7 11 13 19 5 "
    "16 41 14 34 35 48 9 96 25 50 46 16 7 43 45 11 8 9 86 52 8 6 13 207 10 14 15 7 6 77 "
    "5 9 30 3 9 4 23 70 9 27 71 8 26 8 16 9 13 10 8 11 33 11 28 7 10 32 22 7 5 24 38 10 "
    "15 8 14 10 7 4 19 56 14 58 32 82 74 15 47 17 44 15 50 48"
)
"""Hundredths of a microgram of the protein S100 beta in a liter."""

TRUE = np.array(list(POOR), dtype=int)
GRADE, PROTEIN = np.array(list(WFNS), dtype=float), np.array(S100B.split(), dtype=float)


def test_the_areas_are_those_that_are_printed():
    assert area("auc", TRUE, GRADE) == pytest.approx(0.8236789, abs=5e-8)
    assert area("auc", TRUE, PROTEIN) == pytest.approx(0.7313686, abs=5e-8)


def test_paired_areas_have_the_variance_of_delong():
    statistic, p_value = 2.20898359144091, 0.0271757822291882
    positive = TRUE == 1
    models = (RankedAUC.of(positive, scores) for scores in (PROTEIN, GRADE))
    contrast = Contrast(positive, *models, None)
    changes = contrast.at(0.5)
    z = changes.value / np.sqrt(Variance.total(contrast.of_rows(changes)).value)
    assert z == pytest.approx(statistic, rel=1e-12)
    assert 2 * norm.sf(z) == pytest.approx(p_value, rel=1e-9)
    # Student's distribution has a larger p-value.
    assert p_value < compare("auc", TRUE, PROTEIN, GRADE).p_value < 1.3 * p_value


def test_unpaired_areas_add_their_variances():
    """The statistic is the difference over its standard error."""
    difference = compare("auc", (TRUE, TRUE), PROTEIN, GRADE, paired=False)
    assert difference.value == compare("auc", TRUE, PROTEIN, GRADE).value
    error = difference.value / 1.43490640926908
    # Quantiles of Student's distribution with infinitely many and with 100 degrees of freedom.
    assert 1.9599 < (difference.high - difference.value) / error < 1.9841
