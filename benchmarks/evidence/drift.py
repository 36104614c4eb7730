"""Measure how often drift raises an alarm, with and without a change.

For ``docs/evidence/error_rates.md``.

A classifier with known rates meets periods whose prevalence moves. Its reference, a sample too, is
drawn anew in each repetition, and so are all counts; what is alarmed of is known to be nothing, or
a change of a known size.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np
import pandas as pd

from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics import get_metric
from skewproof.practice.slices.drift import watch_drift

METRIC = "f1"
PERIODS = 24
PERIOD_SIZE = 2000
PREVALENCES = (0.005, 0.1)
"""Between which the prevalence swings, on a logarithmic scale, twice in all periods."""
ALPHA = 0.05
REPETITIONS = 2000
POWER_REPETITIONS = 400
SEED = 1
PROCESSES = 2


class Case(NamedTuple):
    """A reference, and what becomes of the classifier in the second half of the periods."""

    reference: tuple[int, int]
    tpr: float = 0.8
    fpr: float = 0.05
    later_tpr: float = 0.8
    later_fpr: float = 0.05

    @property
    def changes(self) -> bool:
        """Whether the classifier does."""
        return (self.tpr, self.fpr) != (self.later_tpr, self.later_fpr)


CASES = (
    Case((200, 5000)),
    Case((2000, 50_000)),
    Case((200, 5000), later_tpr=0.7),
    Case((2000, 50_000), later_tpr=0.7),
    Case((200, 5000), later_fpr=0.06),
    Case((2000, 50_000), later_fpr=0.06),
)


def drawn(case: Case, random: np.random.Generator) -> tuple[ConfusionMatrix, pd.DataFrame]:
    """The reference, and a row of counts a period."""
    swing = np.sin(4 * np.pi * np.arange(PERIODS) / PERIODS)
    low, high = np.log(PREVALENCES)
    positives = random.binomial(PERIOD_SIZE, np.exp((low + high) / 2 + (high - low) / 2 * swing))
    later = np.arange(PERIODS) >= PERIODS // 2
    tp = random.binomial(positives, np.where(later, case.later_tpr, case.tpr))
    negatives = PERIOD_SIZE - positives
    fp = random.binomial(negatives, np.where(later, case.later_fpr, case.fpr))
    counts = {"tp": tp, "fp": fp, "fn": positives - tp, "tn": negatives - fp}
    hits, false = (
        random.binomial(size, rate)
        for size, rate in zip(case.reference, (case.tpr, case.fpr), strict=True)
    )
    reference = ConfusionMatrix.from_tp_fp(
        hits, false, positives=case.reference[0], negatives=case.reference[1]
    )
    return reference, pd.DataFrame(counts).assign(period=range(PERIODS))


def naive_alarm(reference: ConfusionMatrix, counts: pd.DataFrame) -> bool:
    """Whether the metric of a period is three standard deviations from that of the reference.

    The standard deviation is that of samples of the period's size with the reference's prevalence
    and rates: what monitoring expects that does not look at the prevalence.
    """
    random = np.random.default_rng(SEED)
    shares = np.array([reference.tp, reference.fp, reference.fn, reference.tn]) / reference.total
    samples = random.multinomial(PERIOD_SIZE, shares, 2000).T
    metric = get_metric(METRIC)
    spread = np.nanstd(metric(ConfusionMatrix(*samples)))
    values = metric(ConfusionMatrix(*(counts[name] for name in ("tp", "fp", "fn", "tn"))))
    return bool(np.nanmax(abs(values - metric(reference))) > 3 * spread)


def alarms(case: Case, repetitions: range) -> pd.DataFrame:
    """Who alarmed in each repetition."""
    rows = []
    for repetition in repetitions:
        random = np.random.default_rng([SEED, CASES.index(case), repetition])
        reference, counts = drawn(case, random)
        drift = watch_drift(
            counts,
            time="period",
            metrics=[METRIC],
            reference=reference,
            alpha=ALPHA,
            seed=repetition,
        )
        by_series = drift.alarms.groupby("series")
        rows.append(
            {
                "any alarm": bool(len(drift.alarms)),
                "by the band": bool(drift.table["outside"].any()),
                "by CUSUM": bool(drift.table["cusum_alarm"].any()),
                **{key: key in by_series.groups for key in drift.table["series"].unique()},
                "a band that ignores prevalence": naive_alarm(reference, counts),
            }
        )
    return pd.DataFrame(rows)


def measured(case: Case, pool: ProcessPoolExecutor) -> pd.Series:
    """The share of repetitions in which each alarmed."""
    number = POWER_REPETITIONS if case.changes else REPETITIONS
    parts = [range(start, min(start + 50, number)) for start in range(0, number, 50)]
    found = pd.concat(pool.map(alarms, [case] * len(parts), parts))
    return found.mean()


def measure() -> pd.DataFrame:
    """A row a case."""
    with ProcessPoolExecutor(PROCESSES) as pool:
        rows = [measured(case, pool) for case in CASES]
    names = [
        {
            "reference": "{}:{}".format(*case.reference),
            "tpr, later": case.later_tpr,
            "fpr, later": case.later_fpr,
            "repetitions": POWER_REPETITIONS if case.changes else REPETITIONS,
        }
        for case in CASES
    ]
    return pd.DataFrame(names).join(pd.DataFrame(rows).reset_index(drop=True))
