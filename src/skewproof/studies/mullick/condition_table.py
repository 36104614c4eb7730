"""Which index satisfies which condition, beside what Mullick et al. say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from skewproof.metrics import get_metric
from skewproof.multiclass import MEASURES
from skewproof.multiclass.conditions import (
    condition_1,
    condition_2,
    lemma_2,
    lemma_3,
    second_and_third,
)
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measure import Measure, of_two_classes
from skewproof.studies.mullick.names import TWO_CLASS

PAPER = {
    ("two-class", "g_mean"): {1: True},
    ("two-class", "balanced_accuracy"): {1: True},
    ("two-class", "precision"): {1: False},
    ("two-class", "precision_recall_mean"): {1: False},
    ("two-class", "precision_i"): {1: True},
    ("two-class", "precision_recall_mean_i"): {1: True},
    ("multi-class", "g_mean"): {1: True, 2: True, 3: False},
    ("multi-class", "acsa"): {1: True, 2: True, 3: True},
    ("multi-class", "auroc_ovo"): {1: True, 2: False},
    ("multi-class", "auroc_ova"): {1: False, 2: False},
    ("multi-class", "nauroc_ova"): {1: False, 2: True},
    ("multi-class", "aurpc_ova"): {1: False, 2: True},
    ("multi-class", "maurpc_ova"): {1: True, 2: True, 3: True},
}
"""What the paper shows or says of each condition (Theorems 1 to 5, Sections 4 and 6, Figure 6)."""

COLUMNS = ["scope", "index", "condition", "classes", "satisfied", "paper", "agrees", "low", "high"]
COLUMNS += ["balanced_low", "balanced_high", "limit", "evidence"]


def conditions_table(classes: Sequence[int], *, seed: int) -> pd.DataFrame:
    """Every index under every condition.

    Parameters
    ----------
    classes
        Numbers of classes; Conditions 2 and 3 compare them.
    seed
        Seed of the searches.

    Returns
    -------
    Frame with the columns COLUMNS and a row for each condition and number of classes; Conditions 1
    and 3 have none for two classes, but for metrics of two. Evidence of Condition 1 is the proof or
    the counterexample; Condition 2 has the bounds over all class sizes and at equal ones, Condition
    3 the lowest limit with one class missed. Missing: satisfied where neither
    proof nor counterexample was found, paper and agrees where it says nothing.
    """
    rows = [_first("two-class", of_two_classes(get_metric(key)), 2, seed=seed) for key in TWO_CLASS]
    for index in MEASURES.values():
        rows += [
            _first("multi-class", index, number, seed=seed) for number in classes if number > 2
        ]
        rows += second_and_third(index, classes, seed=seed)
    for row in rows:
        said = PAPER.get((row["scope"], row["index"]), {}).get(row["condition"])
        undecided = said is None or row["satisfied"] is None
        row |= {"paper": said, "agrees": None if undecided else said == row["satisfied"]}
    return pd.DataFrame(rows, columns=COLUMNS)


def _first(scope: str, index: Measure, classes: int, *, seed: int) -> dict[str, Any]:
    found = condition_1(index, classes, seed=seed)
    evidence = found.proof
    if found.satisfied is False and found.matrix is not None and found.factors is not None:
        before, after = found.values
        rows = "; ".join(" ".join(f"{rate:.3f}" for rate in row) for row in found.matrix)
        factors = " ".join(f"{factor:.3g}" for factor in found.factors)
        evidence = f"{before:.4f} becomes {after:.4f}: rates {rows}, rows times {factors}"
    elif not evidence:
        evidence = "no counterexample found"
    key = {"scope": scope, "index": index.key, "condition": 1, "classes": classes}
    return key | {"satisfied": found.satisfied, "evidence": evidence}


def lemma_table(classes: Sequence[int], *, seed: int) -> pd.DataFrame:
    """Lower bounds of AUROC-OVO and AUROC-OVA by linear programs, beside Lemmas 2 and 3.

    Returns
    -------
    Frame with a row for each lemma, number of classes and kind of class sizes: lemma, classes,
    sizes, formula, linear_program.
    """
    rows = []
    for number in classes:
        random = np.random.default_rng([seed, number]).integers(1, 1000, number).astype(float)
        for name, sizes in (("equal", np.ones(number)), ("random", random)):
            text = name if name == "equal" else " ".join(f"{size:g}" for size in sizes)
            for lemma, key, formula in (
                (2, "auroc_ovo", lemma_2(number)),
                (3, "auroc_ova", lemma_3(sizes)),
            ):
                found = condition_2(MEASURES[key], sizes)
                rows.append((lemma, number, text, formula, found.low))
    return pd.DataFrame(rows, columns=["lemma", "classes", "sizes", "formula", "linear_program"])


def summarize_conditions(table: pd.DataFrame, lemmas: pd.DataFrame) -> str:
    """The conditions as Markdown: Figure 6's grouping, the lemmas, and where the paper differs."""
    keys = ["scope", "index", "condition"]
    said = table.assign(satisfied=table["satisfied"].astype("boolean"))
    # False where any counterexample was found, True where a proof was and none of these.
    verdicts = said.groupby(keys, sort=False).agg(
        satisfied=("satisfied", "min"), paper=("paper", "first")
    )
    stated = verdicts.dropna()
    met = stated["satisfied"] == stated["paper"]
    marks = verdicts["satisfied"].map({True: "yes", False: "no"}).unstack(sort=False)
    marks.columns = [f"Condition {number}" for number in marks.columns]
    claimed = verdicts.loc[("multi-class", "maurpc_ova", 2), "satisfied"]
    apart = (lemmas["formula"] - lemmas["linear_program"]).abs().max()
    sections = [
        "# The three conditions",
        f"Of the paper's {len(stated)} statements {met.sum()} are met.",
        "None is contradicted." if met.all() else stated[~met].to_markdown(),
        marks.fillna("").reset_index().to_markdown(index=False),
        "Where Condition 1 is satisfied SymPy proves it for two and three classes; for more, a"
        " search found no counterexample. Condition 2 compares bounds that are exact where an index"
        " is linear in the matrix, and found by a search elsewhere. conditions.csv has proofs,"
        " counterexamples, bounds and how they were found.",
        "## Bounds",
        f"Lemmas 2 and 3 and the linear programs agree within {apart:.1e}:",
        lemmas.to_markdown(index=False),
        "The text of Theorem 4 has column sums of rates of at most 1. The matrix that takes all"
        f" instances of {lemmas['classes'].max()} classes for the first has a column sum of"
        f" {_largest_column_sum(int(lemmas['classes'].max())):g}. The bounds claimed from it"
        f" {'hold' if claimed else 'do not hold'}.",
    ]
    return "\n\n".join(sections) + "\n"


def _largest_column_sum(classes: int) -> float:
    everything_first = np.zeros((classes, classes))
    everything_first[:, 0] = 1
    return float(MulticlassConfusionMatrix(everything_first).rates.predicted_sizes.max())
