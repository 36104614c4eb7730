"""F1 without labels by skewproof, QuaPy and NannyML: errors, coverage and refusals.

It writes ``docs/evidence/unlabeled_tools.md``. Neither tool is a dependency of the package: ``make
unlabeled-tools`` installs them in an environment of their own, and measures the page there.
"""

import os
import warnings
from importlib.metadata import version
from itertools import product
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
from draws import true_value
from numpy.typing import NDArray
from pages import Task
from scipy.special import expit, logit
from sklearn.base import BaseEstimator, ClassifierMixin

from skewproof import ConfusionMatrix, Prevalence, check_fit, interval
from skewproof.metrics import f1

Numbers = NDArray[np.float64]

SEPARATION = 2.0
"""Distance of the means of positive and negative scores, in standard deviations."""

POSITIVES, NEGATIVES = 300, 2700
"""Labeled instances."""

SIZE = 20_000
"""Unlabeled instances."""

CONFIDENCE = 0.95
REPETITIONS = 100
SEED = 29

COMMON = POSITIVES / (POSITIVES + NEGATIVES)
RARE, FREQUENT = 0.01, 0.3
NEW, RISE, BETWEEN = 0.05, 0.3, 3.0
"""Share of the negatives that are new, by how much scores rise, and how many times as often
instances midway between the classes come."""

DOUBTED = 0.05
"""p-value of the check of fit below which the scores are doubted, where they are not refused."""


class Labeled(NamedTuple):
    """Labels and a score, normal within each class."""

    true: NDArray[np.int64]
    score: Numbers

    @property
    def probability(self) -> Numbers:
        """Return probabilities that are exactly calibrated at the prevalence of the reference."""
        return expit(logit(COMMON) + SEPARATION * (self.score - SEPARATION / 2))

    @property
    def called(self) -> NDArray[np.int64]:
        """Return 1 from a probability of 1/2 on."""
        return (self.probability >= 0.5).astype(np.int64)


def drawn(positives: int, total: int, random: np.random.Generator) -> Labeled:
    """Draw instances of both classes."""
    true = np.repeat([1, 0], [positives, total - positives])
    return Labeled(true, random.normal(SEPARATION * true))


def at_prevalence(share: float, random: np.random.Generator) -> Labeled:
    """Label shift: each class as it was."""
    return drawn(random.binomial(SIZE, share), SIZE, random)


def more_between(random: np.random.Generator) -> Labeled:
    """Draw with covariate shift: other scores are common, with the same shares of positives."""
    many = 20 * SIZE
    pool = drawn(random.binomial(many, COMMON), many, random)
    weights = 1 + (BETWEEN - 1) * np.exp(-2 * (pool.score - SEPARATION / 2) ** 2)
    kept = random.choice(many, SIZE, replace=False, p=weights / weights.sum())
    return Labeled(pool.true[kept], pool.score[kept])


def new_negatives(random: np.random.Generator) -> Labeled:
    """Give some of the negatives scores like those of positives."""
    found = at_prevalence(COMMON, random)
    new = (found.true == 0) & (random.random(SIZE) < NEW)
    return Labeled(found.true, found.score + SEPARATION * new)


def all_higher(random: np.random.Generator) -> Labeled:
    """Raise all scores."""
    found = at_prevalence(COMMON, random)
    return Labeled(found.true, found.score + RISE)


STREAMS = {
    f"no shift, prevalence {COMMON:g}": lambda random: at_prevalence(COMMON, random),
    f"label shift, prevalence {RARE:g}": lambda random: at_prevalence(RARE, random),
    f"label shift, prevalence {FREQUENT:g}": lambda random: at_prevalence(FREQUENT, random),
    "covariate shift, more scores between the classes": more_between,
    f"{100 * NEW:g} % of the negatives score like positives": new_negatives,
    f"all scores higher by {RISE:g} standard deviations": all_higher,
}


class Probabilities(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A fitted classifier whose only feature is its probability."""

    classes_ = np.array([0, 1])

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, features: Numbers, labels: NDArray[np.int64]) -> Self:
        """Return the object, since there is nothing to fit."""
        return self

    def predict_proba(self, features: Numbers) -> Numbers:
        """Return the probabilities of both classes."""
        return np.column_stack([1 - features[:, 0], features[:, 0]])

    def predict(self, features: Numbers) -> NDArray[np.int64]:
        """Return 1 from a probability of 1/2 on."""
        return (features[:, 0] >= 0.5).astype(np.int64)


def by_quapy(method: str, reference: Labeled, later: Labeled) -> dict[str, float]:
    """Return F1 at the prevalence that a quantifier gives, with the reference's rates."""
    from quapy.method.aggregative import ACC, EMQ

    quantifier = {"QuaPy ACC": ACC, "QuaPy EMQ": EMQ}[method](
        Probabilities(), fit_classifier=False, val_split=None
    )
    quantifier.fit(reference.probability[:, np.newaxis], reference.true)
    share = float(quantifier.predict(later.probability[:, np.newaxis])[1])
    rates = ConfusionMatrix.from_labels(reference.true, reference.called)
    return {"value": true_value("f1", rates.tpr, rates.fpr, share)}


def by_nannyml(reference: Labeled, later: Labeled) -> dict[str, float]:
    """Return F1 by CBPE: from expected counts of calibrated probabilities, with its band."""
    os.environ["NML_DISABLE_USAGE_LOGGING"] = "1"  # it would send each use to its makers
    from nannyml.performance_estimation.confidence_based import CBPE

    frames = [
        pd.DataFrame({"true": some.true, "called": some.called, "probability": some.probability})
        for some in (reference, later)
    ]
    estimator = CBPE(
        metrics=["f1"],
        y_pred_proba="probability",
        y_pred="called",
        y_true="true",
        problem_type="classification_binary",
        chunk_number=1,
    )
    estimator.fit(frames[0])
    found = estimator.estimate(frames[1].drop(columns="true")).filter(period="analysis").to_df()
    names = {
        "value": "value",
        "low": "lower_confidence_boundary",
        "high": "upper_confidence_boundary",
    }
    return {name: float(found["f1", column].iloc[0]) for name, column in names.items()}


def by_skewproof(method: str, reference: Labeled, later: Labeled) -> dict[str, float]:
    """Return F1 of these instances, by their calls or scores."""
    rates = ConfusionMatrix.from_labels(reference.true, reference.called)
    if method == "calls":
        at = Prevalence.from_predictions(
            rates, called=int(later.called.sum()), total=SIZE, of_instances=True
        )
    else:
        at = Prevalence.from_scores(
            reference.true,
            reference.probability,
            later.probability,
            threshold=0.5,
            of_instances=True,
        )
    try:
        found = interval(f1, rates, at=at, confidence=CONFIDENCE)
    except ValueError:
        return {"refused": True}
    doubted = method == "scores" and check_fit(at).p < DOUBTED
    return {"value": found.value, "low": found.low, "high": found.high, "doubted": doubted}


METHODS = {
    "skewproof, by calls": lambda *both: by_skewproof("calls", *both),
    "skewproof, by scores": lambda *both: by_skewproof("scores", *both),
    "QuaPy ACC": lambda *both: by_quapy("QuaPy ACC", *both),
    "QuaPy EMQ": lambda *both: by_quapy("QuaPy EMQ", *both),
    "NannyML CBPE": by_nannyml,
}


def estimates(stream: str, repetition: int) -> list[dict[str, Any]]:
    """Return each method's estimate for one stream, with the true F1."""
    warnings.simplefilter("ignore")
    random = np.random.default_rng([SEED, list(STREAMS).index(stream), repetition])
    reference = drawn(POSITIVES, POSITIVES + NEGATIVES, random)
    later = STREAMS[stream](random)
    actual = float(f1(ConfusionMatrix.from_labels(later.true, later.called)))
    row = {"actual": actual, "refused": False, "doubted": False}
    return [row | {"method": name} | method(reference, later) for name, method in METHODS.items()]


def summary(found: pd.DataFrame) -> pd.DataFrame:
    """Return the mean F1, mean absolute error, coverage and width of what was not refused."""
    inside = (found["low"] <= found["actual"]) & (found["actual"] <= found["high"])
    known = found.assign(
        error=(found["value"] - found["actual"]).abs(),
        inside=inside.where(found["low"].notna()).astype(float),
        width=found["high"] - found["low"],
    )
    columns = ["value", "error", "inside", "width", "doubted", "refused"]
    means = known.groupby("method", sort=False)[columns].mean()
    return means.rename(columns={"value": "estimate", "inside": "coverage"}).reset_index()


TABLES = {"estimates": Task(estimates, product(STREAMS, range(REPETITIONS)), stored=False)}


def page(rows: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    return {
        "streams": dict(list(rows.groupby("stream", sort=False))),
        "summary": summary,
        "versions": {name: version(name) for name in ("quapy", "nannyml")},
    }
