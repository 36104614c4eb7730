"""Measure how often intervals and comparisons of grouped rows cover and err.

It writes ``docs/evidence/group_coverage.md``. Groups are drawn by a probit model: a row is
answered positive if the sum of a normal deviation of its group and one of its own passes a
threshold. Beside the package's intervals stand those of rows as if independent, and percentiles of
a bootstrap of whole groups.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import product, repeat
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from draws import holds, share_of
from pages import Task, cells, markdown, read_table
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri, owens_t

from skewproof.core.algebra import Array
from skewproof.intervals.class_rows import ClassRows, PairedRows
from skewproof.intervals.extremes import radius_of
from skewproof.intervals.grouped.correlations import correlation_of
from skewproof.metrics import get_metric
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import of_two_classes
from skewproof.multiclass.lookup import as_measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import Prevalence

TRUTHS = ("by group", "by row")
"""True if all rows of a group are of one class, False if each row's class is drawn on its own."""
SIZES = ("equal", "log-normal", "one with 30 %", "informative")
CORRELATIONS = (0.0, 0.05, 0.3, 0.8)
FEW, MANY = (10, 30, 100), 1000
ROWS = 10
"""Mean number of rows of a group."""
RATES, RARE = (0.8, 0.1), (0.8, 0.01)
INFORMATIVE = {4: (0.9, 0.05), 16: (0.75, 0.12)}
"""Sizes of groups, equally common, with the rates of their rows."""
PREVALENCE = 0.3
KEYS = ("true_positive_rate", "false_positive_rate", "precision", "f1", "mcc", "balanced_accuracy")
MANY_KEYS = ("macro_f1", "acsa", "accuracy")
PLACES = ("population", "1:1000")
COMPARED = ("accuracy", "f1", "mcc")
BETTER = 0.9
"""True positive rate of a second model that is better."""
SHARED = 0.5
"""Correlation of the deviations of two models, in groups and in rows."""
METHODS = ("groups", "independent", "bootstrap")
RESAMPLES = 400
REPETITIONS = 300
CONFIDENCE = 0.95
ROUNDING = 1e-12
LEVEL_ASKED = 0.94
"""Mean coverage over places and metrics that a setting should reach."""
SEED = 1


class Setting(NamedTuple):
    """A population of groups, and the number of those that are sampled."""

    truth: str
    sizes: str
    groups: int
    correlation: float
    tpr: float = RATES[0]
    fpr: float = RATES[1]
    classes: int = 2
    confidence: float = CONFIDENCE


def settings() -> Iterator[Setting]:
    """Yield all settings of intervals."""
    for cell in product(TRUTHS, SIZES, FEW, CORRELATIONS):
        yield Setting(*cell)
    for truth, icc in product(TRUTHS, CORRELATIONS):
        yield Setting(truth, "equal", MANY, icc)
    for truth, groups, icc in product(TRUTHS, FEW[1:], CORRELATIONS):
        yield Setting(truth, "equal", groups, icc, *RARE)
    for groups, icc in product(FEW[1:], CORRELATIONS):
        yield Setting("by row", "equal", groups, icc, classes=3)
    for groups, icc, level in product(FEW[1:], CORRELATIONS, (0.9, 0.99)):
        yield Setting("by group", "equal", groups, icc, confidence=level)


@cache
def latent_correlation(rate: float, correlation: float) -> float:
    """Find the correlation of normal deviations at which answers have an intraclass correlation."""
    threshold = ndtri(rate)

    def excess(latent: float) -> float:
        both = rate - 2 * owens_t(threshold, np.sqrt((1 - latent) / (1 + latent)))
        return float((both - rate**2) / (rate * (1 - rate)) - correlation)

    return 0.0 if correlation == 0 else float(brentq(excess, 0, 1 - 1e-9))


def group_rates(rate: Array, correlation: float, random: np.random.Generator) -> Array:
    """Draw the rate of each group, given its mean."""
    rates = np.empty(rate.shape)
    for mean in np.unique(rate):
        latent = latent_correlation(float(mean), correlation)
        own = ndtri(mean) + np.sqrt(latent) * random.standard_normal(rate.shape)
        rates = np.where(rate == mean, ndtr(own / np.sqrt(1 - latent)), rates)
    return rates


def drawn_sizes(setting: Setting, studies: int, random: np.random.Generator) -> Array:
    """Draw the numbers of rows of the groups, (studies, groups)."""
    shape = studies, setting.groups
    if setting.sizes == "log-normal":
        return np.ceil(random.lognormal(np.log(ROWS) - 0.5, 1, shape)).clip(1, 40 * ROWS)
    if setting.sizes == "informative":
        return random.choice(np.array(list(INFORMATIVE), dtype=float), shape)
    sizes = np.full(shape, float(ROWS))
    if setting.sizes == "one with 30 %":
        sizes[:, 0] = round(0.3 / 0.7 * ROWS * (setting.groups - 1))
    return sizes


def drawn(setting: Setting, studies: int, random: np.random.Generator) -> Array:
    """Draw counts by group, (studies, groups, classes, classes)."""
    sizes, classes = drawn_sizes(setting, studies, random), setting.classes
    shares = np.full(classes, (1 - PREVALENCE) / (classes - 1))
    shares[0] = PREVALENCE
    if setting.truth == "by group":
        kind = random.choice(classes, sizes.shape, p=shares)
        by_class = (kind[..., np.newaxis] == np.arange(classes)) * sizes[..., np.newaxis]
    else:
        by_class = random.multinomial(sizes.astype(int), shares)
    counts = np.zeros((*by_class.shape, classes))
    for row in range(classes):
        right = np.full(sizes.shape, mean_rate(setting, row))
        if setting.sizes == "informative":
            right = np.where(
                sizes == 4, right_rate(INFORMATIVE[4], row), right_rate(INFORMATIVE[16], row)
            )
        hits = random.binomial(
            by_class[..., row].astype(int), group_rates(right, setting.correlation, random)
        )
        misses = by_class[..., row].astype(int) - hits
        others = [column for column in range(classes) if column != row]
        spread = random.multinomial(misses, np.full(len(others), 1 / len(others)))
        counts[..., row, row] = hits
        counts[..., row, others] = spread
    return counts


def right_rate(rates: tuple[float, float], row: int) -> float:
    """Return the share of right answers of a class, the positive one first."""
    return rates[0] if row == 0 else 1 - rates[1]


def mean_rate(setting: Setting, row: int) -> float:
    """Return the share of right answers over all rows of a class in the population."""
    if setting.sizes != "informative":
        return right_rate((setting.tpr, setting.fpr), row)
    weights = np.array(list(INFORMATIVE), dtype=float)
    return float(weights @ [right_rate(own, row) for own in INFORMATIVE.values()] / weights.sum())


def population(setting: Setting) -> Array:
    """Return the shares of all rows of the population by cell."""
    classes = setting.classes
    shares = np.full(classes, (1 - PREVALENCE) / (classes - 1))
    shares[0] = PREVALENCE
    right = np.array([mean_rate(setting, row) for row in range(classes)])
    rates = np.where(
        np.eye(classes) > 0, right[:, np.newaxis], (1 - right[:, np.newaxis]) / (classes - 1)
    )
    return 10_000 * shares[:, np.newaxis] * rates


def valued(measure: Any, counts: Array, place: str) -> Array:
    """Compute a measure of matrices at a place."""
    if place == "population":
        return np.asarray(measure(MulticlassConfusionMatrix(counts)))
    with np.errstate(invalid="ignore"):
        rates = counts / counts.sum(axis=-1, keepdims=True)
    return np.asarray(measure(MulticlassConfusionMatrix.from_rates(rates, np.array([10.0, 1e4]))))


def measures_of(setting: Setting) -> dict[str, Any]:
    """Return the measures of a setting by their keys."""
    if setting.classes > 2:
        return {key: as_measure(key) for key in MANY_KEYS}
    return {key: of_two_classes(get_metric(key)) for key in KEYS}


def usable(counts: Array) -> Array:
    """Return the studies that have each class in two groups at least."""
    return counts[(np.count_nonzero(counts.sum(axis=-1), axis=1) > 1).all(axis=1)]


def rows_by_method(
    kind: type[ClassRows | PairedRows], counts: Array, place: str, confidence: float = CONFIDENCE
) -> dict[str, ClassRows | PairedRows]:
    """Build the rows of studies, in their groups and as if independent."""
    totals, at = counts.sum(axis=1), Prevalence.given(place)
    classes = TWO_CLASSES if counts.shape[2] == 2 else tuple(range(counts.shape[2]))
    grouped = {"by_group": list(counts), "confidence": confidence}
    return {
        "groups": kind.at(totals, at, classes, **grouped),
        "independent": kind.at(totals, at, classes),
    }


def ends_of(
    rows: dict[str, ClassRows | PairedRows],
    resamples: list[Array],
    measure: Any,
    values: Callable[[Any, Array], Array],
    confidence: float = CONFIDENCE,
) -> Iterator[tuple[str, Array, Array]]:
    """Yield the names of all methods, and the ends of their intervals."""
    for method, some in rows.items():
        found = some.estimates(measure, radius_of(confidence))
        yield method, found.low, found.high
    levels = [(1 - confidence) / 2, (1 + confidence) / 2]
    quantiles = [np.nanquantile(values(measure, some), levels) for some in resamples]
    yield "bootstrap", *np.transpose(quantiles)


def resampled(counts: Array, random: np.random.Generator) -> list[Array]:
    """Draw whole groups of each study with replacement, and sum their counts, (resamples, ...)."""
    groups = counts.shape[1]
    return [
        np.tensordot(
            random.multinomial(groups, np.full(groups, 1 / groups), RESAMPLES).astype(float),
            study,
            axes=1,
        )
        for study in counts
    ]


def measured(seed: int, setting: Setting) -> Iterator[dict[str, Any]]:
    """Measure the coverage and width of all methods in a setting."""
    random = np.random.default_rng([SEED, seed])
    counts = usable(drawn(setting, REPETITIONS, random))
    if len(counts) < REPETITIONS / 10:
        return
    resamples = resampled(counts, random)
    for place in PLACES if setting.classes == 2 else PLACES[:1]:
        rows = rows_by_method(ClassRows, counts, place, setting.confidence)
        values = partial(valued, place=place)
        for key, measure in measures_of(setting).items():
            true = float(valued(measure, population(setting), place))
            ends = list(ends_of(rows, resamples, measure, values, setting.confidence))
            usual = next(np.mean(high - low) for name, low, high in ends if name == "independent")
            for method, low, high in ends:
                yield (
                    {"at": place, "metric": key, "method": method, "samples": len(counts)}
                    | share_of("coverage", holds(low, high, true, ROUNDING))
                    | {"width": float(np.nanmean(high - low)) / usual}
                )


def pairs_drawn(
    setting: Setting, better: float, studies: int, random: np.random.Generator
) -> Array:
    """Draw counts of the pairs of answers of two models by group, (studies, groups, 2, 4)."""
    shape = studies, setting.groups, ROWS
    if setting.truth == "by group":
        positive = np.repeat(random.random((*shape[:2], 1)) < PREVALENCE, ROWS, axis=2)
    else:
        positive = random.random(shape) < PREVALENCE
    mixing = np.linalg.cholesky([[1, SHARED], [SHARED, 1]])
    calls = []
    own, of_group = (
        np.tensordot(random.standard_normal((*shape[:2], size, 2)), mixing.T, axes=1)
        for size in (ROWS, 1)
    )
    for model, tpr in enumerate((setting.tpr, better)):
        answers = []
        for rate in (tpr, setting.fpr):
            latent = latent_correlation(rate, setting.correlation)
            sign = 1 if rate == tpr else -1  # false alarms rise where hits do not
            deviation = sign * np.sqrt(latent) * of_group[..., model]
            answers.append(deviation + np.sqrt(1 - latent) * own[..., model] < ndtri(rate))
        calls.append(np.where(positive, *answers))
    cells = 4 * ~positive + 2 * ~calls[0] + ~calls[1]
    counts = (cells[..., np.newaxis] == np.arange(8)).sum(axis=2)
    return counts.reshape(studies, setting.groups, 2, 4).astype(float)


def compared(seed: int, case: Setting) -> Iterator[dict[str, Any]]:
    """Measure how often models that are alike, and models that differ, are told apart."""
    random = np.random.default_rng([SEED, 1000 + seed])
    names = {name: getattr(case, name) for name in ("truth", "groups", "correlation")}
    for better in (case.tpr, BETTER):
        counts = usable(pairs_drawn(case, better, REPETITIONS, random))
        if len(counts) < REPETITIONS / 10:
            continue
        resamples = resampled(counts, random)
        rows = rows_by_method(PairedRows, counts, "population")
        for key in COMPARED:
            measure = of_two_classes(get_metric(key))
            for method, low, high in ends_of(rows, resamples, measure, differences):
                yield (
                    names
                    | {"differ": better != case.tpr, "metric": key, "method": method}
                    | {"samples": len(counts)}
                    | share_of("told_apart", (low > 0) | (high < 0))
                )


def differences(measure: Any, pairs: Array) -> Array:
    """Compute the second model's value less the first's, from counts of pairs, (..., 2, 4)."""
    answers = pairs.reshape(*pairs.shape[:-1], 2, 2)
    first, second = (valued(measure, answers.sum(axis=axis), "population") for axis in (-1, -2))
    return second - first


def correlated(seed: int, case: Setting) -> Iterator[dict[str, Any]]:
    """Measure the coverage of intervals of the intraclass correlation, of either rate."""
    random = np.random.default_rng([SEED, 2000 + seed])
    sizes = drawn_sizes(case, REPETITIONS, random)
    names = {name: getattr(case, name) for name in ("sizes", "groups", "correlation")}
    for rate in (case.tpr, case.fpr):
        rates = group_rates(np.full(sizes.shape, rate), case.correlation, random)
        hits = random.binomial(sizes.astype(int), rates).astype(float)
        found = map(correlation_of, hits, sizes, repeat(CONFIDENCE))
        ends = np.array([one[1:] for one in found])
        known = ~np.isnan(ends).any(axis=1)
        low, high = ends[known].T
        yield (
            names
            | {"rate": rate, "samples": int(known.sum())}
            | share_of("coverage", holds(low, high, case.correlation))
            | {"width": float(np.mean(high - low))}
        )


def summary(frame: pd.DataFrame, by: list[str]) -> str:
    """Return the mean and the least coverage of each method, and the widths, as a table."""
    table = cells(frame, [*by, "method"])[list(METHODS)].rename(columns={"groups": "by groups"})
    widths = frame[frame["method"] == "groups"].groupby(by, sort=False)["width"].mean()
    table["width"] = widths.map("{:.2f}".format)
    return markdown(table.loc[widths.index].reset_index(), "g")


def failing(frame: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Return the settings in which the method covers below .90 by more than two standard errors."""
    below = frame[frame["coverage"] + 2 * frame["standard_error"] < 0.9]
    return below[[*columns, "coverage", "standard_error"]].sort_values("coverage")


def told_apart(frame: pd.DataFrame) -> str:
    """Return the mean and largest share of rejections without a difference, and the mean with."""
    rows = []
    for method in METHODS:
        own = frame[frame["method"] == method]
        null, other = own[~own["differ"]], own[own["differ"]]
        rows.append(
            {
                "method": method,
                "type I error, mean": null["told_apart"].mean(),
                "largest": null["told_apart"].max(),
                "its standard error": null.loc[null["told_apart"].idxmax(), "standard_error"],
                "power, mean": other["told_apart"].mean(),
            }
        )
    return markdown(pd.DataFrame(rows))


def beside_statsmodels(frame: pd.DataFrame) -> str:
    """Return the mean and least coverage of both packages, and the mean of widths, as a table."""
    by = ["fpr", "groups", "method"]
    table = cells(frame, by).rename(columns={"groups": "by groups"})
    means = frame.groupby(by, sort=False)[["width", "unknown"]].mean().unstack("method")
    ratio = means["width", "groups"] / means["width", "statsmodels"]
    table["width"] = ratio.map("{:.2f}".format)
    table["unknown by statsmodels"] = means["unknown", "statsmodels"].map("{:.3f}".format)
    return markdown(table.reset_index(), "g")


TABLES = {
    "group_coverage": Task(measured, enumerate(settings())),
    "group_comparison": Task(
        compared,
        enumerate(
            Setting(truth, "equal", *cell) for truth, *cell in product(TRUTHS, FEW, CORRELATIONS)
        ),
        shares=("told_apart",),
    ),
    "group_correlation": Task(
        correlated,
        enumerate(
            Setting("by group", *cell) for cell in product(SIZES[:2], (*FEW, MANY), CORRELATIONS)
        ),
    ),
}


def page(
    coverage: pd.DataFrame, comparison: pd.DataFrame, correlation: pd.DataFrame
) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    tools = read_table("group_tools")
    usual = coverage[coverage["confidence"] == CONFIDENCE]
    two = usual[usual["classes"] == 2]
    method = usual[usual["method"] == "groups"]
    independent = two[(two["correlation"] == 0) & (two["truth"] == "by row")]
    alone = independent[(independent["method"] == "groups") & (independent["sizes"] == "equal")]
    columns = ["truth", "sizes", "groups", "correlation", "fpr", "classes", "at", "metric"]
    levels = coverage.query("truth == 'by group' and sizes == 'equal' and classes == 2")
    levels = levels[(levels["fpr"] == RATES[1]) & levels["groups"].isin(FEW[1:])]
    return {
        "method": method,
        "two": two,
        "three": usual[usual["classes"] == 3],
        "levels": levels.sort_values(["confidence", "groups"]),
        "by": summary,
        "widths": alone.groupby(["fpr", "groups"])["width"].mean(),
        "found": failing(method, columns),
        "of_settings": method.groupby(list(Setting._fields))["coverage"].mean(),
        "told_apart": told_apart(comparison),
        "of_icc": correlation.groupby(["rate", "groups"])["coverage"].agg(["mean", "min"]),
        "of_tools": beside_statsmodels(tools),
        "in_tools": int(tools["samples"].max()),
    }
