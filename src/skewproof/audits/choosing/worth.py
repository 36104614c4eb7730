"""Metrics that imply what a hit is worth: the false alarms that are accepted for one more hit."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.arguments import expect, expect_number, is_finite
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.metrics import parse_metric
from skewproof.core.levels import DEFAULT_POSITIVES, Level
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS
from skewproof.metrics.lookup import as_metrics
from skewproof.multiclass.declaration import total_matters
from skewproof.operating_points.curves import BinormalCurve
from skewproof.operating_points.demands import MEAN, has_best_point
from skewproof.operating_points.exchange import exchange_rate
from skewproof.operating_points.optimum import best_point
from skewproof.prevalence.prevalence import Prevalence
from skewproof.prevalence.projection import stated_prevalence
from skewproof.reporting.summary import Summarized, Summary, json_number
from skewproof.reporting.templates import render

NEAR = 2.0
"""Factor within which a metric's exchange rate must be to imply what a hit is worth."""

MOST_SHOWN = 10
"""Most metrics in a summary."""

MOST_WORTH = 1e9
"""Most false alarms that a hit may be worth, as many as a level may have negatives."""

BENEFIT = "net_benefit"
"""Key of the net benefit in the table."""

ROBUST = ("robust_f", "robust_mcc")
"""Measures of the atlas that are compared beside the registered metrics: those whose choice stays
when positives become rare, at the worth of a hit that their constant implies."""

Rates = tuple[float, float]


@dataclass(frozen=True, repr=False)
class Worth(Summarized):
    """Worth of a hit, and the metrics that imply it."""

    worth: float
    """False alarms that are accepted for one more hit."""

    at: str
    """The prevalence, as it was given."""

    rates: Rates | None
    """True and false positive rate of the classifier whose exchange rates are compared; None if
    each metric's rate is that of its best point on the binormal curve."""

    rows: list[dict[str, Any]]
    """A row for the net benefit and for each metric, the nearest first."""

    @property
    def cutoff(self) -> float:
        """Least calibrated probability that is called positive."""
        return 1 / (1 + self.worth)

    @property
    def implied_by(self) -> list[str]:
        """Keys of the metrics that imply this worth, within a factor of 2, the nearest first."""
        return [row["metric"] for row in self.rows[1:] if row["implies"]]

    @property
    def sentences(self) -> list[str]:
        """Main results, in sentences."""
        formula = benefit_formula(self.worth)
        first = (
            f"Maximize the net benefit, {formula}: it calls positive what has a probability of at"
            f" least {self.cutoff:.3g}."
        )
        where = f"At {self.at}" if ":" in self.at else f"At prevalence {self.at}"
        if self.rates is None:
            where += f", where each is best on the ROC curve of normal scores {MEAN:g} apart,"
        else:
            where += f", for a classifier with TPR {self.rates[0]:g} and FPR {self.rates[1]:g},"
        if not self.implied_by:
            return [first, f"{where} no other metric implies it within a factor of {NEAR:g}."]
        named = ", ".join(self.implied_by)
        second = f"{where} these imply it within a factor of {NEAR:g}: {named}."
        if self.rates is None:
            return [first, second]
        third = "Most rates change with the classifier: another cut-off has others."
        return [first, second, third]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as a dictionary for JSON."""
        return {
            "worth": self.worth,
            "at": self.at,
            "tpr": None if self.rates is None else self.rates[0],
            "fpr": None if self.rates is None else self.rates[1],
            "cutoff": self.cutoff,
            "implied_by": self.implied_by,
            "metrics": [
                {name: json_number(value) for name, value in row.items()} for row in self.rows
            ],
        }

    def to_markdown(self) -> str:
        """Return the result as Markdown."""
        return render(
            "skewproof.audits.choosing",
            "worth.md.jinja",
            title=self._title,
            sentences=self.sentences,
            rows=pd.DataFrame(self._shown),
        )

    @property
    def _title(self) -> str:
        return f"One hit is worth {self.worth:g} false alarm{'' if self.worth == 1 else 's'}"

    @property
    def _shown(self) -> list[dict[str, Any]]:
        """Rows of the nearest metrics, with the columns that are shown."""
        return [
            {name: value for name, value in row.items() if name not in ("name", "implies")}
            for row in self.rows[:MOST_SHOWN]
        ]

    def to_frame(self) -> pd.DataFrame:
        """Return a row for the net benefit and for each metric."""
        return pd.DataFrame(self.rows)

    def summary(self) -> Summary:
        """Return the summary of the result."""
        first, *others = self.sentences
        title = "What a hit is worth to a metric, the nearest first"
        return Summary(self._title, verdict=first, paragraphs=others, tables={title: self._shown})


def benefit_formula(worth: float) -> str:
    """Return the formula of the net benefit if a hit is worth so many false alarms.

    Examples
    --------
    >>> benefit_formula(20)
    '(tp - fp/20)/(P + N)'
    """
    return f"(tp - fp/{worth:g})/(P + N)" if worth != 1 else "(tp - fp)/(P + N)"


def checked_worth(worth: Any) -> float:
    """Check a number of false alarms, or its text: above 0 and at most 10^9.

    Raises
    ------
    ValueError
        If it is anything else.
    """
    with contextlib.suppress(ValueError):
        worth = float(worth) if isinstance(worth, str) else worth
    return expect_number("worth", worth, most=MOST_WORTH, above=0)


def metrics_by_worth(
    worth: float,
    *,
    at: float | str | Level | Prevalence,
    rates: Rates | None = None,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
) -> Worth:
    """List the metrics that imply a given worth of a hit.

    A metric trades hits for false alarms at an exchange rate that depends on the classifier; see
    :func:`skewproof.operating_points.exchange_rate`.

    Parameters
    ----------
    worth
        Number of false alarms that are accepted for one more hit, above 0 and at most 10^9.
    at
        A stated prevalence of deployment, such as 0.003 or "1:1000".
    rates
        True and false positive rate of a classifier, above 0 and below 1, at which the exchange
        rates are compared. By default each rate is that of the metric's best point on the ROC curve
        of scores that are normal in each class and 2 standard deviations apart: the rate after the
        metric was maximized.
    metrics
        One or several, as for :func:`skewproof.score`. By default robust F and robust MCC, with
        their authors' constants, and all registered metrics whose good values are high or low and
        which do not depend on the number of instances.

    Returns
    -------
    A :class:`~skewproof.audits.choosing.worth.Worth`. The first of its rows is the net benefit.
    A row has metric (its key), name, hit_is_worth, which is NaN if the metric is best at an end of
    the curve, and implies: whether hit_is_worth is at least half and at most twice the given worth.
    Without `rates` it also has tpr, fpr and alarms_per_hit at the best point.

    Raises
    ------
    KeyError, FormulaError
        As for :func:`skewproof.operating_points.exchange_rate`.
    ValueError
        If a number is out of its range, or `at` is not a stated prevalence.

    Examples
    --------
    >>> from skewproof.audits import metrics_by_worth
    >>> some = ["accuracy", "f1", "mcc", "balanced_accuracy"]
    >>> metrics_by_worth(20, at="1:1000", rates=(0.5, 0.01), metrics=some).implied_by
    ['f1']
    >>> listed = metrics_by_worth(20, at="1:1000", metrics=some)
    >>> listed.implied_by, [round(row["tpr"], 3) for row in listed.rows[:2]]
    (['mcc', 'f1'], [0.17, 0.142])
    """
    worth = checked_worth(worth)
    there = stated_prevalence(at)
    if rates is not None:
        pair = isinstance(rates, tuple | list) and len(rates) == 2
        fits = pair and all(is_finite(rate) and 0 < rate < 1 for rate in rates)
        expect(fits, "rates", rates, "a true and a false positive rate above 0 and below 1")
        rates = float(rates[0]), float(rates[1])
    chosen = as_metrics([*METRICS, *ROBUST] if metrics is None else metrics)
    if metrics is None:
        chosen = [
            metric for metric in chosen if has_best_point(metric) and not total_matters(metric)
        ]
    benefit = parse_metric(benefit_formula(worth), key=BENEFIT)
    first, *others = (_row(metric, worth, there, rates) for metric in [benefit, *chosen])
    others.sort(key=lambda row: _distance(row["hit_is_worth"], worth))
    return Worth(worth, str(there), rates, [first | {"name": "net benefit"}, *others])


def _row(metric: Metric, worth: float, at: Prevalence, rates: Rates | None) -> dict[str, Any]:
    positives = float(DEFAULT_POSITIVES)
    negatives = positives * (1 - at.share) / at.share
    numbers: dict[str, float] = {}
    is_inside = True
    if rates is None:
        point = best_point(metric, BinormalCurve(MEAN), at=at, total=positives + negatives)
        is_inside, rates = point.kind == "attained", (point.tpr, point.fpr)
        numbers = {
            "tpr": point.tpr,
            "fpr": point.fpr,
            "alarms_per_hit": point.alarms_per_hit,
        }
    matrix = ConfusionMatrix.from_rates(*rates, positives=positives, negatives=negatives)
    hit_is_worth = float(exchange_rate(metric)(matrix)) if is_inside else np.nan
    implies = _distance(hit_is_worth, worth) <= np.log(NEAR)
    row = {"metric": metric.key, "name": metric.name, "hit_is_worth": hit_is_worth}
    return row | numbers | {"implies": bool(implies)}


def _distance(hit_is_worth: float, worth: float) -> float:
    """Return the distance of two exchange rates, as the logarithm of their ratio."""
    known = np.isfinite(hit_is_worth) and hit_is_worth > 0
    return abs(np.log(hit_is_worth / worth)) if known else np.inf
