"""The command ``skewproof score``."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

from skewproof.cli.shared import options as common
from skewproof.cli.shared.columns import read_columns
from skewproof.cli.shared.command import command, option
from skewproof.cli.shared.output import Result
from skewproof.cli.shared.predictions import check_metrics, say_left_out
from skewproof.cli.shared.reading import titled
from skewproof.cli.without_labels.score_reference import (
    WITHOUT_LABELS,
    refuse_without_reference,
    score_without_labels,
)
from skewproof.core.data.label_texts import positive_among
from skewproof.core.data.labels import has_more_than_two
from skewproof.core.messages import shortened, shown
from skewproof.intervals.estimates import percent
from skewproof.prevalence.prevalence import Prevalence
from skewproof.reporting.result_table import rows_for_machines
from skewproof.reporting.summary import Summary
from skewproof.scoring.scoring import score

SHOWN = {
    "metric": "metric",
    "class": "class",
    "value": "value",
    "low": "low",
    "high": "high",
    "value_in_test_set": "in test set",
}
"""Printed columns and their headings."""


@command(
    "score",
    common.files("true and predicted labels"),
    common.metrics(f"{common.NAMES}.  [default: all registered]"),
    common.TRUE,
    common.PREDICTED,
    common.POS_LABEL_OF_TWO,
    common.GROUPS,
    common.AT,
    common.CONFIDENCE,
    option(
        "--total INSTANCES",
        "Number of instances in deployment, for metrics that depend on it.",
        type=float,
    ),
    *WITHOUT_LABELS,
    example="skewproof score predictions.csv --metrics f1 mcc --at 1:1000",
    exclusive=[("predicted", "score")],
)
def run(options: SimpleNamespace) -> Result:
    """Score predictions, with intervals.

    With --reference, the predictions need no labels: prevalence and metrics are estimated from a
    labeled reference of the same classifier, if instances of each class look the same in both
    files. The exit status is 3 if this is refused for all slices.
    """
    if options.reference:
        return score_without_labels(options)
    refuse_without_reference(options)
    check_metrics(options.metrics)
    at = Prevalence.given(options.at, "--at")
    columns = (options.true, options.predicted or "y_pred")
    entries, left_out, positive = read_columns(
        options.predictions, columns, options.pos_label or "1", options.groups
    )
    true, predicted = entries[:2]
    if left_out > len(true):
        raise ValueError(
            f"{left_out:,} of {left_out + len(true):,} rows lack a label or prediction: expected"
            " fewer, since the other rows may differ; skewproof score-labels estimates metrics of"
            " all rows from labels of some"
        )
    say_left_out(left_out)
    many = options.pos_label is None and has_more_than_two(true=true, predicted=predicted)
    scores = score(
        true,
        predicted,
        metrics=options.metrics or None,
        pos_label=1 if many else positive_among(positive, true + predicted),
        groups=entries[2] if options.groups else None,
        at=at,
        total=options.total,
        confidence=options.confidence,
    )
    if not {*true} & {*predicted} and len({*true, *predicted}) > 2:
        columns_have = " and ".join(
            f"{column} has {shortened(', '.join(map(shown, sorted({*labels}))))}"
            for column, labels in zip(columns, (true, predicted), strict=True)
        )
        raise ValueError(f"{columns_have}: expected labels that both have")
    titles = {True: "Change with prevalence", False: "Do not change with prevalence"}
    tables: dict[str, list[dict[str, Any]]] = {}
    few = ""
    for row in scores.to_dict("records"):
        cells = {head: row[name] for name, head in SHOWN.items() if many or name != "class"}
        if many and row["class"] is None:
            cells["class"] = "all"
        if options.groups and not math.isnan(row["value"]):
            worth, _, few = row["remark"].partition(". ")
            cells["rows"] = worth.removesuffix(".")
        title = titles[row["changes_with_prevalence"]]
        if many and row["prevalence_known_by"] == "search":
            title += ", as far as a search tells"
        tables.setdefault(title, []).append(cells)
    legend = (
        f"Values {at.where}, each with its {percent(options.confidence)} interval from low to high"
        f", {at.assumption('groups' if options.groups else 'instances')}."
    )
    if left_out:
        legend += f" Rows without a label or prediction, which are left out: {left_out}."
    if few:
        legend += f" {few}"
    title = f"Scores of {titled(options.predictions)}"
    summary = Summary(title, paragraphs=[legend], tables=tables)
    return Result(summary, rows_for_machines(scores), scores)
