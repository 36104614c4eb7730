"""Sentences about a change, by hand."""

import math

import pytest

from skewproof.slices.sentences import sentence

ROW = {
    **{"metric": "f1", "value": 0.48, "reference_value": 0.62, "p": 1e-7, "p_adjusted": 1e-6},
    **{"difference": -0.14, "difference_low": -0.18, "difference_high": -0.10},
    **{"prevalence_part": -0.13, "prevalence_part_low": -0.16, "prevalence_part_high": -0.11},
    **{"prevalence_order_min": -0.14, "prevalence_order_max": -0.12, "classifier_part": -0.01},
    **{"classifier_part_low": -0.05, "classifier_part_high": 0.03, "classifier_p_adjusted": 0.7},
    **{"size_part": 0.0, "size_part_low": 0.0, "size_part_high": 0.0},
}
FELL = "f1 fell by 0.14 (0.10 to 0.18): "
PREVALENCE, CLASSIFIER = (
    "prevalence -0.13 (-0.16 to -0.11)",
    "the classifier -0.01 (-0.05 to +0.03)",
)
DOUBT = "; the classifier's part cannot be distinguished from 0"


def ends(low, high, part="classifier_part"):
    return {f"{part}_low": low, f"{part}_high": high}


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({}, f"{FELL}{PREVALENCE}, {CLASSIFIER}{DOUBT}"),
        # The interval of this slice alone is beyond 0, the adjusted p-value is not below alpha.
        (
            ends(-0.05, -0.002) | {"classifier_p_adjusted": 0.0512},
            f"{FELL}{PREVALENCE}, the classifier -0.01 (-0.05 to 0.00){DOUBT} after adjustment"
            " for all slices (p = 0.051)",
        ),
        (
            ends(-0.05, -0.002) | {"classifier_p_adjusted": 0.01},
            f"{FELL}{PREVALENCE}, the classifier -0.01 (-0.05 to 0.00)",
        ),
        (
            ends(-0.0139, 0.0139) | {"classifier_part": -0.004},
            f"{FELL}nearly all of it is due to prevalence, since no other part exceeds 10% of it:"
            " the classifier -0.01 to +0.01",
        ),
        (ends(0, 0) | {"classifier_part": 0}, f"{FELL}all of it is due to prevalence"),
        (
            ends(0, 0, "prevalence_part") | {"prevalence_part": 0},
            f"{FELL}all of it is due to the classifier",
        ),
        (
            {"size_part": -0.0001} | ends(-0.0002, 0.0, "size_part") | ends(-0.001, 0.001),
            f"{FELL}nearly all of it is due to prevalence, since no other part exceeds 10% of it:"
            " the classifier 0.00 to 0.00, the number of instances 0.00 to 0.00",
        ),
        # Rounded one by one: -.10 and -.05 are not -.14 in all.
        (
            {"prevalence_part": -0.0951, "classifier_part": -0.0451}
            | ends(-0.12, -0.07, "prevalence_part")
            | ends(-0.06, -0.02)
            | {"classifier_p_adjusted": 0.01},
            f"{FELL}prevalence -0.10 (-0.12 to -0.07), the classifier -0.05 (-0.06 to -0.02)",
        ),
        (
            {"prevalence_order_min": -0.14, "prevalence_order_max": -0.09},
            f"{FELL}{PREVALENCE}, {CLASSIFIER}{DOUBT}; depending on the order of exchange,"
            " prevalence's part is -0.14 to -0.09",
        ),
        (
            {"prevalence_part": math.nan, "classifier_part": math.nan},
            f"{FELL}its parts cannot be assessed, since f1 is undefined or infinite with some of"
            " its rates and some of its reference's",
        ),
        (
            ends(-0.29, 0.01, "difference") | {"p_adjusted": 0.06},
            "f1 changed by -0.14 (-0.29 to +0.01), which cannot be distinguished from 0",
        ),
        (
            ends(-0.29, -0.01, "difference") | {"p_adjusted": 0.06},
            "f1 changed by -0.14 (-0.29 to -0.01), which cannot be distinguished from 0 after"
            " adjustment for all slices (p = 0.06)",
        ),
        (
            {"difference": 0.0, "prevalence_part": 0.196, "classifier_part": -0.196}
            | ends(-0.05, 0.058, "difference")
            | ends(0.1, 0.3, "prevalence_part")
            | ends(-0.3, -0.1)
            | {"p_adjusted": 1, "classifier_p_adjusted": 0.01}
            | {"prevalence_order_min": 0.196, "prevalence_order_max": 0.196},
            "f1 changed by 0.00 (-0.05 to +0.06), which cannot be distinguished from 0, but the"
            " classifier's part can: prevalence +0.20 (+0.10 to +0.30), the classifier -0.20"
            " (-0.30 to -0.10)",
        ),
        (
            {"difference": 0.0014, "prevalence_part": 0.0013, "classifier_part": 0.0001}
            | ends(0.001, 0.0018, "difference")
            | ends(0.0011, 0.0015, "prevalence_part")
            | ends(-0.0003, 0.0005)
            | {"prevalence_order_min": 0.0013, "prevalence_order_max": 0.0013},
            "f1 rose by 0.0014 (0.0010 to 0.0018): prevalence +0.0013 (+0.0011 to +0.0015), the"
            f" classifier +0.0001 (-0.0003 to +0.0005){DOUBT}",
        ),
        (
            {"classifier_p_adjusted": math.nan},
            f"{FELL}{PREVALENCE}, {CLASSIFIER}{DOUBT}, since its p-value is undefined",
        ),
        ({"difference": math.inf, "value": math.inf}, "f1 went from 0.62 to inf"),
        ({"difference": math.nan, "value": math.inf}, "f1 is inf here and on its reference"),
        (
            {"value": math.nan},
            "f1 is undefined here (no instances)",
        ),
        (
            {"value": math.nan, "reference_value": math.nan},
            "f1 is undefined here (no instances) and on its reference (by its formula)",
        ),
        (
            {"p": math.nan},
            "f1 is 0.48 here and 0.62 on its reference, a difference that cannot be assessed: no"
            " instances here",
        ),
    ],
)
def test_a_change_in_words(change, text):
    why = "no instances", "by its formula"
    assert sentence(ROW | change, why, alpha=0.05, negligible=0.1) == text


def test_a_difference_that_rates_nearby_leave_undefined():
    text = sentence(ROW | {"p": math.nan}, ("", ""), alpha=0.05, negligible=0.1)
    assert text.endswith("cannot be assessed: it is undefined at rates next to the observed ones")
