"""The command ``skewproof plan``."""

from __future__ import annotations

from dataclasses import asdict
from math import ceil, isnan
from types import SimpleNamespace
from typing import Any

import click

from skewproof.cli.shared.command import command, option
from skewproof.cli.shared.options import FORMULA, metric
from skewproof.cli.shared.output import Result
from skewproof.core.messages import shortened
from skewproof.metrics.lookup import as_metric
from skewproof.planning.score_size import CALLS, plan_scores
from skewproof.planning.simulated_studies import FEWEST, Sampling
from skewproof.planning.study_size import Plan, plan
from skewproof.reporting.summary import Summary, json_number

SAMPLINGS: tuple[Sampling, ...] = ("random", "stratified", "enriched")

SHARED = (
    "at",
    "confidence",
    "total",
    "seed",
    "rows_per_group",
    "intraclass_correlation",
    "size_variation",
    "class_correlation",
)
"""Options that both kinds of plan share."""

OF_SCORES = ("auc", "linear_predictor", "threshold", "correlation")
"""Options for statistics of scores."""

OF_RATES = (
    "tpr",
    "fpr",
    "relative_width",
    "assurance",
    "agreement",
    "samples",
    "sampling",
    "seed",
    *SHARED[4:],
)
"""Options for metrics of rates."""

POWER = 0.8
"""Power by default."""


@command(
    "plan",
    metric(f"{FORMULA} Or a statistic of scores: {', '.join(CALLS)}."),
    option("--tpr RATE...", "Expected true positive rate; two values for two models.", type=float),
    option("--fpr RATE...", "Expected false positive rate; two values for two models.", type=float),
    option(
        "--auc AREA...",
        "Expected AUC, with a statistic of scores; two values for two models.",
        type=float,
    ),
    option(
        "--linear-predictor NUMBER...",
        "Mean and standard deviation of the log odds in the population, with a statistic of scores;"
        " instead of --auc and --at.",
        type=float,
    ),
    option("--threshold T", "Threshold probability of net_benefit.", type=float),
    option(
        "--correlation NUMBER",
        "Correlation of the log odds of two models within a class.  [default: 0]",
        type=float,
    ),
    option(
        "--at PREVALENCE",
        "Prevalence of the population: 0.001 or 1:1000; with --sampling enriched also 12/4000"
        " (counted in a sample) or 'beta(2, 500)' (a belief).",
    ),
    option("--width NUMBER", "Largest width of the interval.", type=float),
    option(
        "--relative-width NUMBER", "Largest width as a share of the metric's value.", type=float
    ),
    option(
        "--assurance NUMBER",
        "Probability that the interval is at most that wide.  [default: 0.9]",
        type=float,
    ),
    option("--power NUMBER", "Probability of finding the difference.  [default: 0.8]", type=float),
    option(
        "--agreement NUMBER",
        "Agreement of two models within a class: 0 is chance, 1 the largest possible."
        "  [default: 0]",
        type=float,
    ),
    option(
        "--samples [same|separate]",
        "same: two models on the same instances; separate: a model on two samples."
        "  [default: same]",
        type=click.Choice(["same", "separate"]),
    ),
    option("--confidence NUMBER", "Confidence of the intervals.  [default: 0.95]", type=float),
    option(
        "--sampling [random|stratified|enriched]",
        "How instances are drawn.  [default: all three for a width, random for two models]",
        type=click.Choice(SAMPLINGS),
    ),
    option(
        "--rows-per-group NUMBER",
        "Mean number of rows of a group, such as a patient, if rows belong together.",
        type=float,
    ),
    option(
        "--intraclass-correlation NUMBER",
        "Correlation of the answers to two rows of a group and class.",
        type=float,
    ),
    option(
        "--size-variation NUMBER",
        "Coefficient of variation of the sizes of groups.  [default: 0]",
        type=float,
    ),
    option(
        "--class-correlation NUMBER",
        "Correlation of the true classes of two rows of a group; below 1 only with random sampling."
        "  [default: 1]",
        type=float,
    ),
    option(
        "--total NUMBER",
        "Print what this number of instances achieves, without a search.",
        type=int,
    ),
    option("--seed NUMBER", "Seed of the simulation.  [default: 0]", type=int),
    example="skewproof plan f1 --tpr 0.7 --fpr 0.01 --at 0.01 --width 0.15",
    exclusive=[("width", "relative_width")],
)
def run(options: SimpleNamespace) -> Result:
    """Print the sample size for an interval of the requested width or, if --tpr, --fpr or --auc
    has two values, for the comparison of two models.
    """
    if options.metric in CALLS:
        return _plan_of_scores(options)
    _refuse(options, *OF_SCORES, where=f"for {options.metric}, which has rates")
    for name in ("tpr", "fpr", "at"):
        if getattr(options, name) in (None, []):
            raise ValueError(f"--{name} is missing: expected it for {options.metric}")
    models = _models(options)
    plans = _plans_of_a_width(options) if models == 1 else _plans_of_a_difference(options)
    rows = [_for_readers(sampling, plan, models) for sampling, plan in plans]
    data = [_for_machines(sampling, plan) for sampling, plan in plans]
    return Result(Summary("", paragraphs=[plans[0][1].sentence], tables={"": rows}), data, data)


def _plan_of_scores(options: SimpleNamespace) -> Result:
    """Plan for a statistic of scores."""
    where = f"for {options.metric}, a statistic of scores"
    _refuse(options, *OF_RATES, where=where)
    arguments = _given(options, *OF_SCORES, "at", "width", "power", "confidence", "total")
    if len(options.auc) == 1:
        (arguments["auc"],) = options.auc
    if len(options.auc) == 2 and options.total is None:
        arguments.setdefault("power", POWER)
    study = plan_scores(options.metric, **arguments)
    row = {
        "positives": f"{study.positives:,}",
        "negatives": f"{study.negatives:,}",
        "total": f"{study.total:,}",
        "value": study.value,
        "width": study.width,
    }
    if not isnan(study.power):
        row["power"] = f"{study.power:.1%}"
    data = {
        name: json_number(value) if isinstance(value, float) else value
        for name, value in asdict(study).items()
    }
    return Result(Summary("", paragraphs=[study.sentence], tables={"": [row]}), [data], [data])


def _models(options: SimpleNamespace) -> int:
    """Count the models: two if a rate has two values."""
    for name in ("tpr", "fpr"):
        rates = getattr(options, name)
        if len(rates) > 2:
            values = shortened(" ".join(f"{rate:g}" for rate in rates))
            raise ValueError(f"--{name} {values}: expected one rate, or two for two models")
    return max(len(options.tpr), len(options.fpr))


def _plans_of_a_width(options: SimpleNamespace) -> list[tuple[Sampling, Plan]]:
    """Plan for the chosen way of sampling, or for each that the groups allow."""
    possible = SAMPLINGS if options.class_correlation is None else SAMPLINGS[:1]
    _refuse(options, "power", "agreement", "samples", where="for one model in --tpr and --fpr")
    return [
        (
            sampling,
            plan(
                as_metric(options.metric, key="metric"),
                tpr=options.tpr[0],
                fpr=options.fpr[0],
                sampling=sampling,
                **_given(options, "width", "relative_width", "assurance", *SHARED),
            ),
        )
        for sampling in ([options.sampling] if options.sampling else possible)
    ]


def _plans_of_a_difference(options: SimpleNamespace) -> list[tuple[Sampling, Plan]]:
    """Plan a comparison, and compute the power with a tenth of its instances."""
    _refuse(
        options, "width", "relative_width", "assurance", where="for two models in --tpr and --fpr"
    )
    sampling = options.sampling or SAMPLINGS[0]
    arguments = _given(options, "agreement", "samples", *SHARED) | {
        "tpr": (options.tpr[0], options.tpr[-1]),
        "fpr": (options.fpr[0], options.fpr[-1]),
        "sampling": sampling,
        "power": POWER if options.power is None else options.power,
    }
    metric = as_metric(options.metric, key="metric")
    plans = [plan(metric, **arguments)]
    if options.total is None:
        arguments["total"] = max(
            plans[0].total // 10, ceil(FEWEST * (options.rows_per_group or 0.5))
        )
        plans.append(plan(metric, **arguments))
    return [(sampling, study) for study in plans]


def _given(options: SimpleNamespace, *names: str) -> dict[str, Any]:
    values = {name: getattr(options, name) for name in names}
    given = {name: value for name, value in values.items() if value not in (None, [])}
    return {"rng" if name == "seed" else name: value for name, value in given.items()}


def _refuse(options: SimpleNamespace, *names: str, where: str) -> None:
    for name, value in _given(options, *names).items():
        option = name.replace("_", "-")
        text = " ".join(f"{part:g}" for part in value) if isinstance(value, list) else value
        raise ValueError(f"--{option} {text}: remove it {where}")


def _for_machines(sampling: Sampling, plan: Plan) -> dict[str, Any]:
    fields = asdict(plan)
    numbers = {
        name: json_number(value) for name, value in fields.items() if isinstance(value, float)
    }
    return {"sampling": sampling, **fields, **numbers}


def _for_readers(sampling: Sampling, plan: Plan, models: int) -> dict[str, Any]:
    row = {
        "sampling": sampling,
        "positives": f"{plan.positives:,}",
        "negatives": f"{plan.negatives:,}",
        **({} if plan.groups is None else {"groups": f"{plan.groups:,}"}),
        "total": f"{plan.total:,}",
        "mean width": plan.mean_width,
    }
    if models > 1:
        return row | {"power": f"{plan.achieved:.1%}"}
    relative = f"{plan.mean_width / abs(plan.value):.0%}" if plan.value else ""
    return row | {
        "of value": relative,
        "share of simulated studies this narrow": f"{plan.achieved:.1%}",
    }
