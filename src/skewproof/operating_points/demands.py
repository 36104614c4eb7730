"""Consequences of optimizing a metric, in short, for its card.

``demands.json`` holds them for the registered metrics at the default levels, as computed by
``benchmarks/speed/stored_demands.py``: best points take longer than the rest of a card.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from skewproof import operating_points  # whose names load SciPy and pandas when used
from skewproof.core.arguments import expect
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import DEFAULT_POSITIVES, Level
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS

EXAMPLE = (0.9, 0.1)
"""True and false positive rate of the classifier whose exchange rate is shown."""

MEAN = 2.0
"""Mean of the positives' scores on the binormal curve of the best points."""

UNDIRECTED = "a metric whose good values are high or low"
"""Metric that a best point needs, in messages."""

LIMIT = "limit"
"""Name of the row of the limit, before what supports it."""

Row = dict[str, Any]


def demands(metric: Metric, levels: Sequence[Level], positives: float) -> list[Row]:
    """Compute the exchange rate at an example and the best point, by level and at the limit.

    Returns
    -------
    Rows with the level, hit_is_worth, best_tpr and best_fpr. An undefined number is None, such as
    the best point of a metric that is constant on the curve. Metrics whose good values are neither
    their highest nor their lowest have no best points and no limit.

    Examples
    --------
    >>> from skewproof import Level
    >>> from skewproof.metrics import f1
    >>> rows = demands(f1, [Level(1, 1), Level(1, 1000)], positives=100)
    >>> [(row["level"], round(row["best_tpr"], 3)) for row in rows]
    [('1:1', 0.876), ('1:1000', 0.132), ('limit, proved', 0.0)]
    >>> [round(row["hit_is_worth"], 3) for row in rows[:2]]
    [1.222, 112.222]
    """
    is_stored = METRICS.get(metric.key, metric).formula is metric.formula
    stored = _stored().get(metric.key, []) if is_stored and positives == DEFAULT_POSITIVES else []
    known = {row["level"]: row for row in stored}
    rows = [known.get(str(level)) or level_row(metric, level, positives) for level in levels]
    ends = [row for row in stored if row["level"].startswith(LIMIT)]
    return [*rows, *(ends if stored else limit_rows(metric))]


@cache
def _stored() -> dict[str, list[Row]]:
    text = files("skewproof.operating_points").joinpath("demands.json").read_text("utf-8")
    rows: dict[str, list[Row]] = json.loads(text)
    return rows


def has_best_point(metric: Metric) -> bool:
    """Return whether a metric's good values are its highest or its lowest."""
    return metric.direction not in ("target", "none")


def expect_best_point(metric: Metric) -> None:
    """Refuse a metric whose good values are neither its highest nor its lowest."""
    expect(has_best_point(metric), "metric", metric.key, UNDIRECTED)


def level_row(metric: Metric, level: Level, positives: float) -> Row:
    """Compute the row of a level."""
    matrix = ConfusionMatrix.from_rates(
        *EXAMPLE, positives=positives, negatives=level.negatives(positives)
    )
    row = {
        "level": str(level),
        "hit_is_worth": _number(float(operating_points.exchange_rate(metric)(matrix))),
    }
    if not has_best_point(metric):
        return row
    total = positives / level.prevalence
    try:
        curve = operating_points.BinormalCurve(MEAN)
        point = operating_points.best_point(metric, curve, at=level, total=total)
    except ValueError:  # undefined or constant on the curve
        return row | {"best_tpr": None, "best_fpr": None}
    return row | {"best_tpr": point.tpr, "best_fpr": point.fpr}


def limit_rows(metric: Metric) -> list[Row]:
    """Compute the row of the limit, if there are best points on the curve."""
    if not has_best_point(metric):
        return []
    try:
        limit = operating_points.rare_limit(metric, operating_points.BinormalCurve(MEAN))
    except ValueError:
        return []
    name = f"{LIMIT}, {limit.support}"
    ends = {"best_tpr": _number(limit.tpr), "best_fpr": _number(limit.fpr)}
    return [{"level": name, "hit_is_worth": None} | ends]


def worth_in_words(rows: Sequence[Row]) -> str:
    """State what a hit is worth at the first and the last level, in a sentence.

    Examples
    --------
    >>> rows = [{"level": "1:1", "hit_is_worth": 1.375}, {"level": "1:50", "hit_is_worth": 7.5}]
    >>> worth_in_words(rows)
    'One hit is worth 1.38 false alarms at 1:1, 7.5 at 1:50, for a classifier with TPR 0.9 and \
FPR 0.1.'
    """
    known = [row for row in rows if row["hit_is_worth"] is not None]
    tpr, fpr = EXAMPLE
    whose = f"for a classifier with TPR {tpr:g} and FPR {fpr:g}"
    if not known:
        return f"The worth of a hit is not defined {whose}."
    first, *others = (known[0], known[-1]) if len(known) > 1 else known
    worth = _text(first)
    text = f"One hit is worth {worth} false alarm{'' if worth == '1' else 's'} at {first['level']}"
    for row in others:
        text += f", {_text(row)} at {row['level']}"
    rates = [row["hit_is_worth"] for row in known]
    negative = any(not isinstance(rate, str) and rate < 0 for rate in rates)
    remark = " A negative rate rewards a false alarm or punishes a hit." if negative else ""
    return f"{text}, {whose}.{remark}"


def _number(value: float) -> float | str | None:
    """Return a number in a form for JSON."""
    if math.isnan(value):
        return None
    return value if math.isfinite(value) else "infinitely many"


def _text(row: Row) -> str:
    value = row["hit_is_worth"]
    if isinstance(value, str):
        return value
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
