"""The command ``skewproof plan``."""

from __future__ import annotations

import argparse
from typing import Any

from skewproof.cli.shared.output import Output, as_json, json_number
from skewproof.core.messages import shortened
from skewproof.metrics.lookup import as_metric
from skewproof.planning.simulated_studies import Sampling
from skewproof.planning.study_size import Plan, plan
from skewproof.reporting.summary import text_table, wrapped

SAMPLINGS: tuple[Sampling, ...] = ("random", "stratified", "enriched")

SHARED = ("at", "confidence", "total", "seed")
"""Options that both kinds of plan share."""

POWER = 0.8
"""Power by default."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command and add its arguments."""
    parser.description = (
        "Print the sample size for an interval of the requested width or, if --tpr or"
        " --fpr has two values, for the comparison of two models."
    )
    parser.add_argument(
        "metric", help="a metric's key or name, or a formula in tp, fp, fn, tn, P, N"
    )
    for rate, name in (("--tpr", "true"), ("--fpr", "false")):
        parser.add_argument(
            rate,
            type=float,
            nargs="+",
            required=True,
            metavar="RATE",
            help=f"expected {name} positive rate; two values for two models",
        )
    parser.add_argument(
        "--at",
        required=True,
        metavar="PREVALENCE",
        help="prevalence of the population: 0.001 or 1:1000; with --sampling enriched also 12/4000"
        " (counted in a sample) or 'beta(2, 500)' (a belief)",
    )
    _add_goals(parser)
    parser.add_argument("--confidence", type=float, help="confidence of intervals; default: 0.95")
    parser.add_argument(
        "--sampling",
        choices=SAMPLINGS,
        help="how instances are drawn; default: all three for a width, random for two models",
    )
    parser.add_argument(
        "--total", type=int, help="print what this number of instances achieves, without a search"
    )
    parser.add_argument("--seed", type=int, help="seed of the simulation; default: 0")


def _add_goals(parser: argparse.ArgumentParser) -> None:
    """Add the goals of the study."""
    widths = parser.add_mutually_exclusive_group()
    widths.add_argument("--width", type=float, help="largest width of the interval")
    widths.add_argument(
        "--relative-width", type=float, help="largest width as a share of the metric's value"
    )
    parser.add_argument(
        "--assurance",
        type=float,
        help="probability that the interval is at most that wide; default: 0.9",
    )
    parser.add_argument(
        "--power", type=float, help="probability of finding the difference; default: 0.8"
    )
    parser.add_argument(
        "--agreement",
        type=float,
        help="agreement of two models within a class: 0 is chance, 1 the largest possible;"
        " default: 0",
    )
    parser.add_argument(
        "--samples",
        choices=("same", "separate"),
        help="same: two models on the same instances; separate: a model on two samples; default:"
        " same",
    )


def run(options: argparse.Namespace) -> Output:
    """Plan a study."""
    models = _models(options)
    plans = _plans_of_a_width(options) if models == 1 else _plans_of_a_difference(options)
    if options.json:
        return Output(as_json([_for_machines(sampling, plan) for sampling, plan in plans]))
    rows = [_for_readers(sampling, plan, models) for sampling, plan in plans]
    return Output(f"{wrapped(plans[0][1].sentence)}\n\n{text_table(rows)}\n")


def _models(options: argparse.Namespace) -> int:
    """Count the models: two if a rate has two values."""
    for name in ("tpr", "fpr"):
        rates = getattr(options, name)
        if len(rates) > 2:
            values = shortened(" ".join(f"{rate:g}" for rate in rates))
            raise ValueError(f"--{name} {values}: expected one rate, or two for two models")
    return max(len(options.tpr), len(options.fpr))


def _plans_of_a_width(options: argparse.Namespace) -> list[tuple[Sampling, Plan]]:
    """Plan for the chosen way of sampling, or for each."""
    _refuse(options, "power", "agreement", "samples", where="for one model")
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
        for sampling in ([options.sampling] if options.sampling else SAMPLINGS)
    ]


def _plans_of_a_difference(options: argparse.Namespace) -> list[tuple[Sampling, Plan]]:
    """Plan a comparison, and compute the power with a tenth of its instances."""
    _refuse(options, "width", "relative_width", "assurance", where="for two models")
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
        arguments["total"] = max(plans[0].total // 10, 2)
        plans.append(plan(metric, **arguments))
    return [(sampling, study) for study in plans]


def _given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    given = {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    return {"rng" if name == "seed" else name: value for name, value in given.items()}


def _refuse(options: argparse.Namespace, *names: str, where: str) -> None:
    for name, value in _given(options, *names).items():
        option = name.replace("_", "-")
        raise ValueError(f"--{option} {value}: remove it {where} in --tpr and --fpr")


def _for_machines(sampling: Sampling, plan: Plan) -> dict[str, Any]:
    fields = plan._asdict()
    numbers = {
        name: json_number(value) for name, value in fields.items() if isinstance(value, float)
    }
    return {"sampling": sampling, **fields, **numbers}


def _for_readers(sampling: Sampling, plan: Plan, models: int) -> dict[str, Any]:
    row = {
        "sampling": sampling,
        "positives": f"{plan.positives:,}",
        "negatives": f"{plan.negatives:,}",
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
