"""Measure the coverage of rates of grouped rows beside statsmodels' cluster-robust intervals.

It writes ``docs/images/group_tools.csv``, which ``group_coverage.py`` shows on its page. The
package does not depend on statsmodels: ``make group-tools`` installs it in an environment of its
own, and measures the table there. A rate is there a logistic regression on a constant with sandwich
errors by group and Student's t for one degree of freedom less than there are groups.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import statsmodels.api as sm
from draws import holds, share_of
from group_coverage import (
    CONFIDENCE,
    CORRELATIONS,
    FEW,
    RARE,
    RATES,
    ROUNDING,
    TRUTHS,
    Setting,
    drawn,
    population,
    usable,
    valued,
)
from pages import Task
from scipy.special import expit

from skewproof.core.algebra import Array
from skewproof.intervals.class_rows import ClassRows
from skewproof.intervals.extremes import radius_of
from skewproof.metrics import get_metric
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import of_two_classes
from skewproof.prevalence.prevalence import Prevalence

HITS = {
    "true_positive_rate": ([(0, 0)], [(0, 0), (0, 1)]),
    "false_positive_rate": ([(1, 0)], [(1, 0), (1, 1)]),
    "precision": ([(0, 0)], [(0, 0), (1, 0)]),
    "accuracy": ([(0, 0), (1, 1)], [(0, 0), (0, 1), (1, 0), (1, 1)]),
}
"""Cells of the hits, and of the rows, of each rate."""
REPETITIONS = 200
SEED = 3


def rows_of(counts: Array, key: str) -> tuple[Array, Array]:
    """Return a hit or a miss for each row of a rate, with its group."""
    hits, sizes = (
        sum(counts[:, row, column] for row, column in cells).astype(int) for cells in HITS[key]
    )
    groups = np.arange(len(hits))
    values = np.repeat(np.tile([1, 0], len(hits)), np.column_stack([hits, sizes - hits]).ravel())
    return values.astype(float), np.repeat(groups, sizes)


def by_statsmodels(values: Array, groups: Array) -> tuple[float, float]:
    """Compute the interval of a rate; it is unknown if the rate is 0 or 1."""
    if values.min(initial=1) == values.max(initial=0):
        return float("nan"), float("nan")
    model = sm.GLM(values, np.ones((len(values), 1)), sm.families.Binomial())
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    low, high = expit(np.ravel(fit.conf_int(1 - CONFIDENCE)))
    return float(low), float(high)


def measured(seed: int, setting: Setting) -> Iterator[dict[str, Any]]:
    """Measure the coverage of both packages in a setting; an unknown interval covers nothing."""
    counts = usable(drawn(setting, REPETITIONS, np.random.default_rng([SEED, seed])))
    at = Prevalence.given("population")
    built = ClassRows.at(counts.sum(axis=1), at, TWO_CLASSES, by_group=list(counts))
    for key in HITS:
        measure = of_two_classes(get_metric(key))
        true = float(valued(measure, population(setting), "population"))
        found = built.estimates(measure, radius_of(CONFIDENCE))
        others = np.array([by_statsmodels(*rows_of(study, key)) for study in counts])
        ends = {"groups": (found.low, found.high), "statsmodels": tuple(others.T)}
        for method, (low, high) in ends.items():
            yield (
                {"metric": key, "method": method, "samples": len(counts)}
                | share_of("coverage", holds(low, high, true, ROUNDING))
                | {"width": float(np.nanmean(high - low)), "unknown": float(np.isnan(low).mean())}
            )


def settings() -> Iterator[Setting]:
    """Yield all settings; with ten groups and rare false alarms most rates are 0."""
    for rates, truth, groups, icc in product((RATES, RARE), TRUTHS, FEW, CORRELATIONS):
        if rates == RATES or groups > FEW[0]:
            yield Setting(truth, "equal", groups, icc, *rates)


TABLES = {"group_tools": Task(measured, enumerate(settings()))}
