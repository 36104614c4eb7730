"""Measure how often a cut-off with a promise breaks it, and how many positives it finds.

It writes ``docs/evidence/promised_thresholds.md`` and the table of all settings. Scores are normal
in each class, so that the rates at every cut-off are known. The page's comparison with MAPIE is
measured where MAPIE is installed, by ``promised_thresholds_mapie.py`` beside this file.
"""

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from draws import labels
from pages import Task, read_table, standard_error
from scipy.special import ndtr

from skewproof import choose_threshold
from skewproof.prevalence.prevalence import Prevalence

CONFIDENCE = 0.9
REPETITIONS = 400
SEED = 31
TIED = 0.5
"""Width to which scores are rounded where they are tied."""


class Setting(NamedTuple):
    """A requirement, its prevalence, the classifier and the numbers of labels."""

    require: str
    at: str
    positives: int
    negatives: int
    distance: float
    """Distance of the scores of positives above those of negatives, in standard deviations."""
    ties: bool = False
    start: str = ""
    maximize: str = "recall"
    per: float = 1.0


def settings() -> Iterator[Setting]:
    """Yield all settings."""
    rare = (("0.001", 0.2), ("0.01", 0.5), ("0.1", 0.5), ("0.5", 0.9))
    for (at, bound), size, distance in itertools.product(rare, (20, 200, 2000), (2, 3)):
        yield Setting(f"precision >= {bound}", at, size, 10 * size, distance)
    for size, ties in itertools.product((20, 50, 200, 2000), (False, True)):
        yield Setting("recall >= 0.8", "0.01", size, 5 * size, 2, ties, maximize="precision")
    for at, size in itertools.product(("0.001", "0.01"), (20, 200, 2000)):
        yield Setting("alarms <= 200", at, size, 10 * size, 2, per=10_000)
    for at, size in itertools.product(("0.01", "0.1", "0.5"), (20, 200)):
        yield Setting("f1 >= 0.5", at, size, 5 * size, 3)
    for require, size in itertools.product(("mcc >= 0.4", "accuracy >= 0.92"), (20, 200)):
        yield Setting(require, "0.1", size, 9 * size, 2)
    for at, size in itertools.product(("0.02", "0.1"), (50, 500)):
        yield Setting("recall >= 0.5 and precision >= 0.5", at, size, 10 * size, 3)
    for at, size in itertools.product(("12/400", "0.01..0.05", "population"), (50, 500)):
        yield Setting("precision >= 0.5", at, size, 10 * size, 3)
    for (at, bound), size in itertools.product(rare[2:], (20, 200)):
        yield Setting(f"precision >= {bound}", at, size, 10 * size, 2, ties=True)
    for at, size in itertools.product(("0.01", "0.1"), (50, 500)):
        yield Setting("precision >= 0.5", at, size, 10 * size, 3, start="everywhere")
    for at, size in itertools.product(("0.01", "0.1"), (3, 5)):
        yield Setting("precision >= 0.5", at, size, 500, 4)


def rates_at(setting: Setting, threshold: float) -> tuple[float, float]:
    """Return the true rates at a cut-off."""
    edge = threshold - TIED / 2 if setting.ties else threshold
    return float(ndtr(setting.distance - edge)), float(ndtr(-edge))


def drawn(setting: Setting, random: np.random.Generator) -> tuple[Any, Any]:
    """Draw the labels and scores of a sample."""
    true = labels((setting.positives, setting.negatives), random, setting.at)
    scores = random.normal(setting.distance * true)
    return true, np.round(scores / TIED) * TIED if setting.ties else scores


def true_shares(setting: Setting) -> tuple[float, ...]:
    """Return the prevalences at which the requirements have to be met."""
    at = Prevalence.given(setting.at)
    if not at.elsewhere:
        return (setting.positives / (setting.positives + setting.negatives),)
    return at.ends or (at.share,)


def kept(setting: Setting, tpr: float, fpr: float) -> bool:
    """Return whether rates meet all requirements."""
    met = []
    for share in true_shares(setting):
        sizes = setting.per * share, setting.per * (1 - share)
        cells = (sizes[0] * tpr, sizes[1] * fpr, sizes[0] * (1 - tpr), sizes[1] * (1 - fpr))
        met += [by_hand(text, *cells) for text in setting.require.split(" and ")]
    return all(met)


def by_hand(text: str, tp: float, fp: float, fn: float, tn: float) -> bool:
    """Return whether counts meet a requirement, by formulas of this file's own."""
    name, sign, bound = text.split()
    values = {
        "precision": tp / (tp + fp),
        "recall": tp / (tp + fn),
        "alarms": tp + fp,
        "f1": 2 * tp / (2 * tp + fp + fn),
        "accuracy": (tp + tn) / (tp + fp + fn + tn),
        "mcc": (tp * tn - fp * fn) / ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) ** 0.5,
    }
    return values[name] >= float(bound) if sign == ">=" else values[name] <= float(bound)


def threshold(setting: Setting, random: np.random.Generator) -> float:
    """Choose a cut-off by a sample; NaN where nothing is promised."""
    at: Any = setting.at
    if "/" in at:
        count, size = map(int, at.split("/"))
        at = Prevalence.sampled(int(random.binomial(size, count / size)), size)
    true, scores = drawn(setting, random)
    return choose_threshold(
        true,
        scores,
        at=at,
        require=setting.require.split(" and "),
        maximize=setting.maximize,
        confidence=CONFIDENCE,
        per=setting.per,
        start=setting.start or None,  # type: ignore[arg-type]
    ).threshold


def measured(setting: Setting) -> dict[str, Any]:
    """Return the shares of samples with a promise and with a broken one, and what is found."""
    random = np.random.default_rng([SEED, *map(ord, "".join(map(str, setting)))])
    thresholds = [threshold(setting, random) for _ in range(REPETITIONS)]
    rates = [rates_at(setting, one) for one in thresholds if not np.isnan(one)]
    broken = sum(not kept(setting, *one) for one in rates)
    return {
        "promised": len(rates) / REPETITIONS,
        "broken": broken / REPETITIONS,
        "broken_of_promised": broken / len(rates) if rates else np.nan,
        "recall": float(np.mean([tpr for tpr, _ in rates])) if rates else np.nan,
        "best_recall": best_recall(setting),
    }


def best_recall(setting: Setting) -> float:
    """Return the highest recall at which known rates meet the requirements."""
    rates = [rates_at(setting, threshold) for threshold in np.linspace(-8, 10, 3601)]
    return max((tpr for tpr, fpr in rates if kept(setting, tpr, fpr)), default=np.nan)


LIMIT = 1 - CONFIDENCE + 2 * standard_error(CONFIDENCE, REPETITIONS)
"""Largest share of broken promises with which the page is written."""

TABLES = {
    "promised_thresholds": Task(
        measured, zip(settings(), strict=True), "%.4f", ("promised", "broken"), REPETITIONS
    )
}


def check(frame: pd.DataFrame) -> None:
    """Raise AssertionError if the promise is broken too often somewhere."""
    if (frame["broken"] > LIMIT).any():
        raise AssertionError(frame[frame["broken"] > LIMIT].to_string())


def page(frame: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    mapie = read_table("promised_thresholds_mapie")
    columns = ["require", "at", "positives", "negatives", "distance", "promised", "broken"]
    columns += ["broken_of_promised", "recall", "best_recall"]
    precision = frame[frame["require"].str.startswith("precision") & ~frame["ties"]]
    shown = precision[precision["start"].isna() & (precision["distance"] == 3)]
    rare = frame[frame["promised"] < 0.5].nlargest(5, "broken_of_promised")
    return {
        "frame": frame,
        "worst": frame.nlargest(5, "broken")[columns],
        "shown": shown[columns],
        "rare": rare[columns],
        "mapie": mapie.drop(columns=["samples", "mapie"]),
        "mapie_version": mapie["mapie"].iloc[0],
        "mapie_repetitions": mapie["samples"].iloc[0],
    }
