"""The command ``skewproof plan-labels``."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any

from skewproof.cli.shared import options as common
from skewproof.cli.shared.command import command, complete_files, option
from skewproof.cli.shared.output import Result
from skewproof.cli.shared.reading import opened
from skewproof.core.arguments import expect_whole
from skewproof.core.data.label_texts import typed_label
from skewproof.metrics.lookup import as_metric
from skewproof.reporting.result_table import rows_for_machines
from skewproof.reporting.summary import Summary
from skewproof.unlabeled.label_plans import LabelPlan
from skewproof.unlabeled.labeling import plan_labels

AS_THEY_ARE = ("labels", "threshold", "strata", "least", "confidence")
"""Options that are passed to the plan unchanged."""


@command(
    "plan-labels",
    common.metric(),
    common.files("predictions that need no labels"),
    option("--row-id COLUMN", "Column with a different id for each row.", required=True),
    option("--labels NUMBER", "Number of rows to label.", type=int, required=True),
    common.PREDICTED,
    common.SCORE,
    common.THRESHOLD,
    common.POS_LABEL,
    option(
        "--reference FILE...",
        "Labeled files from which the probability that a score belongs to a positive is"
        " estimated.  [default: scores are probabilities]",
        shell_complete=complete_files,
    ),
    option("--true COLUMN", "Column of true labels of the reference.", default="y_true"),
    option(
        "--strata NUMBER", "Number of strata on each side of the cut-off.  [default: 3]", type=int
    ),
    option("--least NUMBER", "Fewest labels in each stratum.  [default: 5]", type=int),
    option("--confidence NUMBER", "Confidence of the interval.  [default: 0.95]", type=float),
    option("--seed NUMBER", "Seed of the draw.", type=int, default=0),
    example="skewproof plan-labels f1 calls.csv --row-id id --labels 200 --output to_label.csv",
    exclusive=[("predicted", "score")],
)
def run(options: SimpleNamespace) -> Result:
    """Choose the rows of files whose labels are most informative about a metric, and print the
    width of the interval to expect from them.

    With --output, the rows to label are written.
    """
    plan = _planned(options)
    rows = plan.to_frame(options.row_id)
    strata = plan.strata.assign(called=plan.strata["called"].map({True: "yes", False: "no"}))
    summary = Summary("", paragraphs=[plan.sentence], tables={"": strata.to_dict("records")})
    data = {
        "metric": plan.metric,
        "sentence": plan.sentence,
        "value": plan.value,
        "width": plan.width,
        "random_width": plan.random_width,
        "confidence": plan.confidence,
        "strata": rows_for_machines(plan.strata),
        "rows": rows_for_machines(rows),
    }
    return Result(summary, [data], rows)


def _planned(options: SimpleNamespace) -> LabelPlan:
    """Plan labels for the predictions in files."""
    metric = as_metric(options.metric, key="metric")
    common.check_score(options)
    predicted, labels, numbers = common.columns(options)
    chosen = {name: getattr(options, name) for name in AS_THEY_ARE}
    arguments: dict[str, Any] = {
        "row_id": options.row_id,
        "y_pred": predicted,
        "y_score": options.score,
        "rng": expect_whole("--seed", options.seed),
        **{name: value for name, value in chosen.items() if value is not None},
    }
    with contextlib.ExitStack() as stack:
        reference = None
        if options.reference:
            reference = stack.enter_context(
                opened(options.reference, labels=[options.true, *labels], numbers=numbers)
            )
            arguments |= {"reference": reference, "y_true": options.true}
        rows = stack.enter_context(
            opened(
                options.predictions, labels=labels, numbers=numbers, doing="counting predictions"
            )
        )
        labeled = (rows, predicted or "") if reference is None else (reference, options.true)
        pos_label = typed_label(options.pos_label, *labeled)
        return plan_labels(metric, rows, pos_label=pos_label, **arguments)
