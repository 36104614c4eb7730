"""The command ``skewproof compare``."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pandas as pd

from skewproof.cli.shared import options as common
from skewproof.cli.shared.columns import read_columns
from skewproof.cli.shared.command import command, option
from skewproof.cli.shared.output import Result
from skewproof.cli.shared.predictions import say_left_out
from skewproof.cli.shared.reading import titled
from skewproof.cli.shared.scores import read_scores
from skewproof.core.data.label_texts import positive_among
from skewproof.core.data.labels import has_more_than_two
from skewproof.curves.areas.area import AREAS
from skewproof.curves.areas.area_interval import area_interval
from skewproof.decisions.costs import expected_cost
from skewproof.decisions.net_benefit import decision_curve
from skewproof.intervals.estimates import in_digits_of_width, percent
from skewproof.intervals.metric_interval import interval
from skewproof.plot.differences import DifferencesDisplay
from skewproof.prevalence.prevalence import Prevalence
from skewproof.probabilities.scores import probability_scores
from skewproof.reporting.result_table import rows_for_machines
from skewproof.reporting.summary import Summary
from skewproof.scoring.model_comparison import compare
from skewproof.scoring.score_comparison import KINDS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OF_LABELS = "expected_cost"
"""The statistic with a threshold probability that takes predicted labels."""


@command(
    "compare",
    common.files("true labels and what models say"),
    option(
        "--models COLUMN...",
        "Columns of the models: predicted labels, or scores or probabilities.",
        required=True,
    ),
    common.TRUE,
    common.metrics(
        f"{common.NAMES}, for predicted labels, and {OF_LABELS}; for scores and probabilities"
        f" {', '.join(key for key in KINDS if key != OF_LABELS)}.  [default: auc]"
    ),
    option("--threshold T", f"Threshold probability of net_benefit and {OF_LABELS}.", type=float),
    common.POS_LABEL_OF_TWO,
    common.AT,
    common.CONFIDENCE,
    common.GROUPS,
    common.FIGURE,
    example="skewproof compare scores.csv --models old new --metrics auc --at 1:1000",
)
def run(options: SimpleNamespace) -> Result:
    """Compare two or more models on the same instances: differences of all pairs, with intervals
    that hold at once and adjusted p-values.
    """
    keys = options.metrics or ["auc"]
    if options.figure and len(keys) > 1:
        raise ValueError(f"--figure with {len(keys)} metrics: expected a single metric")
    where = Prevalence.given(options.at, "--at")
    of_scores = any(key in KINDS and key != OF_LABELS for key in keys)
    true, models, groups, pos_label = (_scores if of_scores else _labels)(options)
    takers = [key for key in keys if key in KINDS and KINDS[key].takes_threshold]
    if options.threshold is not None and not takers:
        raise ValueError(f"--threshold {options.threshold}: expected none with {', '.join(keys)}")
    shared = {"groups": groups, "at": where, "pos_label": pos_label}
    shared["confidence"] = options.confidence
    thresholds = {key: options.threshold if key in takers else None for key in keys}
    differences = pd.concat(
        [compare(key, true, models, threshold=thresholds[key], **shared) for key in keys],
        ignore_index=True,
    )
    if groups is not None and OF_LABELS in keys:
        warnings.warn(
            f"{OF_LABELS}: values of single models are left out with groups", stacklevel=2
        )
        keys = [key for key in keys if key != OF_LABELS]
    values = {key: _values(key, true, models, options.threshold, shared) for key in keys}
    if options.figure and not values:
        raise ValueError(f"--figure with {OF_LABELS} and --groups: expected another metric")

    def drawn() -> Figure:
        (of_models,) = values.values()
        return DifferencesDisplay(differences=differences, values=of_models).plot().figure_

    tables: dict[str, list[dict[str, Any]]] = {}
    for key, of_models in values.items():
        tables[f"Values of {key}"] = [
            {"model": name} | _cells("value", value) for name, value in of_models.items()
        ]
    for key, rows in differences.groupby("metric", sort=False):
        tables[f"Differences in {key}"] = [
            {"first": row.first, "second": row.second}
            | _cells("difference", row)
            | {"p": row.p_value, "adjusted p": row.p_adjusted}
            for row in rows.itertuples()
        ]
    level, units = percent(options.confidence), "instances" if groups is None else "groups"
    legend = (
        f"Differences {where.where}, the second model less the first, {where.assumption(units)}."
        f" All intervals of a metric hold at once with {level} confidence (Bonferroni), and"
        " p-values are adjusted by Holm's method. Values have an interval each."
    )
    title = f"Models of {titled(options.predictions)}"
    remarks = [remark for remark in differences["remark"].unique() if remark]
    summary = Summary(title, paragraphs=[legend, *remarks], tables=tables)
    return Result(summary, rows_for_machines(differences), differences, figure=drawn)


def _scores(options: SimpleNamespace) -> tuple[Any, pd.DataFrame, Any, Any]:
    """Read labels as 1 and 0, scores, and groups."""
    columns = {
        "true": options.true,
        "scores": options.models,
        "pos_label": options.pos_label or "1",
    }
    with read_scores(options.predictions, **columns, groups=options.groups) as scored:
        read = {name: scored.arrays(name) for name in options.models}
        groups = scored.column(options.groups) if options.groups else None
    true = read[options.models[0]][0].astype(int)
    return true, pd.DataFrame({name: scores for name, (_, scores) in read.items()}), groups, 1


def _labels(options: SimpleNamespace) -> tuple[Any, dict[str, Any], Any, Any]:
    """Read true and predicted labels, groups, and the positive label."""
    columns = (options.true, *options.models)
    entries, left_out, positive = read_columns(
        options.predictions, columns, options.pos_label or "1", options.groups
    )
    say_left_out(left_out)
    true, *said = entries[: len(columns)]
    labels = dict(zip(columns[1:], said, strict=True))
    pos_label = 1
    if options.pos_label is not None or not has_more_than_two(true=true, **labels):
        pos_label = positive_among(
            positive, [label for column in entries[: len(columns)] for label in column]
        )
    return true, labels, entries[-1] if options.groups else None, pos_label


def _values(
    key: str, true: Any, models: Mapping[str, Any], threshold: Any, shared: dict[str, Any]
) -> dict[str, Any]:
    """Compute the value of each model, with its interval."""
    if key == OF_LABELS:
        options = {name: value for name, value in shared.items() if name != "groups"}
        costs = expected_cost(true, models, threshold=threshold, **options)
        rows = costs.rename(columns={"cost": "value"}).set_index("model").loc[[*models]]
        return dict(zip(models, rows.itertuples(), strict=True))
    if key == "net_benefit":
        columns = {"net_benefit": "value", "net_benefit_low": "low", "net_benefit_high": "high"}
        curves = {
            name: decision_curve(true, said, thresholds=[threshold], **shared)
            for name, said in models.items()
        }
        return {
            name: next(curve.rename(columns=columns).itertuples()) for name, curve in curves.items()
        }
    if key not in KINDS:
        return {name: interval(key, true, said, **shared) for name, said in models.items()}
    if key in AREAS:
        return {name: area_interval(key, true, said, **shared) for name, said in models.items()}
    return {
        name: next(probability_scores(true, said, scores=[key], **shared).itertuples())
        for name, said in models.items()
    }


def _cells(name: str, estimate: Any) -> dict[str, Any]:
    """Write a value with its ends, in as many digits as its width needs."""
    numbers = in_digits_of_width(estimate.value, estimate.low, estimate.high)
    return dict(zip((name, "low", "high"), numbers, strict=True))
