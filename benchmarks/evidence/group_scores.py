"""Measure how often results from scores of grouped rows cover, break promises and raise alarms.

It writes ``docs/evidence/group_scores.md``. A score is the sum of a mean of its class, a normal
deviation of its group and class, and one of its own. Forecasts are the probabilities that this
model implies for a row whose group is unknown. Beside the package's intervals stand those of rows
as if independent, and percentiles of a bootstrap of whole groups.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from draws import share_of
from group_coverage import (
    CORRELATIONS,
    PREVALENCE,
    ROWS,
    TRUTHS,
    Setting,
    drawn,
    drawn_sizes,
    failing,
    summary,
)
from pages import Task, markdown
from scipy.integrate import quad
from scipy.special import logit, ndtr, softmax, xlogy
from scipy.stats import norm

from skewproof import (
    area_interval,
    choose_threshold,
    decision_curve,
    explain_change,
    probability_scores,
    reliability_curve,
    watch_drift,
)
from skewproof.core.algebra import Array

MEAN = 1.5
"""Distance of the scores of positives above those of negatives, in standard deviations."""
GROUPS = {"by group": (33, 100, 333), "by row": (10, 30, 100)}
"""Numbers of groups, which are about 10, 30 and 100 with positives."""
FEW_CORRELATIONS = (0.0, 0.3)
"""Correlations in settings that take long."""
THRESHOLD = 0.3
RARE, RARE_SHARE = "1:100", 1 / 101
BINS, BIN = 5, 2
"""Number of bins of forecasts, and the one that is measured."""
PROMISED, PROMISED_AT, PROMISED_SHARE = "precision >= 0.5", "1:5", 1 / 6
CHANGED = ("f1", "mcc")
PERIODS = 12
DRAWS = 400
RESAMPLES = 400
REPETITIONS = 100
BESIDE_REPETITIONS = 50
"""Most samples from which other methods are computed."""
SEED = 2

Ends = dict[tuple[str, str], tuple[float, float]]
"""The ends of intervals by what they estimate, and at which prevalence."""


class Study(NamedTuple):
    """Rows of a study in their groups."""

    names: Array
    true: Array
    """1 for positives."""
    scores: Array
    classes: Array
    """True class of each row, of three."""
    forecasts: Array
    """Probabilities of these classes, (rows, 3)."""

    @property
    def positive(self) -> Array:
        """Probabilities of the positive class."""
        return probability(self.scores)


def probability(scores: Array) -> Array:
    """Return the probability of the positive class at scores."""
    odds = logit(PREVALENCE) + MEAN * scores - MEAN**2 / 2
    return np.asarray(1 / (1 + np.exp(-odds)))


def score_at(forecast: float) -> float:
    """Return the score that has a probability."""
    return float((logit(forecast) - logit(PREVALENCE)) / MEAN + MEAN / 2)


SHARES = np.array([PREVALENCE, (1 - PREVALENCE) / 2, (1 - PREVALENCE) / 2])
"""Shares of three classes."""


def study_of(setting: Setting, random: np.random.Generator) -> Study:
    """Draw a study in which each class has rows of two groups at least."""
    while True:
        sizes = drawn_sizes(setting, 1, random)[0].astype(int)
        names = np.repeat(np.arange(len(sizes)), sizes)
        chosen = random.choice(
            3, len(sizes) if setting.truth == "by group" else len(names), p=SHARES
        )
        classes = chosen[names] if setting.truth == "by group" else chosen
        if all(len(np.unique(names[classes == kind])) > 1 for kind in range(3)):
            break
    shared, own = np.sqrt(setting.correlation), np.sqrt(1 - setting.correlation)
    of_groups, of_rows = random.normal(size=(len(sizes), 3, 3)), random.normal(size=(len(names), 3))
    values = MEAN * np.eye(3)[classes] + shared * of_groups[names, classes] + own * of_rows
    true = (classes == 0).astype(int)
    # The first values are those of two classes: a distance of MEAN, and a variance of 1.
    return Study(
        names, true, values[:, 0], classes, softmax(np.log(SHARES) + MEAN * values, axis=1)
    )


def expectation(function: Callable[[float], float], positive: bool) -> float:
    """Integrate a function of the score over the scores of a class."""
    middle = MEAN * positive
    density = norm(middle).pdf
    return float(
        quad(lambda at: function(at) * density(at), middle - 10, middle + 10, limit=200)[0]
    )


def precision(threshold: float, share: float) -> float:
    """Return the precision of a cut-off at a prevalence."""
    hits, alarms = share * ndtr(MEAN - threshold), (1 - share) * ndtr(-threshold)
    return float(hits / (hits + alarms))


@cache
def truths() -> dict[tuple[str, str], float]:
    """Return what the population has, by quadrature; the reliability depends on the bin."""
    known = {("AUC", "population"): float(ndtr(MEAN / np.sqrt(2)))}
    losses = {
        "Brier score": lambda forecast, true: (forecast - true) ** 2,
        "log loss": lambda forecast, true: -xlogy(true, forecast) - xlogy(1 - true, 1 - forecast),
    }
    cutoff = score_at(THRESHOLD)
    for place, share in (("population", PREVALENCE), (RARE, RARE_SHARE)):
        known["average precision", place] = expectation(
            lambda at, share=share: precision(at, share), True
        )
        for name, loss in losses.items():
            means = [
                expectation(lambda at, kind=kind, loss=loss: loss(probability(at), kind), kind)
                for kind in (True, False)
            ]
            known[name, place] = share * means[0] + (1 - share) * means[1]
        odds = THRESHOLD / (1 - THRESHOLD)
        known["net benefit", place] = share * ndtr(MEAN - cutoff) - (1 - share) * odds * ndtr(
            -cutoff
        )
    nodes, weights = np.polynomial.hermite_e.hermegauss(30)
    points = np.stack(np.meshgrid(nodes, nodes, nodes), axis=-1).reshape(-1, 3)
    each = np.prod(np.stack(np.meshgrid(weights, weights, weights), axis=-1).reshape(-1, 3), axis=1)
    unit = np.eye(3)
    forecasts = softmax(np.log(SHARES) + MEAN * (points[:, np.newaxis] + MEAN * unit), axis=2)
    by_class = each @ ((forecasts - unit) ** 2).sum(axis=2) / each.sum()
    known["Brier score, 3 classes", "population"] = float(SHARES @ by_class)
    return known


def true_frequency(lowest: float, highest: float) -> float:
    """Return the share of positives among forecasts between two."""
    low, high = score_at(lowest), score_at(highest)
    positives = PREVALENCE * (ndtr(high - MEAN) - ndtr(low - MEAN))
    return float(positives / (positives + (1 - PREVALENCE) * (ndtr(high) - ndtr(low))))


def by_package(study: Study, groups: Array | None) -> tuple[Ends, tuple[float, float]]:
    """Compute all intervals of the package, and the lowest and highest forecast of a bin."""
    options: dict[str, Any] = {"groups": groups}
    drawn_options = options | {"draws": DRAWS}
    ends: Ends = {}
    for name, kind, place in (
        ("AUC", "auc", "population"),
        ("average precision", "average_precision", "population"),
        ("average precision", "average_precision", RARE),
    ):
        area = area_interval(kind, study.true, study.scores, at=place, **drawn_options)
        ends[name, place] = area.low, area.high
    keys = {"brier": "Brier score", "log_loss": "log loss"}
    for place in ("population", RARE):
        found = probability_scores(
            study.true, study.positive, scores=list(keys), at=place, **drawn_options
        )
        for row in found.to_dict("records"):
            ends[keys[row["score"]], place] = row["low"], row["high"]
        curve = decision_curve(
            study.true, study.positive, thresholds=[THRESHOLD], at=place, **options
        )
        ends["net benefit", place] = tuple(
            curve.loc[0, ["net_benefit_low", "net_benefit_high"]].to_list()
        )
    three = probability_scores(study.classes, study.forecasts, scores="brier", **drawn_options)
    ends["Brier score, 3 classes", "population"] = tuple(three.loc[0, ["low", "high"]].to_list())
    bins = reliability_curve(study.true, study.positive, bins=BINS, **options).loc[BIN]
    ends["frequency in a bin", "population"] = bins["low"], bins["high"]
    return ends, (bins["lowest"], bins["highest"])


def by_bootstrap(study: Study, limits: tuple[float, float], random: np.random.Generator) -> Ends:
    """Compute percentiles of resamples of whole groups."""
    groups = int(study.names.max()) + 1
    times = random.multinomial(groups, np.full(groups, 1 / groups), RESAMPLES).astype(float)
    order = np.argsort(-study.scores)
    weights, true = times[:, study.names[order]], study.true[order]
    forecasts = study.positive[order]
    tp, fp = np.cumsum(weights * true, axis=1), np.cumsum(weights * (1 - true), axis=1)
    positives, negatives = tp[:, -1:], fp[:, -1:]
    with np.errstate(divide="ignore", invalid="ignore"):  # resamples without a class
        tp, fp = tp / positives, fp / negatives
        each_positive, each_negative = 1 / positives, 1 / negatives
        step = weights * true / positives
    called = forecasts >= THRESHOLD
    odds = THRESHOLD / (1 - THRESHOLD)
    values = {("AUC", "population"): (step * (1 - fp)).sum(axis=1)}
    losses = {
        "Brier score": (forecasts - true) ** 2,
        "log loss": -np.log(np.where(true > 0, forecasts, 1 - forecasts)),
    }
    for place in ("population", RARE):
        share = positives / (positives + negatives) if place == "population" else RARE_SHARE
        with np.errstate(invalid="ignore"):  # no call at the first ranks
            at_ranks = np.nan_to_num(share * tp / (share * tp + (1 - share) * fp))
        values["average precision", place] = (step * at_ranks).sum(axis=1)
        with np.errstate(invalid="ignore"):
            each = np.where(true > 0, share * each_positive, (1 - share) * each_negative) * weights
        for name, loss in losses.items():
            values[name, place] = each @ loss
        values["net benefit", place] = each @ (called * np.where(true > 0, 1, -odds))
    squares = ((study.forecasts - np.eye(3)[study.classes]) ** 2).sum(axis=1)
    by_row = times[:, study.names]
    values["Brier score, 3 classes", "population"] = (by_row @ squares) / by_row.sum(axis=1)
    inside = (forecasts >= limits[0]) & (forecasts <= limits[1])
    with np.errstate(invalid="ignore"):  # resamples without a forecast in the bin
        hits, sizes = weights @ (inside * true), weights @ inside
        values["frequency in a bin", "population"] = hits / sizes
    ends = {}
    for key, of_resamples in values.items():
        low, high = np.nanquantile(of_resamples, [0.025, 0.975])
        ends[key] = float(low), float(high)
    return ends


def settings() -> list[Setting]:
    """List all settings of intervals."""
    found = [
        Setting(truth, "equal", groups, icc)
        for truth in TRUTHS
        for groups, icc in product(GROUPS[truth], CORRELATIONS)
        if groups < max(GROUPS["by group"]) or icc in FEW_CORRELATIONS
    ]
    return found + [
        Setting(truth, "log-normal", GROUPS[truth][1], icc)
        for truth, icc in product(TRUTHS, CORRELATIONS[1:3])
    ]


def described(setting: Setting) -> dict[str, Any]:
    """Return the parts of a setting that vary here."""
    return {name: getattr(setting, name) for name in ("truth", "sizes", "groups", "correlation")}


def measured(seed: int, case: Setting) -> Iterator[dict[str, Any]]:
    """Measure the coverage and width of all methods in a setting."""
    random = np.random.default_rng([SEED, seed])
    records = []
    for position in range(REPETITIONS):
        study = study_of(case, random)
        ends, limits = by_package(study, study.names)
        of_methods = {"groups": ends}
        if position < BESIDE_REPETITIONS:
            of_methods["independent"] = by_package(study, None)[0]
            of_methods["bootstrap"] = by_bootstrap(study, limits, random)
        known = truths() | {("frequency in a bin", "population"): true_frequency(*limits)}
        records += [
            {"metric": key[0], "at": key[1], "method": method, "position": position}
            | {"covered": low <= known[key] <= high, "width": high - low}
            for method, of in of_methods.items()
            for key, (low, high) in of.items()
        ]
    frame = pd.DataFrame(records)
    for (metric, place), of_metric in frame.groupby(["metric", "at"], sort=False):
        beside = of_metric[of_metric["position"] < BESIDE_REPETITIONS]
        widths = beside.groupby("method")["width"].mean()
        for method, some in of_metric.groupby("method", sort=False):
            width = {"width": widths[method] / widths["independent"]}
            names = {"metric": metric, "at": place, "method": method}
            yield described(case) | names | width | counted("coverage", some["covered"])


def counted(name: str, marks: Any) -> dict[str, float]:
    """Return a share with its standard error, and the number of samples."""
    return share_of(name, marks) | {"samples": len(marks)}


def by_method(seed: int, case: Setting, judged: Callable[..., Any]) -> dict[str, list[Any]]:
    """Judge samples drawn one by one, in their groups and, of the first, as independent rows."""
    random = np.random.default_rng([SEED, seed])
    found: dict[str, list[Any]] = {"groups": [], "independent": []}
    for position in range(REPETITIONS):
        judge = judged(case, random)
        found["groups"].append(judge(True))
        if position < BESIDE_REPETITIONS:
            found["independent"].append(judge(False))
    return found


def promise(case: Setting, random: np.random.Generator) -> Callable[[bool], tuple[bool, bool]]:
    """Draw a study, and tell whether a cut-off is promised, and whether the promise is broken."""
    study = study_of(case, random)

    def judge(grouped: bool) -> tuple[bool, bool]:
        groups = study.names if grouped else None
        chosen = choose_threshold(
            study.true, study.scores, at=PROMISED_AT, require=PROMISED, groups=groups
        )
        kept = not chosen.promised or precision(chosen.threshold, PROMISED_SHARE) >= 0.5
        return chosen.promised, not kept

    return judge


def promises(seed: int, case: Setting) -> Iterator[dict[str, Any]]:
    """Measure how often a cut-off is promised, and how often a promise is broken."""
    for method, pairs in by_method(1000 + seed, case, promise).items():
        made, broken = np.transpose(pairs)
        names = {"method": method, "promised": np.mean(made)}
        yield described(case) | names | counted("broken", broken)


def counts_of(setting: Setting, periods: int, random: np.random.Generator) -> pd.DataFrame:
    """Draw counts of periods by group; each period has groups of its own, of both classes."""
    counts = drawn(setting, periods, random)
    while (lacking := (np.count_nonzero(counts.sum(axis=3), axis=1) < 2).any(axis=1)).any():
        counts[lacking] = drawn(setting, int(lacking.sum()), random)
    cells = {"tp": (0, 0), "fn": (0, 1), "fp": (1, 0), "tn": (1, 1)}
    return pd.DataFrame(
        {
            "period": np.repeat(np.arange(periods), setting.groups),
            "group": np.arange(periods * setting.groups),
        }
        | {name: counts[:, :, row, column].ravel() for name, (row, column) in cells.items()}
    )


def without_groups(counts: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Sum counts over groups."""
    return counts.drop(columns="group").groupby(keys, as_index=False).sum()


def changes(seed: int, case: Setting) -> Iterator[dict[str, Any]]:
    """Measure how often the classifier's part of a change is significant without a change."""
    random = np.random.default_rng([SEED, 2000 + seed])
    counts = counts_of(case, 2 * REPETITIONS, random)
    counts["study"], counts["period"] = counts["period"] // 2, counts["period"] % 2
    options: dict[str, Any] = {"metrics": CHANGED, "reference": {"period": 0}}
    results = {
        "groups": explain_change(counts, groups="group", **options),
        "independent": explain_change(without_groups(counts, ["study", "period"]), **options),
    }
    for method, found in results.items():
        for metric, of_metric in found.groupby("metric"):
            known = of_metric["classifier_p"].dropna()
            names = {"metric": metric, "method": method}
            yield described(case) | names | counted("told_apart", known < 0.05)


def alarm(case: Setting, random: np.random.Generator) -> Callable[[bool], bool]:
    """Draw the counts of all periods, and tell whether the watch raises an alarm."""
    counts = counts_of(case, PERIODS, random)

    def judge(grouped: bool) -> bool:
        rows, groups = (counts, "group") if grouped else (without_groups(counts, ["period"]), None)
        return len(watch_drift(rows, time="period", metrics="f1", groups=groups).changes) > 0

    return judge


def alarms(seed: int, case: Setting) -> Iterator[dict[str, Any]]:
    """Measure how often the watch raises an alarm without a change."""
    for method, raised in by_method(3000 + seed, case, alarm).items():
        yield described(case) | {"method": method} | counted("any_alarm", raised)


def shares_of(frame: pd.DataFrame, column: str, by: list[str]) -> str:
    """Return the mean and the largest share of each method, with the error of the largest."""
    rows = []
    for key, some in frame.groupby([*by, "method"], sort=False):
        largest = some.loc[some[column].idxmax()]
        rows.append(
            dict(zip([*by, "method"], key, strict=True))
            | {"mean": some[column].mean(), "largest": largest[column]}
            | {"its standard error": largest["standard_error"]}
        )
    return markdown(pd.DataFrame(rows))


def larger() -> Iterator[Setting]:
    """Yield the settings of promises, changes and alarms."""
    for truth in TRUTHS:
        for groups, icc in product(GROUPS[truth][1:], FEW_CORRELATIONS):
            yield Setting(truth, "equal", groups, icc)


TABLES = {
    "group_scores": Task(measured, enumerate(settings())),
    "group_promises": Task(promises, enumerate(larger()), shares=("promised", "broken")),
    "group_changes": Task(changes, enumerate(larger()), shares=("told_apart",)),
    "group_drift": Task(alarms, enumerate(larger()), shares=("any_alarm",)),
}


def page(
    scores: pd.DataFrame, promised: pd.DataFrame, changed: pd.DataFrame, drift: pd.DataFrame
) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    own = scores[scores["method"] == "groups"]
    is_few = scores["groups"].isin([groups[0] for groups in GROUPS.values()])
    alone = own[(own["metric"] == "AUC") & (own["correlation"] == 0)]
    widths = alone.pivot_table(index="truth", columns="groups", values="width")
    return {
        "rows": ROWS,
        "scores": scores,
        "own": own,
        "by": summary,
        "enough": scores[~is_few],
        "few": scores[is_few],
        "widths": widths.reset_index(),
        "found": failing(own, ["metric", "at", "truth", "sizes", "groups", "correlation"]),
        "of_promises": shares_of(promised, "broken", ["correlation"]),
        "made": promised[promised["method"] == "groups"]["promised"].mean(),
        "of_changes": shares_of(changed, "told_apart", ["correlation"]),
        "of_drift": shares_of(drift, "any_alarm", ["correlation"]),
    }
