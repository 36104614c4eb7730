"""Report on the conditions as Markdown, and Figure 6 of Mullick et al. from the verdicts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.reporting.templates import render
from skewproof_studies.mullick.conditions.table import ANY, SEARCH
from skewproof_studies.mullick.paper import MULTICLASS, MULTICLASS_NAMES, TWO_CLASS, TWO_CLASS_NAMES
from skewproof_studies.reporting.figures import styled_figure

VERDICT = ["scope", "index", "condition", "sizes"]
"""Columns that identify a verdict; a verdict combines the rows of all numbers of classes."""

FIGURE_6_NAMES = {TWO_CLASS: {"recall": "Recall"} | TWO_CLASS_NAMES, MULTICLASS: MULTICLASS_NAMES}
"""Names of the measures in the figure, by scope and key."""


def verdicts(table: pd.DataFrame) -> pd.DataFrame:
    """Combine the verdicts over all numbers of classes.

    Parameters
    ----------
    table
        Result of :func:`skewproof_studies.mullick.conditions.table.conditions_table`.

    Returns
    -------
    Frame indexed by scope, index, condition and sizes: satisfied (False if a counterexample was
    found or bounds differ, True otherwise, missing if nothing was decided), paper, mark (yes or no,
    and the kind of evidence).
    """
    nullable = table.assign(satisfied=table["satisfied"].astype("boolean"))
    groups = nullable.groupby(VERDICT, sort=False)
    combined = groups.agg(satisfied=("satisfied", "min"), paper=("paper", "first"))
    marks = {key: _mark(rows) for key, rows in groups}
    return combined.assign(mark=pd.Series(marks))


def _mark(rows: pd.DataFrame) -> str:
    satisfied = rows["satisfied"].min()
    if pd.isna(satisfied):
        return f"undecided ({SEARCH})"
    if not satisfied:
        rows = rows[rows["satisfied"] == False]  # noqa: E712
    by_basis = rows.groupby("basis", sort=False)["classes"].unique()
    bases = by_basis.index
    if len(bases) > 1:
        bases = [f"{basis} for {', '.join(map(str, counts))}" for basis, counts in by_basis.items()]
    return f"{'yes' if satisfied else 'no'} ({'; '.join(bases)})"


def summarize_conditions(table: pd.DataFrame, lemmas: pd.DataFrame) -> str:
    """Write the report on the conditions as Markdown: every verdict, the lemmas, and contradicted
    statements.

    Parameters
    ----------
    table
        Result of :func:`skewproof_studies.mullick.conditions.table.conditions_table`.
    lemmas
        Result of :func:`skewproof_studies.mullick.conditions.table.lemma_table`.
    """
    combined = verdicts(table)
    comparable = combined[["satisfied", "paper"]].dropna()
    agrees = comparable["satisfied"] == comparable["paper"]
    marks = combined["mark"].unstack(["condition", "sizes"], sort=False)
    marks.columns = [
        f"Condition {number}, {'any sizes' if sizes == ANY else 'equal sizes'}"
        for number, sizes in marks.columns
    ]
    most_classes = int(lemmas["classes"].max())
    third = table[(table["index"] == "maurpc_ova") & (table["condition"] == 3)]
    return render(
        "skewproof_studies.mullick",
        "conditions.md.jinja",
        statements=len(comparable),
        met=agrees.sum(),
        contradicted=comparable[~agrees],
        marks=marks.fillna("").reset_index(),
        different=_different(combined),
        classes=sorted(table["classes"].unique()),
        limits=_limits(third[third["sizes"] == ANY]),
        lemmas=lemmas,
        largest_difference=(lemmas["formula"] - lemmas["best_columns"]).abs().max(),
        most_classes=most_classes,
        largest_column_sum=_largest_column_sum(most_classes),
        theorem_4_holds=combined.loc[(MULTICLASS, "maurpc_ova", 2, ANY), "satisfied"],
    )


def _different(combined: pd.DataFrame) -> list[str]:
    """Return the measures whose bounds depend on the number of classes at equal sizes, but not over
    any sizes."""
    second = combined.xs(2, level="condition")["satisfied"].unstack("sizes", sort=False)
    return list(second.index[second[ANY] & ~second["equal"]].get_level_values("index"))


def limit_of_mean_precision_recall(classes: int) -> float:
    """Return the lowest limit of mAURPC-OVA with one class missed, in closed form.

    Recalls of the other classes are 1. Their precisions are 1/(1 + g) if a share g of the missed
    class goes there. They are convex in g, so that their sum is smallest if the class is spread
    evenly. The missed class's precision is at least ε/(ε + (C - 1)·ε).
    """
    others = classes - 1
    precisions = others * (1 - 1 / classes) + 1 / classes
    return (others + precisions) / (2 * classes)


def _limits(third: pd.DataFrame) -> pd.DataFrame:
    """Compare the bound of Eq. 28 with the limit that was found and with the closed form."""
    return pd.DataFrame(
        {
            "classes": third["classes"],
            "bound of Eq. 28": 3 * (third["classes"] - 1) / (4 * third["classes"]),
            "lowest found": third["limit"],
            "closed form": third["classes"].map(limit_of_mean_precision_recall),
        }
    )


def _largest_column_sum(classes: int) -> float:
    """Return the largest column sum of rates if all instances are assigned to the first class."""
    everything_first = np.zeros((classes, classes))
    everything_first[:, 0] = 1
    return float(MulticlassConfusionMatrix(everything_first).rates.predicted_sizes.max())


def figure_6(table: pd.DataFrame) -> Figure:
    """Draw which of the paper's indices satisfy which condition, over any class sizes (Figure 6).

    Parameters
    ----------
    table
        Result of :func:`skewproof_studies.mullick.conditions.table.conditions_table`.

    Returns
    -------
    Figure whose left panel has a field for each pair of verdicts on Conditions 1 and 2, and whose
    right panel sorts the measures that satisfy both by Condition 3. Metrics of two classes are in
    italics. In Condition 2 they compare the first class with all others, and the right panel omits
    them.
    """
    wide = verdicts(table)["satisfied"].xs(ANY, level="sizes").unstack("condition", sort=False)
    with styled_figure((7.2, 3.4), 1, 2, width_ratios=(1.5, 1)) as (figure, (left, right)):
        fields = {(i, j): _names(wide, {1: i, 2: j}) for i in (True, False) for j in (True, False)}
        left.set_title("(a) Conditions 1 and 2")
        _draw(left, fields)
        _label(left.set_xticks, 2)
        _label(left.set_yticks, 1)
        both = {1: True, 2: True}
        right.set_title("(b) Indices that satisfy both")
        _draw(right, {(i, True): _names(wide, both | {3: i}) for i in (True, False)})
        right.set_xticks([])
        _label(right.set_yticks, 3)
    return figure


def _label(set_ticks: Callable[[list[int], list[str]], object], condition: int) -> None:
    texts = [f"Condition {condition}: {word}" for word in ("yes", "no")]
    set_ticks([0, 1], texts)


def _names(wide: pd.DataFrame, wanted: dict[int, bool]) -> list[str]:
    rows = wide[list(wanted)] == pd.Series(wanted)
    chosen = wide.index[rows.fillna(False).all(axis=1)]
    names = []
    for scope, key in chosen:
        name = FIGURE_6_NAMES[scope].get(key)
        if name:
            names.append(rf"$\it{{{name}}}$" if scope == TWO_CLASS else name)
    return names


def _draw(axes: Axes, fields: dict[tuple[bool, bool], list[str]]) -> None:
    """Draw a field for each pair of verdicts, with "yes" in the first row and column."""
    columns = {column for _, column in fields}
    for (first, second), names in fields.items():
        position = (int(not second), int(not first))
        axes.annotate("\n".join(names) or "none", position, ha="center", va="center")
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(1.5, -0.5)
    axes.axhline(0.5, color="0.6", lw=0.8)
    if len(columns) > 1:
        axes.axvline(0.5, color="0.6", lw=0.8)
    axes.tick_params(length=0)
