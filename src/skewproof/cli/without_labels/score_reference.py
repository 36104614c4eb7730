"""The command ``skewproof score --reference``: predictions without labels."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd

from skewproof.cli.shared.command import FINDING, complete_files, option
from skewproof.cli.shared.options import FIGURE, THRESHOLD, check_score, columns
from skewproof.cli.shared.output import Result
from skewproof.cli.shared.reading import opened, titled
from skewproof.core.arguments import expect, expect_confidence
from skewproof.core.data.label_texts import slice_name, typed_label
from skewproof.intervals.estimates import percent
from skewproof.intervals.without_labels import CAUTION, PREVALENCE
from skewproof.multiclass.lookup import as_metric_or_measure
from skewproof.prevalence.prevalence import INDEPENDENT
from skewproof.reporting.result_table import rows_for_machines
from skewproof.reporting.summary import Summary
from skewproof.unlabeled.unlabeled_figure import plot_estimates
from skewproof.unlabeled.unlabeled_slices import score_unlabeled

ONLY_WITH_REFERENCE = ("score", "threshold", "by", "figure", "these_instances")
"""Options that have no meaning if the predictions have labels."""


NO_GROUPS = "since no interval without labels is known to hold for rows that belong together"

WITHOUT_LABELS = (
    option(
        "--reference FILE...",
        "Labeled files of the same classifier, if the predictions have no labels.",
        shell_complete=complete_files,
    ),
    option(
        "--score COLUMN", "With --reference: column of scores in both files; needs --threshold."
    ),
    THRESHOLD,
    option("--by COLUMN...", "With --reference: columns that define the slices."),
    option(
        "--these-instances",
        "With --reference: estimate metrics of exactly these instances."
        "  [default: metrics of the population from which they come]",
    ),
    FIGURE,
)
"""Options for predictions without labels."""


def refuse_without_reference(options: SimpleNamespace) -> None:
    """Refuse options that need --reference.

    Raises
    ------
    ValueError
        If there is such an option; the message names it.
    """
    for name in ONLY_WITH_REFERENCE:
        value = getattr(options, name)
        given = value is not None and value is not False and value != []
        expect(not given, f"--{name.replace('_', '-')}", value, "it only with --reference")


def score_without_labels(options: SimpleNamespace) -> Result:
    """Estimate prevalence and metrics; the exit status is 3 if all slices are refused.

    Raises
    ------
    ValueError, KeyError, OSError, MissingExtraError
        If files can't be read or counted, or the reference is invalid.
    """
    for name, given in (("--at", options.at != "population"), ("--total", options.total)):
        value = getattr(options, name.removeprefix("--"))
        expect(not given, name, value, "no value with --reference, which determines it")
    expect(options.groups is None, "groups", options.groups, f"none with --reference, {NO_GROUPS}")
    check_score(options)
    expect_confidence("confidence", options.confidence)
    for metric in options.metrics:
        as_metric_or_measure(metric)
    predicted, labels, numbers = columns(options)
    with (
        opened(options.reference, labels=[options.true, *labels], numbers=numbers) as reference,
        opened(
            options.predictions, labels=labels, numbers=numbers, doing="counting predictions"
        ) as production,
    ):
        estimates = score_unlabeled(
            production,
            reference,
            y_true=options.true,
            y_pred=predicted,
            y_score=options.score,
            threshold=options.threshold,
            by=options.by,
            metrics=options.metrics or None,
            pos_label=options.pos_label and typed_label(options.pos_label, reference, options.true),
            of_instances=options.these_instances,
            confidence=options.confidence,
        )
    exit_code = FINDING if _refused(estimates) else 0
    return Result(
        _summary(estimates, options),
        rows_for_machines(estimates),
        estimates,
        exit_code,
        figure=lambda: plot_estimates(estimates),
    )


def _refused(estimates: pd.DataFrame) -> bool:
    """Return whether all slices are refused."""
    return bool(estimates["sentence"].str.startswith("Refused").all())


def _summary(estimates: pd.DataFrame, options: SimpleNamespace) -> Summary:
    """Make tables, and sentences that summarize them."""
    keys = options.by
    name = titled(options.predictions)
    tables: dict[str, list[dict[str, Any]]] = {}
    sentences: dict[str, str] = {}
    last = estimates["metric"].iloc[-1]
    speaking = PREVALENCE if estimates["metric"].iloc[0] == PREVALENCE else last
    for row in estimates.to_dict("records"):
        label = slice_name(row[key] for key in keys) if keys else name
        numbers = {column: row[column] for column in ("value", "low", "high")}
        sizes = {"instances": str(row["instances"])}
        if pd.notna(row["called"]):  # missing for metrics
            sizes["called"] = str(row["called"])
        tables.setdefault(row["metric"], []).append({"slice": label} | numbers | sizes)
        if row["metric"] == speaking:
            sentences[label] = row["sentence"].split(CAUTION)[0]
    terms = (
        f"Each value has its {percent(options.confidence)} interval from low to high,"
        f" {INDEPENDENT} and those of each class look as they do in the reference. Called is the"
        " number of instances predicted as the class."
    )
    paragraphs = [terms] if _refused(estimates) else [terms, CAUTION]
    return Summary(
        f"Without labels: {name}",
        paragraphs=paragraphs,
        tables=tables,
        sentences=list(sentences.items()),
    )
