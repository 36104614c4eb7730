"""The command ``skewproof watch``."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import click
import pandas as pd

from skewproof.cli.shared.command import FINDING, command, complete_files, option
from skewproof.cli.shared.options import COUNTED, FIGURE, NAMES, check_score, metrics
from skewproof.cli.shared.output import Result
from skewproof.cli.shared.predictions import (
    check_metrics,
    counted,
    reference_slice,
    size,
)
from skewproof.cli.shared.progress import progress
from skewproof.core.arguments import expect, expect_confidence, expect_whole
from skewproof.core.data.label_texts import slice_name
from skewproof.core.messages import printable, shortened, shown
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.reporting.result_table import rows_for_machines
from skewproof.reporting.summary import Summary
from skewproof.slices.over_time.drift import Drift, watch_drift
from skewproof.slices.slice_table import are_pairs, read_slices, rows_of_slice

DEFAULT_METRICS, DEFAULT_MEASURES = ("f1",), ("macro_f1",)
"""Default metrics, for two classes and for more."""

DEFAULT_FALL = 0.1
"""Default fall of the true positive rate for which power is stated."""

MOST_PERIODS = 60
"""Largest number of periods of a series that are shown, which are the last ones."""

MOST_SERIES = 12
"""Largest number of series whose periods are shown; of more series only changes are shown."""


class Power(NamedTuple):
    """The probability of an alarm if the rates change in the middle."""

    tpr: float
    fpr: float
    probability: float


class _ChangedRate(click.ParamType[tuple[str, float]]):
    """A rate and its change."""

    name = "rate"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, float]:
        rate, _, change = value.partition("=")
        try:
            number = float(change)
        except ValueError:
            number = math.nan
        if rate not in ("tpr", "fpr") or not -1 <= number <= 1:
            self.fail(
                f"{shown(value)}: expected tpr=CHANGE or fpr=CHANGE with a number from -1 to 1",
                param,
                ctx,
            )
        return rate, number


@command(
    "watch",
    *COUNTED,
    option("--time COLUMN", "Column with the period.", required=True),
    option(
        "--order PERIOD...",
        "All periods in order of time; needed if they are not numbers or calendar dates.",
    ),
    option(
        "--by COLUMN...", "Watch each slice separately; --alpha then holds for all slices together."
    ),
    option(
        "--reference PERIOD...",
        "Reference periods, known to be without a change.  [default: the first period]",
    ),
    option(
        "--reference-file FILE...",
        "Files with predictions on other instances, such as a validation set, as a reference.",
        shell_complete=complete_files,
    ),
    metrics(
        f"{NAMES}; for more than two labels, keys or names of measures of any number of classes;"
        " the rates or recalls are always watched.  [default: f1 or macro_f1]"
    ),
    option(
        "--alpha NUMBER",
        "Probability of any alarm if the classifier does not change.",
        type=float,
        default=0.05,
    ),
    option(
        "--planned PERIODS",
        "Number of periods if you repeat the command after each one, such as 12 for a year of"
        " months; --alpha then holds for all of these runs together.  [default: a single run]",
        type=int,
    ),
    option(
        "--power RATE=CHANGE...",
        "Print the probability of an alarm if tpr, fpr or both change by this much from the"
        " middle on, such as tpr=-0.1; for more than two labels, tpr means every recall.  [default:"
        " tpr falls by 0.1, and fpr doubles]",
        type=_ChangedRate(),
    ),
    option("--fail-on-change", "End with exit status 3 if a rate has changed, for cron and CI."),
    FIGURE,
    example="skewproof watch predictions.csv --time month --fail-on-change",
    exclusive=[("predicted", "score"), ("reference", "reference_file")],
)
def run(options: SimpleNamespace) -> Result:
    """Count the predictions in files by period, and look for changes of the true and the false
    positive rate, or of each recall if there are more than two labels.

    Print when and by how much a rate has changed, and the effect on metrics.
    """
    check_metrics(options.metrics)
    _check(options)
    counts = counted(options.predictions, options, [options.time, *options.by])
    default = DEFAULT_MEASURES if are_pairs(counts) else DEFAULT_METRICS
    reference: dict[str, Any] | MulticlassConfusionMatrix | None = None
    if options.reference_file:
        reference = _matrix(counted(options.reference_file, options), options.groups)
    elif options.reference:
        slices = [reference_slice([text], counts, [options.time]) for text in options.reference]
        reference = {options.time: [value for keys in slices for value in (keys or {}).values()]}
    with progress("looking for changes"):
        drift = watch_drift(
            counts,
            time=options.time,
            metrics=options.metrics or default,
            reference=reference,
            order=options.order or None,
            alpha=options.alpha,
            planned=options.planned,
            groups=options.groups,
        )
        powers = [
            Power(tpr, fpr, drift.power(recall=_of_classes(tpr, fpr, drift)))
            for tpr, fpr in _changes(options.power, drift)
        ]
    tables = {name: getattr(drift, name) for name in ("changes", "effects", "scans", "table")}
    data = {
        "verdict": drift.verdict,
        "alpha": drift.alpha,
        "power": [power._asdict() for power in powers],
        **{name: rows_for_machines(table) for name, table in tables.items()},
    }
    exit_code = FINDING if options.fail_on_change and len(drift.changes) else 0
    return Result(_summary(drift, powers, options), data, drift.table, exit_code, drift.plot)


def _check(options: SimpleNamespace) -> None:
    """Refuse options before files are read."""
    expect_confidence("--alpha", options.alpha)
    if options.planned is not None:
        expect_whole("--planned", options.planned, 1)
    rates = [rate for rate, _ in options.power]
    if len(set(rates)) < len(rates):
        given = shortened(" ".join(f"{rate}={change:g}" for rate, change in options.power))
        raise ValueError(f"--power {given}: expected at most one change of each rate")
    if options.reference_file and options.by:
        raise ValueError("--reference-file with --by: expected --reference, with periods")
    check_score(options)


def _matrix(counts: pd.DataFrame, groups: str | None) -> MulticlassConfusionMatrix:
    """Read the matrix of the only slice; weighted instances become their effective number."""
    slices = read_slices(counts, groups=groups)
    if slices.groups is not None:
        by_group = slices.groups.of(0)
        return MulticlassConfusionMatrix(slices.counts[0], slices.labels, by_group=by_group)
    return MulticlassConfusionMatrix(slices.worth[0], slices.labels)


def _changes(given: list[tuple[str, float]], drift: Drift) -> list[tuple[float, float]]:
    """List changes of both rates, or of all recalls, for which power is stated."""
    if given:
        changes = dict(given)
        return [(changes.get("tpr", 0.0), changes.get("fpr", 0.0))]
    before = drift.scans.loc[drift.scans["rate"] == "recall of negative", "before"]
    doubled = [(0.0, min(before.mean(), 1 - before.mean()))] if len(before) else []
    return [(-DEFAULT_FALL, 0.0), *doubled]


def _of_classes(tpr: float, fpr: float, drift: Drift) -> Any:
    """Return changes of the recalls of both classes, or the change of every recall of more."""
    if "recall of negative" not in set(drift.table["series"]):
        expect(not fpr, "fpr", fpr, "0 for more than two classes")
        return tpr
    return {"positive": tpr, "negative": -fpr}


def _summary(drift: Drift, powers: list[Power], options: SimpleNamespace) -> Summary:
    """Make tables, with the rate of false alarms and the power."""
    summary = drift.summary()
    two_classes = "recall of negative" in set(drift.table["series"])
    tpr = "TPR" if two_classes else "every recall"
    times = drift.table[drift.time].drop_duplicates()
    first, last = (slice_name([times.iloc[position]]) for position in (0, -1))
    facts = [
        ("Reference", _reference(options)),
        ("Periods", f"{len(times)}, from {first} to {last}"),
        (
            "False alarms",
            f"probability {drift.alpha:g} of any, over all periods, rates and slices"
            + (f", and runs up to {options.planned} periods" if options.planned else ""),
        ),
        *(("Power", _power(power, len(times), tpr)) for power in powers),
        *drift.groupings,
    ]
    names = drift.table["series"].unique()
    slices = [
        ([slice_name([value]) for value in keys.values()], rows_of_slice(drift.table, keys))
        for keys in drift.slices
    ]
    series = {
        ", ".join([*keys, name]): rows[rows["series"] == name].to_dict("records")
        for keys, rows in slices
        for name in names
    }
    if len(series) > MOST_SERIES:
        facts.append(("Shown", "only changes; --json has all periods of all series"))
        series = {}
    elif len(times) > MOST_PERIODS:
        facts.append(("Shown", f"the last {MOST_PERIODS} of {len(times)} periods; --json has all"))
    tables = {
        printable(name): [_period(row, options.time) for row in rows[-MOST_PERIODS:]]
        for name, rows in series.items()
    }
    return replace(
        summary,
        title=f"Drift over {shortened(options.time)}",
        facts=facts,
        tables={**summary.tables, **tables},
    )


def _reference(options: SimpleNamespace) -> str:
    if options.reference_file:
        return f"{len(options.reference_file)} other file(s)"
    if options.reference:
        return shortened(f"{options.time} {', '.join(options.reference)}")
    return "none: each period is compared with those before it"


def _power(power: Power, periods: int, tpr: str) -> str:
    changes = [
        f"{name} {'falls' if change < 0 else 'rises'} by {abs(change):.4f}"
        for name, change in ((tpr, power.tpr), ("FPR", power.fpr))
        if change
    ]
    changed = " and ".join(changes) or "no rate changes"
    start = f"from period {periods // 2 + 1} of {periods} on"
    return f"an alarm with probability {power.probability:.2f} if {changed} {start}"


def _period(row: dict[Any, Any], time: str) -> dict[str, Any]:
    return {
        shortened(time): slice_name([row[time]]),
        **{name: row[name] for name in ("value", "expected", "low", "high")},
        "instances": size(float(row["instances"])).rjust(len("instances")),
        "limits": "outside" if row["outside"] else "",
    }
