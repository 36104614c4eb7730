"""The page on metrics made for imbalance, compared with the stored table of its study."""

import re

import pandas as pd

from study import PROJECT

PAGE = (PROJECT / "docs/guide/made_for_imbalance.md").read_text(encoding="utf-8")
KINDS = pd.read_csv(PROJECT / "docs/images/made_for_imbalance.csv")
KEPT = KINDS.pivot(index="measure", columns="kind", values="kept")

ROWS = {
    "balanced accuracy, G-mean, normalized variants": ("balanced_accuracy", "g_mean", "p4_i"),
    "balanced precision": ("precision_i",),
    "optimized precision": ("optimized_precision",),
    "robust F": ("robust_f_0_01", "robust_f_0_05", "robust_f", "robust_f_1"),
    "robust MCC": ("robust_mcc_0_01", "robust_mcc_0_05", "robust_mcc", "robust_mcc_0_5"),
    "F1, F*, P4 (GPS), kappa": ("f1", "gilbert_ratio", "p4", "cohen_kappa"),
    "accuracy, weighted accuracy": ("accuracy", "weighted_accuracy_0_9"),
    "efficiency index": ("sokal_sneath_iii",),
    "normalized expected cost": ("normalized_expected_cost",),
}
"""Measures of the rows of the page's table whose three kinds are the same."""


def rows():
    lines = (line.split(" | ") for line in PAGE.splitlines() if line.startswith("| "))
    return {line[0].removeprefix("| "): line[-1].removesuffix(" |") for line in lines}


def test_a_row_says_what_the_study_found():
    for name, keys in ROWS.items():
        said = rows()[name]
        for key in keys:
            assert set(KEPT.loc[key]) == {"lost" if said == "nothing" else said}, key


def test_what_is_said_of_precision_and_mcc():
    assert rows()["precision"] == "order and choice exactly"
    kept = KEPT.loc["precision", ["value", "order", "choice"]].to_list()
    assert kept == ["lost", "exactly", "exactly"]
    (evidence,) = KINDS.query("measure == 'mcc' and kind == 'choice'")["evidence"]
    assert evidence.startswith("not everywhere: equal deviations: TPR 0.08828,")


def test_the_page_has_a_thousand_words_at_most_and_the_alarms_by_hand():
    prose = re.sub(r"```.*?```|^\|.*?$", "", PAGE, flags=re.DOTALL | re.MULTILINE)
    assert len(prose.split("---", 2)[2].split()) <= 1000
    precision = 0.8 / (0.8 + 30)
    assert f"precision of this classifier is {precision:.3f}: of {2 / precision:.0f} alarms" in PAGE
