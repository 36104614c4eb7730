"""Results of the repeated experiment of Mullick et al. (Section 5): measures and statistics.

Means are over the test sets of all runs and folds on which a measure is defined; the others are
counted. Standard errors are jackknife errors over runs, with each run left out in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd

from skewproof.metrics import get_metric
from skewproof.multiclass.declaration import Measure, of_two_classes
from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof_studies.mullick.paper import MULTICLASS_NAMES, TWO_CLASS_NAMES

MEASURE_OF_PROBLEM = ["problem", "classes", "index"]
"""Columns that identify a measure on a problem."""

TEST_SET_KIND = [*MEASURE_OF_PROBLEM, "classifier", "setting"]
"""Columns that identify a measure of one classifier and setting on a problem, over all runs."""

Statistic = Callable[[pd.DataFrame], pd.Series]
"""Function from a table of values to one number per measure and problem."""


def measure_values(matrices: pd.DataFrame) -> pd.DataFrame:
    """Evaluate every measure on every matrix.

    Parameters
    ----------
    matrices
        Columns problem, classes and those of
        :func:`skewproof_studies.mullick.experiment.protocol.experiment_matrices`, with rows in any
        order.

    Returns
    -------
    Frame with one row for each measure of each matrix: problem, classes, classifier, run, fold,
    setting, index (the measure's key) and value, which is NaN if the measure is undefined.
    """
    keys = ["problem", "classes", "classifier", "run", "fold", "setting"]
    parts = []
    for classes, cells in matrices.groupby("classes", sort=False):
        wide = cells.pivot(index=keys, columns=["true", "predicted"], values="count")
        counts = wide.sort_index(axis=1).to_numpy().reshape(-1, classes, classes)
        matrix = MulticlassConfusionMatrix(counts)
        names = wide.index.to_frame(index=False)
        parts += [
            names.assign(index=measure.key, value=measure(matrix))
            for measure in _paper_measures(classes)
        ]
    return pd.concat(parts, ignore_index=True)


def _paper_measures(classes: int) -> Iterable[Measure]:
    if classes == 2:
        return [of_two_classes(get_metric(key)) for key in TWO_CLASS_NAMES]
    return [MEASURES[key] for key in MULTICLASS_NAMES]


def mean_performance(values: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of each measure for each problem, classifier and setting.

    Returns
    -------
    Frame with the columns problem, classes, index, classifier, setting, mean, run_sd (standard
    deviation of the means of single runs), smallest (over all test sets), matrices (number of test
    sets) and undefined (number of them on which the measure is undefined).
    """
    groups = values.groupby(TEST_SET_KIND, sort=False)["value"]
    result = groups.agg(mean="mean", smallest="min", matrices="size", defined="count")
    runs = values.groupby([*TEST_SET_KIND, "run"], sort=False)["value"].mean()
    result["run_sd"] = runs.groupby(TEST_SET_KIND, sort=False).std()
    result["undefined"] = result["matrices"] - result["defined"]
    columns = [*TEST_SET_KIND, "mean", "run_sd", "smallest", "matrices", "undefined"]
    return result.reset_index()[columns]


def _means(values: pd.DataFrame) -> pd.Series:
    return values.groupby(TEST_SET_KIND, sort=False)["value"].mean()


def deviation_over_settings(values: pd.DataFrame) -> pd.Series:
    """Return how much a measure changes with the ratio of the test set (Sections 5.3 and 5.4).

    "The standard deviation of the mean performance ... over the five test sets and four
    classifiers" has two readings. Here the deviation is over the five test sets for each
    classifier, then averaged over classifiers, so that differences between classifiers do not add
    to it. :func:`deviation_over_all` is the other reading.

    Returns
    -------
    The mean of the sample standard deviations, by problem, classes and measure.
    """
    deviations = _means(values).groupby([*MEASURE_OF_PROBLEM, "classifier"], sort=False).std()
    return deviations.groupby(MEASURE_OF_PROBLEM, sort=False).mean()


def deviation_over_all(values: pd.DataFrame) -> pd.Series:
    """Return the sample standard deviation of all means, over test sets and classifiers
    together."""
    return _means(values).groupby(MEASURE_OF_PROBLEM, sort=False).std()


def smallest_mean(values: pd.DataFrame) -> pd.Series:
    """Return the statistic of Section 5.5: the smallest mean of all test sets and classifiers.

    "The minimum value achieved" may mean that of a single test set instead; :func:`minima` has
    both.
    """
    return _means(values).groupby(MEASURE_OF_PROBLEM, sort=False).min()


def deviation_by_chance(values: pd.DataFrame) -> pd.Series:
    """Return the expected deviation over settings if a measure did not depend on the setting.

    This is an analysis of variance with the test sets of one fold as a block. The variance that
    neither fold nor setting explains is due to chance. Its part in a mean over all folds is the
    deviation over settings that chance alone gives. It is averaged over classifiers, as in
    :func:`deviation_over_settings`. Folds in which a measure is undefined under any setting are
    left out.
    """
    groups = values.groupby([*MEASURE_OF_PROBLEM, "classifier"], sort=False)
    chances = {key: _deviation_by_chance(group) for key, group in groups}
    labels = pd.MultiIndex.from_tuples(chances, names=[*MEASURE_OF_PROBLEM, "classifier"])
    by_classifier = pd.Series(chances.values(), labels)
    return by_classifier.groupby(MEASURE_OF_PROBLEM, sort=False).mean()


def _deviation_by_chance(values: pd.DataFrame) -> float:
    table = values.pivot(index=["run", "fold"], columns="setting", values="value").dropna()
    cells = table.to_numpy()
    folds, kinds = cells.shape
    if folds < 2:
        return float("nan")
    rest = cells - cells.mean(axis=0) - cells.mean(axis=1, keepdims=True) + cells.mean()
    return float(np.sqrt((rest**2).sum() / ((folds - 1) * (kinds - 1)) / folds))


def jackknife_error(values: pd.DataFrame, statistic: Statistic) -> pd.Series:
    """Return the jackknife standard error of a statistic over runs.

    Parameters
    ----------
    values
        Result of :func:`measure_values`, with at least two runs.
    statistic
        One of the statistics of this module.
    """
    runs = values["run"].unique()
    others = pd.concat([statistic(values[values["run"] != run]) for run in runs], axis=1)
    distances = others.sub(others.mean(axis=1), axis=0)
    return np.sqrt((len(runs) - 1) / len(runs) * (distances**2).sum(axis=1, skipna=False))


def variability(values: pd.DataFrame) -> pd.DataFrame:
    """Return how much each measure changes over the five test sets of each problem (Figures 3 and
    4).

    Returns
    -------
    Frame with the columns problem, classes, index, sd (:func:`deviation_over_settings`),
    standard_error, sd_by_chance (:func:`deviation_by_chance`), sd_over_all
    (:func:`deviation_over_all`), normalized_sd and normalized_error (divided by the measure's
    smallest sd over all problems of more than two classes, Section 5.4; missing for two classes).
    """
    columns = {
        "sd": deviation_over_settings(values),
        "standard_error": jackknife_error(values, deviation_over_settings),
        "sd_by_chance": deviation_by_chance(values),
        "sd_over_all": deviation_over_all(values),
    }
    table = pd.DataFrame(columns).reset_index()
    smallest = table["sd"].where(table["classes"] > 2).groupby(table["index"]).transform("min")
    smallest = smallest.where(table["classes"] > 2)
    return table.assign(
        normalized_sd=table["sd"] / smallest, normalized_error=table["standard_error"] / smallest
    )


def minima(values: pd.DataFrame) -> pd.DataFrame:
    """Return the smallest value of each measure on each problem (Figure 5).

    Returns
    -------
    Frame with the columns problem, classes, index, minimum (:func:`smallest_mean`), standard_error
    and smallest (over all single test sets).
    """
    columns = {
        "minimum": smallest_mean(values),
        "standard_error": jackknife_error(values, smallest_mean),
        "smallest": values.groupby(MEASURE_OF_PROBLEM, sort=False)["value"].min(),
    }
    return pd.DataFrame(columns).reset_index()


def lost_classes(values: pd.DataFrame) -> pd.DataFrame:
    """Count the test sets with a GMean of 0, and summarize ACSA on them (Section 5.6).

    Returns
    -------
    Frame with one row for each problem of more than two classes: problem, classes, matrices, zeros
    (test sets with a GMean of 0), acsa_smallest and acsa_mean (of these test sets; missing if there
    are none), combinations (of classifier and setting) and zero_means (combinations with a GMean of
    0 on every test set).
    """
    chosen = values[(values["classes"] > 2) & values["index"].isin(["g_mean", "acsa"])]
    keys = ["problem", "classes", "classifier", "setting"]
    wide = chosen.pivot(index=[*keys, "run", "fold"], columns="index", values="value")
    wide = wide.reindex(columns=["g_mean", "acsa"])
    wide = wide.assign(zero=wide["g_mean"] == 0)
    wide["acsa_there"] = wide["acsa"].where(wide["zero"])
    always = wide.groupby(keys, sort=False)["zero"].all()
    problems = wide.groupby(["problem", "classes"], sort=False)
    result = problems.agg(
        matrices=("zero", "size"),
        zeros=("zero", "sum"),
        acsa_smallest=("acsa_there", "min"),
        acsa_mean=("acsa_there", "mean"),
    )
    counts = always.groupby(["problem", "classes"], sort=False).agg(["size", "sum"])
    return result.assign(combinations=counts["size"], zero_means=counts["sum"]).reset_index()


def with_a_lost_class(matrices: pd.DataFrame) -> pd.DataFrame:
    """Return the matrices with all hits of the smallest class counted as the largest class.

    Parameters
    ----------
    matrices
        As for :func:`measure_values`.
    """
    hits = (matrices["true"] == 0) & (matrices["predicted"] == 0)
    errors = (matrices["true"] == 0) & (matrices["predicted"] == matrices["classes"] - 1)
    keys = ["problem", "classifier", "run", "fold", "setting"]
    moved = (
        matrices["count"].where(hits, 0).groupby([matrices[key] for key in keys]).transform("sum")
    )
    return matrices.assign(count=matrices["count"].where(~hits, 0) + moved.where(errors, 0))


def losses(values: pd.DataFrame, without: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of each measure before and after a class is lost, by the number of classes.

    Parameters
    ----------
    values, without
        Results of :func:`measure_values` for the matrices, and for those of
        :func:`with_a_lost_class`.

    Returns
    -------
    Frame with one row for each measure and number of classes above two: classes, index, before and
    after (means over all test sets).
    """
    keys = ["classes", "index"]
    means = {
        name: part[part["classes"] > 2].groupby(keys, sort=False)["value"].mean()
        for name, part in {"before": values, "after": without}.items()
    }
    return pd.DataFrame(means).reset_index()
