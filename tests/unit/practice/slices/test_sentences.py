"""What is said of a change, by hand."""

import pytest

from skewproof.practice.slices.sentences import sentence

SIZES = {"positives": 100, "negatives": 900}
ROW = SIZES | {
    "metric": "f1",
    "value": 0.48,
    "reference_value": 0.62,
    "difference": -0.14,
    "difference_low": -0.18,
    "difference_high": -0.10,
    "p_adjusted": 1e-6,
    "prevalence_part": -0.13,
    "prevalence_order_min": -0.14,
    "prevalence_order_max": -0.12,
    "classifier_part": -0.01,
    "classifier_p_adjusted": 0.7,
}
MOVED = "; the classifier's part can't be told from none"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({}, f"f1 fell by 0.14 (0.10 to 0.18): 0.13 is prevalence, 0.01 the classifier{MOVED}"),
        (
            {"classifier_p_adjusted": 0.01},
            "f1 fell by 0.14 (0.10 to 0.18): 0.13 is prevalence, 0.01 the classifier",
        ),
        (
            {"prevalence_part": -0.138, "classifier_part": -0.002},
            "f1 fell by 0.14 (0.10 to 0.18): all of it is prevalence",
        ),
        (
            {"prevalence_part": -0.2, "classifier_part": 0.06, "classifier_p_adjusted": 0.01},
            "f1 fell by 0.14 (0.10 to 0.18): prevalence -0.20, the classifier +0.06",
        ),
        (
            {"difference_high": 0.01, "difference_low": -0.29, "p_adjusted": 0.06},
            "f1 moved by -0.14 (-0.29 to +0.01), which can't be told from no change",
        ),
        (
            {"difference": 0.004, "difference_low": -0.05, "difference_high": 0.058}
            | {"p_adjusted": 0.9, "prevalence_part": 0.07, "classifier_part": -0.066}
            | {"classifier_p_adjusted": 0.01}
            | {"prevalence_order_min": 0.07, "prevalence_order_max": 0.07},
            "f1 moved by 0.00 (-0.05 to +0.06), which can't be told from no change:"
            " prevalence +0.07, the classifier -0.07",
        ),
        (
            {"prevalence_part": -0.001, "classifier_part": -0.139},
            f"f1 fell by 0.14 (0.10 to 0.18): 0.00 is prevalence, 0.14 the classifier{MOVED}",
        ),
        (
            {"prevalence_part": -0.001, "classifier_part": -0.139, "classifier_p_adjusted": 0.01},
            "f1 fell by 0.14 (0.10 to 0.18): all of it is the classifier",
        ),
        (
            {"prevalence_part": -0.0951, "classifier_part": -0.0449, "classifier_p_adjusted": 0.01},
            "f1 fell by 0.14 (0.10 to 0.18): 0.10 is prevalence, 0.04 the classifier",
        ),
        (
            {"prevalence_order_min": -0.14, "prevalence_order_max": -0.09},
            f"f1 fell by 0.14 (0.10 to 0.18): 0.13 is prevalence, 0.01 the classifier{MOVED};"
            " by the order in which they are exchanged, prevalence's part is -0.14 to -0.09",
        ),
        (
            {"difference": 0.0014, "difference_low": 0.001, "difference_high": 0.0018}
            | {"prevalence_part": 0.0013, "classifier_part": 0.0001}
            | {"prevalence_order_min": 0.0013, "prevalence_order_max": 0.0013},
            "f1 rose by 0.0014 (0.0010 to 0.0018): 0.0013 is prevalence, 0.0001 the classifier"
            f"{MOVED}",
        ),
        (
            {"size_part": -0.03, "prevalence_part": -0.1},
            "f1 fell by 0.14 (0.10 to 0.18): 0.10 is prevalence, 0.01 the classifier,"
            f" 0.03 the number of instances{MOVED}",
        ),
        ({"difference": 0.0}, "f1 did not move"),
        ({"difference": float("nan"), "value": float("inf")}, "f1 went from 0.62 to inf"),
        ({"positives": 0}, "f1 is not assessable: no positives"),
    ],
)
def test_a_change_in_words(change, text):
    assert sentence(ROW | change, SIZES, alpha=0.05) == text
