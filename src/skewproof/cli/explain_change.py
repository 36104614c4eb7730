"""The command ``skewproof explain-change``."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import click
import numpy as np
import pandas as pd

from skewproof.cli.shared.command import command, option
from skewproof.cli.shared.options import CONFIDENCE, COUNTED, FIGURE, NAMES, check_score, metrics
from skewproof.cli.shared.output import Result
from skewproof.cli.shared.predictions import (
    CLASSES,
    check_metrics,
    counted,
    in_given_order,
    reference_slice,
    size,
)
from skewproof.cli.shared.progress import progress
from skewproof.core.arguments import expect_confidence
from skewproof.core.data.label_texts import label_like, slice_name
from skewproof.core.messages import printable, shortened
from skewproof.intervals.estimates import in_digits_of_width
from skewproof.prevalence.prevalence import KEPT_RATES, Prevalence
from skewproof.reporting.result_table import rows_for_machines
from skewproof.reporting.summary import Summary, shown_cell
from skewproof.slices.changes import MOST_SLICES, check_negligible, explain_change, largest_changes
from skewproof.slices.pictures import plot_changes
from skewproof.slices.slice_table import are_pairs, read_slices, without_groups

DEFAULT_METRICS, DEFAULT_MEASURES = ("f1", "f1_i"), ("macro_f1", "acsa")
"""Default metrics, for two classes and for more: one that changes with prevalence and one that does
not."""


@command(
    "explain-change",
    *COUNTED,
    option("--by COLUMN...", "Columns that define the slices.", required=True),
    option(
        "--order VALUE...",
        "All values of the column, in the order of the output.  [default: sorted, by time if"
        " they follow a calendar]",
    ),
    option(
        "--reference [KEY=]VALUE...",
        "The slice to compare with; 'missing' is the slice without a value.  [default: all"
        " other slices together]",
    ),
    metrics(
        f"{NAMES}; for more than two labels, keys or names of measures of any number of classes."
        "  [default: f1 or macro_f1, which change with prevalence, and f1_i or acsa, which do not]"
    ),
    option(
        "--class-sizes [sampled|fixed]",
        "sampled if slices are random samples, fixed if class sizes are fixed by design.",
        type=click.Choice(["sampled", "fixed"]),
        default="sampled",
    ),
    option(
        "--at PREVALENCE",
        "Also print the values of all slices at this prevalence: 0.001, 1:1000, 12/4000"
        " (counted in a sample), 0.001..0.01 (a range) or 'beta(2, 500)' (a belief); for more than"
        " two labels cat=0.9,dog=0.09,owl=0.01; 'whole' is the prevalence of all slices together.",
    ),
    CONFIDENCE,
    option(
        "--adjustment [holm|benjamini-hochberg]",
        "Adjustment of p-values for the number of slices.",
        type=click.Choice(["holm", "benjamini-hochberg"]),
        default="holm",
    ),
    option(
        "--negligible SHARE",
        "A sentence says that nearly all of a difference is due to a single part if the"
        " intervals of the other parts are within this share of it.",
        type=float,
        default=0.1,
    ),
    FIGURE,
    example="skewproof explain-change predictions.csv --by month --reference 2026-05",
    exclusive=[("predicted", "score")],
)
def run(options: SimpleNamespace) -> Result:
    """Count the predictions in files by slice, and split each slice's difference in a metric into a
    part due to prevalence and a part due to the classifier's rates.
    """
    check_metrics(options.metrics)
    expect_confidence("confidence", options.confidence)
    check_negligible(options.negligible)
    if options.at not in (None, "whole"):
        Prevalence.given(options.at, "--at")
    check_score(options)
    counts = counted(options.predictions, options, options.by)
    counts = in_given_order(counts, options.by, options.order)
    reference = reference_slice(options.reference, counts, options.by)
    default = DEFAULT_MEASURES if are_pairs(counts) else DEFAULT_METRICS
    with progress("explaining differences"):
        changes = explain_change(
            counts,
            metrics=options.metrics or default,
            reference=reference,
            class_sizes=options.class_sizes,
            at=_with_labels(options.at, counts) if are_pairs(counts) else options.at,
            confidence=options.confidence,
            adjustment=options.adjustment,
            negligible=options.negligible,
            groups=options.groups,
        )
    summary = _summary(changes, without_groups(counts, options.groups), reference, options)
    return Result(
        summary, rows_for_machines(changes), changes, figure=lambda: plot_changes(changes)
    )


def _with_labels(at: str | None, counts: pd.DataFrame) -> Any:
    """Replace the names in prevalences by class with the labels they stand for."""
    if at in (None, "whole"):
        return at
    stated = Prevalence.given(at, "--at")
    labels = [*counts["true"].dropna(), *counts["predicted"].dropna()]
    if not stated.classes:
        return stated
    return {label_like(str(name), labels): share for name, share in stated.shares.items()}


def _summary(
    changes: pd.DataFrame,
    counts: pd.DataFrame,
    reference: dict[str, Any] | None,
    options: SimpleNamespace,
) -> Summary:
    """Make tables, and sentences that summarize them."""
    keys, units = options.by, "groups" if options.groups else "instances"
    number = changes.groupby("metric", sort=False).ngroups
    shown = largest_changes(changes)
    left_out = (len(changes) - len(shown)) // number
    rows = shown.to_dict("records")
    tables: dict[str, list[dict[str, Any]]] = {}
    rates = _rates(counts, shown[keys].drop_duplicates())
    if rates:
        tables["Prevalence and rates"] = rates
    sentences = []
    for row in rows:
        slice_cell = {"slice": slice_name(row[key] for key in keys)}
        name = printable(row["metric"])
        tables.setdefault(name, []).append(slice_cell | _values(row))
        if options.at is not None:
            title = f"{name} {_prevalence_text(options.at)}"
            tables.setdefault(title, []).append(slice_cell | _at_common_prevalence(row))
        tables.setdefault(f"Parts of the difference in {name}", []).append(slice_cell | _parts(row))
        sentences.append((slice_cell["slice"], row["sentence"]))
    facts = [("Reference", _described(reference, counts, keys))]
    if left_out:
        facts.append(("Shown", f"{MOST_SLICES} slices with the largest differences"))
        facts.append(("Not shown", f"{left_out} slices; --json has all"))
    return Summary(
        f"Slices by {', '.join(map(shortened, keys))}",
        paragraphs=[
            f"The p-values of the difference and of the classifier's part are adjusted for the"
            f" number of slices ({options.adjustment.title()}). Intervals are not adjusted: each"
            f" has confidence {options.confidence:g} for its slice alone. Class sizes are"
            f" {options.class_sizes}. All hold if {units} are independent and slices differ by"
            " chance alone beside the measured change."
        ],
        facts=facts,
        tables=tables,
        sentences=sentences,
    )


def _described(reference: dict[str, Any] | None, counts: pd.DataFrame, by: list[str]) -> str:
    """Describe the reference, with its sizes if it is one slice."""
    if reference is None:
        return "all other slices together"
    name = ", ".join(f"{shortened(key)} {slice_name([value])}" for key, value in reference.items())
    given = {key: [value] for key, value in reference.items()}
    rows = counts[counts[list(given)].isin(given).all(axis=1)]
    if rows[by].drop_duplicates().shape[0] > 1:
        return f"{name}, with the same values of the other keys"
    if are_pairs(counts):
        known = rows.dropna(subset=["true", "predicted"])["count"].sum()
        return f"{name}, {size(float(known))} instances"
    row = rows.iloc[0]
    positives, negatives = (size(float(row[hit] + row[miss])) for hit, miss in CLASSES.values())
    sizes = f"{name}, {positives} positives, {negatives} negatives, {row['missing']} missing"
    (rates,) = _rates(counts, rows[by])
    listed = ", ".join(f"{rate} {shown_cell(rates[rate])}" for rate in list(rates)[1:])
    return f"{sizes}, {listed}"


def _rates(counts: pd.DataFrame, keys: pd.DataFrame) -> list[dict[str, Any]]:
    """List prevalence and rates of some slices; the list is empty for more than two classes."""
    if are_pairs(counts):
        return []
    slices = read_slices(keys.merge(counts, how="left"))
    with np.errstate(invalid="ignore"):  # a slice without instances has no prevalence
        prevalences = slices.class_sizes[:, 0] / slices.total
    tpr, tnr = slices.matrix.recalls.T
    columns = zip(prevalences, tpr, 1 - tnr, strict=True)
    return [
        {"slice": slice_name(key), "prevalence": share, "TPR": tpr, "FPR": fpr}
        for key, (share, tpr, fpr) in zip(keys.itertuples(index=False), columns, strict=True)
    ]


def _prevalence_text(at: str) -> str:
    """Write the prevalence of all slices in the words that follow a metric's name."""
    if at == "whole":
        return f"at the prevalence of all slices together, {KEPT_RATES}"
    where = Prevalence.given(at)
    return f"{where.where}, {where.assumption()}"


def _at_common_prevalence(row: dict[str, Any]) -> dict[str, Any]:
    """Select the value at one prevalence for all slices, with its interval."""
    column = "value_at_common_prevalence"
    value, low, high = (row[f"{column}{end}"] for end in ("", "_low", "_high"))
    if math.isnan(value):
        return {"value": value, "low": low, "high": high}
    return dict(zip(("value", "low", "high"), in_digits_of_width(value, low, high), strict=True))


def _values(row: dict[str, Any]) -> dict[str, Any]:
    """Select the value, the value at the reference's prevalence, and the numbers of instances."""
    cells = {
        "value": row["value"],
        "at reference's prevalence": row["value_at_reference_prevalence"],
    }
    instances = size(row["instances"]).rjust(len("instances"))
    cells |= {"instances": instances, "missing": int(row["missing"])}
    if "groups" in row:
        worth = f"{row['effective_instances']:.0f}".rjust(len("count as"))
        cells |= {"groups": row["groups"], "count as": worth}
    return cells


def _parts(row: dict[str, Any]) -> dict[str, Any]:
    """Select the parts of the difference and their p-values."""
    cells = {
        "difference": row["difference"],
        "prevalence part": row["prevalence_part"],
        "classifier part": row["classifier_part"],
    }
    if row["size_part"] or row["size_part_low"] or row["size_part_high"]:
        cells["size part"] = row["size_part"]
    return cells | {"p": row["p_adjusted"], "classifier p": row["classifier_p_adjusted"]}
