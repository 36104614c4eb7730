"""Which measure satisfies which condition, beside what Mullick et al. state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from skewproof.metrics import get_metric
from skewproof.multiclass import MEASURES
from skewproof.multiclass.bounds import BoundsOverSizes
from skewproof.multiclass.conditions import Condition1, condition_1, condition_2, condition_3
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measure import Measure, of_two_classes
from skewproof.multiclass.search import Search
from skewproof.reporting.templates import render
from skewproof.studies.mullick.names import TWO_CLASS_NAMES
from skewproof.studies.mullick.statements import MULTICLASS, TWO_CLASS, stated


@dataclass(frozen=True, kw_only=True)
class ConditionRow:
    """A measure under a condition, for a number of classes; NaN and None are missing."""

    scope: str
    index: str
    condition: int
    classes: int

    satisfied: bool | None
    """None where neither proof nor counterexample was found."""

    paper: bool | None
    """What the paper states, if anything."""

    agrees: bool | None
    """Whether that is what was found; None where one of both is missing."""

    low: float
    high: float
    """Bounds over all class sizes."""

    balanced_low: float
    balanced_high: float
    """Bounds at equal class sizes."""

    limit: float
    """The lowest value as the recall of one class falls to 0."""

    evidence: str


def conditions_table(
    classes: Sequence[int],
    *,
    search: Search,
    measures: Sequence[Measure] = tuple(MEASURES.values()),
) -> pd.DataFrame:
    """Every measure under every condition.

    Parameters
    ----------
    classes
        Numbers of classes; Conditions 2 and 3 compare them.
    search
        How counterexamples and bounds are searched.
    measures
        The measures of any number of classes; beside them are the paper's metrics of two.

    Returns
    -------
    Frame with the fields of :class:`ConditionRow` and a row for each condition and number of
    classes; Conditions 1 and 3 have none for two classes, but for metrics of two. Evidence of
    Condition 1 is the proof or the counterexample; Condition 2 has the bounds over all class sizes
    and at equal ones, Condition 3 the lowest limit with one class missed.
    """
    more_than_two = [number for number in classes if number > 2]
    rows = []
    for key in TWO_CLASS_NAMES:
        found = condition_1(of_two_classes(get_metric(key)), 2, search=search)
        rows.append(_first_row(TWO_CLASS, key, 2, found))
    for measure in measures:
        for number in more_than_two:
            found = condition_1(measure, number, search=search)
            rows.append(_first_row(MULTICLASS, measure.key, number, found))
        rows += _second_and_third_rows(measure, classes, search)
    return pd.DataFrame(rows)


def _row(
    scope: str,
    key: str,
    condition: int,
    classes: int,
    *,
    satisfied: bool | None,
    evidence: str,
    limit: float = np.nan,
    bounds: BoundsOverSizes | None = None,
) -> ConditionRow:
    paper = stated(scope, key, condition)
    return ConditionRow(
        scope=scope,
        index=key,
        condition=condition,
        classes=classes,
        satisfied=satisfied,
        paper=paper,
        agrees=None if paper is None or satisfied is None else paper == satisfied,
        low=bounds.widest.low if bounds else np.nan,
        high=bounds.widest.high if bounds else np.nan,
        balanced_low=bounds.balanced.low if bounds else np.nan,
        balanced_high=bounds.balanced.high if bounds else np.nan,
        limit=limit,
        evidence=evidence,
    )


def _first_row(scope: str, key: str, classes: int, found: Condition1) -> ConditionRow:
    if found.satisfied is False:
        worst = found.worst
        rates = "; ".join(" ".join(f"{rate:.3f}" for rate in row) for row in worst.rates)
        factors = " ".join(f"{factor:.3g}" for factor in worst.factors)
        change = f"{worst.before:.4f} becomes {worst.after:.4f}"
        evidence = f"{change}: rates {rates}, rows times {factors}"
    else:
        evidence = found.proof or "no counterexample found"
    return _row(scope, key, 1, classes, satisfied=found.satisfied, evidence=evidence)


def _second_and_third_rows(
    measure: Measure, classes: Sequence[int], search: Search
) -> Iterator[ConditionRow]:
    second = condition_2(measure, classes, search=search)
    for number, bounds in second.bounds.items():
        how = "the best column of each row" if bounds.widest.exact else "search"
        yield _row(
            MULTICLASS,
            measure.key,
            2,
            number,
            satisfied=second.satisfied,
            evidence=f"bounds by {how}",
            bounds=bounds,
        )
        if number == 2:
            continue
        third = condition_3(measure, number, lower_bound=bounds.widest.low)
        yield _row(
            MULTICLASS,
            measure.key,
            3,
            number,
            satisfied=third.satisfied,
            evidence="limit as one class's recall falls to 0",
            limit=third.limit,
            bounds=bounds,
        )


def summarize_conditions(table: pd.DataFrame, lemmas: pd.DataFrame) -> str:
    """The conditions as Markdown: Figure 6's grouping, the lemmas, and where the paper differs.

    Parameters
    ----------
    table
        The result of :func:`conditions_table`.
    lemmas
        The result of :func:`skewproof.studies.mullick.lemmas.lemma_table`.
    """
    # False where any counterexample was found, True where a proof was and none of these.
    verdicts = (
        table.assign(satisfied=table["satisfied"].astype("boolean"))
        .groupby(["scope", "index", "condition"], sort=False)
        .agg(satisfied=("satisfied", "min"), paper=("paper", "first"))
    )
    comparable = verdicts.dropna()
    agrees = comparable["satisfied"] == comparable["paper"]
    marks = verdicts["satisfied"].map({True: "yes", False: "no"}).unstack(sort=False)
    marks.columns = [f"Condition {number}" for number in marks.columns]
    most_classes = int(lemmas["classes"].max())
    return render(
        "skewproof.studies.mullick",
        "conditions.md.jinja",
        statements=len(comparable),
        met=agrees.sum(),
        contradicted=comparable[~agrees],
        marks=marks.fillna("").reset_index(),
        lemmas=lemmas,
        largest_difference=(lemmas["formula"] - lemmas["best_columns"]).abs().max(),
        most_classes=most_classes,
        largest_column_sum=_largest_column_sum(most_classes),
        theorem_4_holds=verdicts.loc[(MULTICLASS, "maurpc_ova", 2), "satisfied"],
    )


def _largest_column_sum(classes: int) -> float:
    """The largest column sum of the rates where all instances are taken for the first class."""
    everything_first = np.zeros((classes, classes))
    everything_first[:, 0] = 1
    return float(MulticlassConfusionMatrix(everything_first).rates.predicted_sizes.max())
