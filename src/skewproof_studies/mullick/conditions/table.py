"""Table of the measures that satisfy each condition, compared with the statements of Mullick et
al."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from skewproof.core.algebra import Array, Value
from skewproof.metrics import get_metric
from skewproof.multiclass.bounds import Bounds, bounds
from skewproof.multiclass.conditions import (
    BOUND_TOLERANCE,
    Condition1,
    condition_1,
    condition_2,
    condition_3,
)
from skewproof.multiclass.declaration import Measure, measure, of_two_classes
from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measures import auroc_ova, auroc_ovo
from skewproof.multiclass.missed import MissedClass, limit_of_a_missed_class
from skewproof.multiclass.search import Search
from skewproof_studies.mullick.paper import MULTICLASS, TWO_CLASS, TWO_CLASS_NAMES, stated

ANY, EQUAL = "any", "equal"
"""Class sizes that a verdict covers."""

PROOF, COUNTEREXAMPLE, SEARCH, COLUMNS = "proof", "counterexample", "search", "best columns"
"""Kinds of evidence for a verdict. For a measure that is linear in the matrix, the bounds by the
best column of each row are exact at given class sizes; over any sizes, only those tried are
examined."""


@measure(symbol=r"\beta", name="Recall", source="behind Eq. 5")
def recall(m: MulticlassConfusionMatrix) -> Value:
    """Return the recall of the first of two classes, the positive one, in [0, 1]."""
    return m.pair.tpr


@dataclass(kw_only=True)
class ConditionRow:
    """A measure and a condition for a number of classes; NaN and None are missing values."""

    scope: str
    index: str
    condition: int

    sizes: str = ANY
    """Class sizes that the verdict covers: ANY or only EQUAL ones."""

    classes: int

    satisfied: bool | None
    """Verdict; None if neither proof nor counterexample was found."""

    paper: bool | None = field(init=False)
    """Statement of the paper, if any."""

    agrees: bool | None = field(init=False)
    """True if statement and verdict agree; None if either is missing."""

    low: float = np.nan
    high: float = np.nan
    """Bounds over these class sizes."""

    limit: float = np.nan
    """Lowest value found as the recall of one class falls to 0."""

    basis: str
    """Evidence for the verdict: PROOF, COUNTEREXAMPLE, SEARCH or COLUMNS."""

    evidence: str

    def __post_init__(self) -> None:
        self.paper = stated(self.scope, self.index, self.condition) if self.sizes == ANY else None
        known = self.paper is not None and self.satisfied is not None
        self.agrees = self.paper == self.satisfied if known else None


def conditions_table(
    classes: Sequence[int],
    *,
    search: Search,
    measures: Sequence[Measure] = tuple(MEASURES.values()),
    metrics: Sequence[str] = tuple(TWO_CLASS_NAMES),
) -> pd.DataFrame:
    """Check every measure under every condition.

    Parameters
    ----------
    classes
        Numbers of classes; Conditions 2 and 3 compare them.
    search
        Options of the search for counterexamples and bounds.
    measures
        The measures of any number of classes.
    metrics
        Keys of the metrics of two classes that are examined besides Recall; Condition 2 applies
        them to the first class against all others together.

    Returns
    -------
    Frame with the fields of :class:`ConditionRow` and one row for each condition, number of classes
    and kind of class sizes. Condition 1 has only the kind "any". Conditions 1 and 3 have no row for
    two classes, except for metrics of two classes. Evidence is the proof, the counterexample, or
    the method for bounds and limits.
    """
    more_than_two = [number for number in classes if number > 2]
    rows: list[ConditionRow] = []
    for binary in [recall, *(of_two_classes(get_metric(key)) for key in metrics)]:
        rows.append(_first_row(TWO_CLASS, binary.key, 2, condition_1(binary, 2, search=search)))
        rows += _second_rows(TWO_CLASS, first_against_others(binary), classes, search)
    for many in measures:
        for number in more_than_two:
            condition = condition_1(many, number, search=search)
            rows.append(_first_row(MULTICLASS, many.key, number, condition))
        second = list(_second_rows(MULTICLASS, many, classes, search))
        rows += second
        for row in second:
            if row.classes > 2:
                rows.append(_third_row(many, row, search))
    return pd.DataFrame(rows)


def first_against_others(binary: Measure) -> Measure:
    """Extend a measure of two classes to any number: the first class against all others
    together."""

    def formula(matrix: MulticlassConfusionMatrix) -> Value:
        pairs = matrix.one_vs_all
        counts = [[pairs.tp, pairs.fn], [pairs.fp, pairs.tn]]
        pair = np.array([[count[..., 0] for count in row] for row in counts])
        return binary(MulticlassConfusionMatrix(np.moveaxis(pair, (0, 1), (-2, -1))))

    return Measure(binary.key, binary.symbol, binary.name, binary.source, formula)


def _first_row(scope: str, key: str, classes: int, condition: Condition1) -> ConditionRow:
    if condition.satisfied is False:
        worst = condition.worst
        rates = "; ".join(_numbers(row, ".3f") for row in worst.rates)
        change = f"{worst.before:.4f} becomes {worst.after:.4f}"
        evidence = f"{change}: rates {rates}, rows times {_numbers(worst.factors)}"
        basis = COUNTEREXAMPLE
    else:
        evidence = condition.proof or "no counterexample found"
        basis = PROOF if condition.proof else SEARCH
    return ConditionRow(
        scope=scope,
        index=key,
        condition=1,
        classes=classes,
        satisfied=condition.satisfied,
        basis=basis,
        evidence=evidence,
    )


def _second_rows(
    scope: str, examined: Measure, classes: Sequence[int], search: Search
) -> Iterator[ConditionRow]:
    second = condition_2(examined, classes, search=search)
    for number, over_sizes in second.bounds.items():
        for sizes, ends, satisfied in (
            (ANY, over_sizes.widest, second.satisfied),
            (EQUAL, over_sizes.balanced, second.satisfied_at_equal_sizes),
        ):
            yield ConditionRow(
                scope=scope,
                index=examined.key,
                condition=2,
                sizes=sizes,
                classes=number,
                satisfied=satisfied,
                low=ends.low,
                high=ends.high,
                basis=COLUMNS if ends.exact else SEARCH,
                evidence=_bounds_evidence(ends, sizes),
            )


def _bounds_evidence(ends: Bounds, sizes: str) -> str:
    if not ends.exact:
        return "bounds by search"
    where = "" if sizes == EQUAL else ", at each of the class sizes tried"
    return f"bounds by the best column of each row{where}"


def _third_row(many: Measure, second: ConditionRow, search: Search) -> ConditionRow:
    """Check Condition 3 over the class sizes of a row of Condition 2, against its lower bound."""
    if second.sizes == ANY:
        condition = condition_3(many, second.classes, lower_bound=second.low, search=search)
        limit, evidence = condition.limit, _limit_evidence(condition.worst)
    else:
        limit = limit_of_a_missed_class(many, np.ones(second.classes))
        evidence = "lowest limit with the missed class going to one class or evenly to all"
    satisfied = limit > second.low + BOUND_TOLERANCE
    return ConditionRow(
        scope=MULTICLASS,
        index=many.key,
        condition=3,
        sizes=second.sizes,
        classes=second.classes,
        satisfied=satisfied,
        low=second.low,
        high=second.high,
        limit=limit,
        basis=SEARCH if satisfied else COUNTEREXAMPLE,
        evidence=evidence,
    )


def _limit_evidence(worst: MissedClass) -> str:
    return (
        f"{worst.value:.6f} at class sizes {_numbers(worst.sizes)}; class {worst.missed + 1} goes"
        f" to all with the shares {_numbers(worst.goal)}, and every other class loses"
        f" {'the share that this one keeps' if worst.lost else 'nothing'} to it"
    )


def _numbers(values: np.ndarray, kind: str = ".3g") -> str:
    return " ".join(format(value, kind) for value in values)


def lemma_2(classes: int) -> float:
    """Return the lower bound of AUROC-OVO (Lemma 2)."""
    return (classes - 2) / (2 * (classes - 1))


def lemma_3(sizes: Sequence[float] | Array) -> float:
    """Return the lower bound of AUROC-OVA at given class sizes (Lemma 3, Eq. 19)."""
    ordered = np.sort(np.asarray(sizes, dtype=np.float64))
    classes, total = len(ordered), ordered.sum()
    return float((classes - 1 - ordered[-1] / (total - ordered[-2])) / (2 * classes))


def lemma_table(classes: Sequence[int], *, seed: int) -> pd.DataFrame:
    """Compare lower bounds of AUROC-OVO and AUROC-OVA by Lemmas 2 and 3 with those by the best
    columns.

    Both measures are linear in the matrix, so that the choice of one column for each row bounds
    them: :func:`skewproof.multiclass.bounds.bounds`.

    Parameters
    ----------
    classes
        Numbers of classes.
    seed
        Seed of the random class sizes.

    Returns
    -------
    Frame with one row for each lemma, number of classes and kind of class sizes (equal or random):
    lemma, classes, sizes, formula, best_columns.
    """
    rows = []
    for number in classes:
        equal = np.ones(number)
        random = np.random.default_rng([seed, number]).integers(1, 1000, number).astype(float)
        random_text = " ".join(f"{size:g}" for size in random)
        for text, sizes in (("equal", equal), (random_text, random)):
            computed_2, computed_3 = (bounds(auroc, sizes).low for auroc in (auroc_ovo, auroc_ova))
            rows.append((2, number, text, lemma_2(number), computed_2))
            rows.append((3, number, text, lemma_3(sizes), computed_3))
    columns = ["lemma", "classes", "sizes", "formula", "best_columns"]
    return pd.DataFrame(rows, columns=columns)
