"""Sentences about a change, as written."""

import math
from pathlib import Path

from skewproof.slices.sentences import sentence
from written import check_written

ROW = {
    **{"metric": "f1", "value": 0.48, "reference_value": 0.62, "p": 1e-7, "p_adjusted": 1e-6},
    **{"difference": -0.14, "difference_low": -0.18, "difference_high": -0.10},
    **{"prevalence_part": -0.13, "prevalence_part_low": -0.16, "prevalence_part_high": -0.11},
    **{"prevalence_order_min": -0.14, "prevalence_order_max": -0.12, "classifier_part": -0.01},
    **{"classifier_part_low": -0.05, "classifier_part_high": 0.03, "classifier_p_adjusted": 0.7},
    **{"size_part": 0.0, "size_part_low": 0.0, "size_part_high": 0.0},
}


def ends(low, high, part="classifier_part"):
    return {f"{part}_low": low, f"{part}_high": high}


def orders(low, high):
    return {"prevalence_order_min": low, "prevalence_order_max": high}


def of_difference(difference, prevalence_part, classifier_part):
    parts = {"prevalence_part": prevalence_part, "classifier_part": classifier_part}
    return {"difference": difference} | parts


CASES = {
    "a fall": {},
    # The interval of this slice alone is beyond 0, the adjusted p-value is not below alpha.
    "a certain interval": ends(-0.05, -0.002) | {"classifier_p_adjusted": 0.0512},
    "a certain part": ends(-0.05, -0.002) | {"classifier_p_adjusted": 0.01},
    "a negligible part": ends(-0.0139, 0.0139) | {"classifier_part": -0.004},
    "no part of the classifier": ends(0, 0) | {"classifier_part": 0},
    "no part of prevalence": ends(0, 0, "prevalence_part") | {"prevalence_part": 0},
    "three parts": {"size_part": -0.0001} | ends(-0.0002, 0.0, "size_part") | ends(-0.001, 0.001),
    # Rounded one by one: -.10 and -.05 are not -.14 in all.
    "rounded parts": of_difference(-0.14, -0.0951, -0.0451)
    | ends(-0.12, -0.07, "prevalence_part")
    | ends(-0.06, -0.02)
    | {"classifier_p_adjusted": 0.01},
    "orders": orders(-0.14, -0.09),
    "unknown parts": of_difference(-0.14, math.nan, math.nan),
    "an uncertain difference": ends(-0.29, 0.01, "difference") | {"p_adjusted": 0.06},
    "a certain interval of the difference": ends(-0.29, -0.01, "difference") | {"p_adjusted": 0.06},
    "parts that cancel": of_difference(0.0, 0.196, -0.196)
    | ends(-0.05, 0.058, "difference")
    | ends(0.1, 0.3, "prevalence_part")
    | ends(-0.3, -0.1)
    | {"p_adjusted": 1, "classifier_p_adjusted": 0.01}
    | orders(0.196, 0.196),
    "a small rise": of_difference(0.0014, 0.0013, 0.0001)
    | ends(0.001, 0.0018, "difference")
    | ends(0.0011, 0.0015, "prevalence_part")
    | ends(-0.0003, 0.0005)
    | orders(0.0013, 0.0013),
    "an undefined p-value": {"classifier_p_adjusted": math.nan},
    "to infinity": {"difference": math.inf, "value": math.inf},
    "infinity twice": {"difference": math.nan, "value": math.inf},
    "undefined here": {"value": math.nan},
    "undefined twice": {"value": math.nan, "reference_value": math.nan},
    "not assessable": {"p": math.nan},
}


def test_sentences_are_those_that_are_written():
    why = "no instances", "by its formula"
    sentences = {
        name: sentence(ROW | change, why, alpha=0.05, negligible=0.1) + "\n"
        for name, change in CASES.items()
    }
    nearby = sentence(ROW | {"p": math.nan}, ("", ""), alpha=0.05, negligible=0.1)
    sentences["undefined at rates nearby"] = nearby + "\n"
    check_written(Path(__file__).with_name("sentences.txt"), **sentences)
