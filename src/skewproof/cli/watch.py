"""The command ``skewproof watch``."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from skewproof.cli.completion import offer_keys
from skewproof.cli.output import Commands, Output, as_json, colored
from skewproof.cli.predictions import (
    CLASSES,
    add_predictions,
    check,
    check_metrics,
    counted,
    progress,
    reference_slice,
    rows_for_machines,
    save,
    size,
)
from skewproof.core.arguments import expect_confidence, expect_seed
from skewproof.core.messages import shortened, shown

if TYPE_CHECKING:
    import pandas as pd

    from skewproof.core.confusion import ConfusionMatrix
    from skewproof.multiclass.matrix import MulticlassConfusionMatrix
    from skewproof.practice.slices.drift import Drift

DEFAULT_METRICS, DEFAULT_MEASURES = ("f1",), ("macro_f1",)
"""Of two classes and of more."""

LONGEST_LIST = 200
"""Characters of the recalls of the reference."""

DEFAULT_FALL = 0.1
"""Change of the true positive rate, one of those for which power is stated by default."""

MOST_PERIODS = 60
"""The last ones are shown."""


class Power(NamedTuple):
    """The probability of an alarm if the rates change in the middle."""

    tpr: float
    fpr: float
    probability: float


def add_to(commands: Commands) -> argparse.ArgumentParser:
    """Add the command's parser."""
    parser = commands.add_parser(
        "watch",
        help="whether a classifier changes over time, apart from prevalence",
        description="Count the predictions in files by period, and compare each with where the"
        " reference's classifier would lie at the period's own prevalence and size.",
    )
    add_predictions(parser)
    parser.add_argument("--time", required=True, metavar="COLUMN", help="with the period")
    parser.add_argument(
        "--order",
        nargs="+",
        metavar="PERIOD",
        help="all periods in the order of time, where they are no numbers and follow no calendar",
    )
    reference = parser.add_mutually_exclusive_group(required=True)
    reference.add_argument("--reference", metavar="PERIOD", help="to compare with")
    reference.add_argument(
        "--reference-file",
        nargs="+",
        metavar="FILE",
        help="files with predictions on other instances to compare with, as a validation set",
    )
    offer_keys(
        parser.add_argument(
            "--metrics",
            nargs="+",
            metavar="METRIC",
            help="keys, names, or formulas in tp, fp, fn, tn, P, N; of more than two labels keys or"
            " names of measures of any number of classes; both rates, or all recalls, are watched"
            " too; default: f1 or macro_f1",
        )
    )
    parser.add_argument(
        "--alpha",
        type=float,
        default=0.05,
        help="probability of any alarm if the classifier does not change; default: 0.05",
    )
    parser.add_argument(
        "--power",
        nargs="+",
        action="extend",
        type=_changed_rate,
        metavar="RATE=CHANGE",
        help="say how probable an alarm is if tpr, fpr or both change so from the middle on, as"
        " tpr=-0.1; default: tpr falls by 0.1, and fpr doubles; of more than two labels tpr is"
        " every recall",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the simulation; default: 0")
    parser.add_argument("--figure", type=Path, metavar="FILE", help="also draw it, to this file")
    parser.set_defaults(run=run)
    return parser


def _changed_rate(text: str) -> tuple[str, float]:
    rate, _, change = text.partition("=")
    try:
        number = float(change)
    except ValueError:
        number = math.nan
    if rate not in ("tpr", "fpr") or not -1 <= number <= 1:
        raise argparse.ArgumentTypeError(
            f"{shown(text)}: expected tpr=CHANGE or fpr=CHANGE with a number from -1 to 1"
        )
    return rate, number


def run(options: argparse.Namespace) -> Output:
    """Count and watch."""
    from skewproof.practice.slices.class_table import are_pairs
    from skewproof.practice.slices.drift import watch_drift

    check_metrics(options.metrics or ())
    _check(options)
    counts = counted(options.predictions, options, [options.time])
    reference: dict[str, Any] | ConfusionMatrix | MulticlassConfusionMatrix | None
    default = DEFAULT_MEASURES if are_pairs(counts) else DEFAULT_METRICS
    if options.reference_file:
        base = _matrix(counted(options.reference_file, options))
        reference = base
    else:
        reference = reference_slice([options.reference], counts, [options.time]) or {}
        base = _matrix(counts[counts[options.time].isin(reference.values())])
    with progress("simulating a classifier that does not change"):
        drift = watch_drift(
            counts,
            time=options.time,
            metrics=options.metrics or default,
            reference=reference,
            order=options.order,
            alpha=options.alpha,
            seed=options.seed,
        )
        powers = [
            Power(tpr, fpr, drift.power(tpr=tpr, fpr=fpr))
            for tpr, fpr in _changes(options.power, base)
        ]
    if options.figure:
        from skewproof.practice.slices.pictures import drift_figure

        save(drift_figure(drift), options.figure)
    if options.json:
        return Output(
            as_json(
                {
                    "alpha": drift.alpha,
                    "band_threshold": drift.band_threshold,
                    "cusum_threshold": drift.cusum_threshold,
                    "power": [power._asdict() for power in powers],
                    "table": rows_for_machines(drift.table),
                }
            )
        )
    return Output(_for_readers(drift, base, powers, options))


def _check(options: argparse.Namespace) -> None:
    """Refuse options before files are read."""
    expect_confidence("--alpha", options.alpha)
    expect_seed(options.seed, "--seed")
    rates = [rate for rate, _ in options.power or ()]
    if len(set(rates)) < len(rates):
        given = shortened(" ".join(f"{rate}={change:g}" for rate, change in options.power))
        raise ValueError(f"--power {given}: expected one change of each rate")
    check(options)


def _matrix(counts: pd.DataFrame) -> ConfusionMatrix | MulticlassConfusionMatrix:
    """The only slice; of weighted instances as many as are worth as much."""
    from skewproof.core.confusion import ConfusionMatrix
    from skewproof.multiclass.matrix import MulticlassConfusionMatrix
    from skewproof.practice.slices.class_table import are_pairs, read_class_slices

    if are_pairs(counts):
        slices = read_class_slices(counts)
        return MulticlassConfusionMatrix(slices.worth[0], slices.labels)
    (row,) = counts.to_dict("records")
    cells = {cell: float(row[cell]) for pair in CLASSES.values() for cell in pair}
    for name, pair in CLASSES.items():
        total = sum(cells[cell] for cell in pair)
        if total > 0:
            worth = row.get(f"{name}_effective", total) / total
            cells |= {cell: cells[cell] * worth for cell in pair}
    return ConfusionMatrix(tp=cells["tp"], fp=cells["fp"], fn=cells["fn"], tn=cells["tn"])


def _changes(
    given: list[tuple[str, float]] | None, base: ConfusionMatrix | MulticlassConfusionMatrix
) -> list[tuple[float, float]]:
    """Changes of both rates, or of all recalls, for which power is stated."""
    from skewproof.core.confusion import ConfusionMatrix

    if given is not None:
        changes = dict(given)
        return [(changes.get("tpr", 0.0), changes.get("fpr", 0.0))]
    if not isinstance(base, ConfusionMatrix):
        return [(-DEFAULT_FALL, 0.0)]
    fpr = float(base.fpr)
    return [(-DEFAULT_FALL, 0.0), (0.0, min(fpr, 1 - fpr))]


def _sizes(base: ConfusionMatrix | MulticlassConfusionMatrix) -> str:
    """How many instances the reference has, and its rates."""
    from skewproof.core.confusion import ConfusionMatrix
    from skewproof.practice.slices.label_texts import as_text

    if isinstance(base, ConfusionMatrix):
        return (
            f"{size(base.positives)} positives, {size(base.negatives)} negatives,"
            f" TPR {base.tpr:.4f}, FPR {base.fpr:.4f}"
        )
    recalls = zip(base.labels, base.recalls, strict=True)
    listed = ", ".join(f"{as_text(label)} {recall:.4f}" for label, recall in recalls)
    return f"{size(float(base.total))} instances, recalls {shortened(listed, LONGEST_LIST)}"


def _for_readers(
    drift: Drift,
    base: ConfusionMatrix | MulticlassConfusionMatrix,
    powers: list[Power],
    options: argparse.Namespace,
) -> str:
    """Tables of at most 80 columns, and how far they can be trusted."""
    from skewproof.practice.slices.label_texts import slice_name
    from skewproof.reporting.summary import Summary

    series = dict(list(drift.table.groupby("series", sort=False)))
    periods = len(drift.table) // len(series)
    first, last = (slice_name([drift.table[options.time].iloc[place]]) for place in (0, -1))
    whose = (
        f"{len(options.reference_file)} other file(s)"
        if options.reference_file
        else f"{shortened(options.time)} {shortened(options.reference)}"
    )
    facts = [
        (
            "Reference",
            f"{whose}, {_sizes(base)}",
        ),
        ("Periods", f"{periods}, in time from {first} to {last}"),
        ("False alarms", f"probability {drift.alpha:g} of any, over all periods and series"),
        ("Band", f"values with a score beyond ±{drift.band_threshold:.2f} are outside"),
        ("CUSUM", f"sums of scores beyond {drift.cusum_threshold:.2f} are alarms"),
        *(("Power", _power(power, base, periods)) for power in powers),
    ]
    if periods > MOST_PERIODS:
        facts.append(("Shown", f"the last {MOST_PERIODS} of {periods} periods; --json has all"))
    summary = Summary(
        f"Drift over {shortened(options.time)}",
        verdict=drift.verdict,
        facts=facts,
        tables={
            shortened(name): [_period(row, options.time) for row in rows[-MOST_PERIODS:]]
            for name, rows in ((name, rows.to_dict("records")) for name, rows in series.items())
        },
    )
    return summary.to_text(color=colored())


def _power(power: Power, base: ConfusionMatrix | MulticlassConfusionMatrix, periods: int) -> str:
    from skewproof.core.confusion import ConfusionMatrix

    place = f"from period {periods // 2 + 1} of {periods} on"
    if not isinstance(base, ConfusionMatrix):
        way = "falls" if power.tpr < 0 else "rises"
        what = f"every recall {way} by {abs(power.tpr):g}"
        return f"an alarm with probability {power.probability:.2f} if {what} {place}"
    rates = {"TPR": (float(base.tpr), power.tpr), "FPR": (float(base.fpr), power.fpr)}
    moved = {
        name: (rate, end)
        for name, (rate, change) in rates.items()
        if (end := min(max(rate + change, 0), 1)) != rate
    }
    changes = [
        f"{name} {'falls' if end < rate else 'rises'} from {rate:.4f} to {end:.4f}"
        for name, (rate, end) in moved.items()
    ]
    what = " and ".join(changes) or "no rate changes"
    return f"an alarm with probability {power.probability:.2f} if {what} {place}"


def _period(row: dict[Any, Any], time: str) -> dict[str, Any]:
    from skewproof.practice.slices.label_texts import slice_name

    kinds = {
        "band": row["outside"],
        "CUSUM": row["cusum_alarm"],
        "none: no score": math.isnan(row["score"]),
    }
    return {
        shortened(time): slice_name([row[time]]),
        **{name: row[name] for name in ("value", "expected", "low", "high")},
        **{
            name: size(row[name]).rjust(len(name))
            for name in ("positives", "negatives", "instances")
            if name in row
        },
        "alarm": " ".join(kind for kind, is_alarm in kinds.items() if is_alarm),
    }
