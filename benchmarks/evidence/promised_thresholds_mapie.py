"""Promised cut-offs beside MAPIE: how often each promises, breaks its promise, and the recall.

It writes ``docs/images/promised_thresholds_mapie.csv``, which ``promised_thresholds.py`` puts on
its page. MAPIE is no dependency; in an environment of its own, beside the package::

    pip install . mapie==1.6.0
    python benchmarks/evidence/measure.py promised_thresholds_mapie

MAPIE controls precision at the prevalence of its sample, and so samples are random ones of the
population that is meant. It tests 100 fixed cut-offs of probabilities; here these are those of the
model that draws the scores. A single fixed sequence would begin at the highest of them, where a
small sample has no positive calls; with several starts it also begins at lower ones.
"""

from collections.abc import Iterator
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
import pandas as pd
from mapie.risk_control import (
    BinaryClassificationController,
    FWERBonferroniHolm,
    FWERFixedSequenceTesting,
)
from pages import Task
from scipy.special import expit, logit, ndtr

from skewproof import choose_threshold

CONFIDENCE = 0.9
REPETITIONS = 200
SEED = 31
STARTS = 8
GRID = np.linspace(0, 0.99, 100)
METHODS = {
    "MAPIE, Bonferroni-Holm": (FWERBonferroniHolm(), GRID),
    f"MAPIE, fixed sequence, {STARTS} starts": (FWERFixedSequenceTesting(STARTS), GRID[::-1]),
}


class Setting(NamedTuple):
    """A random sample, and the precision that is required."""

    instances: int
    prevalence: float
    distance: float
    precision: float


SETTINGS = (
    Setting(400, 0.1, 2, 0.5),
    Setting(2000, 0.1, 2, 0.5),
    Setting(2000, 0.02, 3, 0.5),
    Setting(10_000, 0.02, 3, 0.5),
    Setting(200, 0.5, 2, 0.9),
    Setting(2000, 0.5, 2, 0.9),
)


def cut_offs(setting: Setting, random: np.random.Generator) -> dict[str, float]:
    """Return the cut-off of each method on one sample, in scores; NaN where nothing is promised."""
    true = (random.random(setting.instances) < setting.prevalence).astype(int)
    scores = random.normal(setting.distance * true)
    found = {
        "skewproof": choose_threshold(
            true,
            scores,
            at="population",
            require=f"precision >= {setting.precision}",
            confidence=CONFIDENCE,
        ).threshold
    }
    slope, offset = setting.distance, setting.distance**2 / 2 - logit(setting.prevalence)

    def probabilities(values: np.ndarray) -> np.ndarray:
        positive = expit(slope * values[:, 0] - offset)
        return np.column_stack([1 - positive, positive])

    for name, (method, grid) in METHODS.items():
        controller = BinaryClassificationController(
            probabilities,
            "precision",
            target_level=setting.precision,
            confidence_level=CONFIDENCE,
            list_predict_params=grid,
            fwer_method=method,
        )
        controller.calibrate(scores[:, np.newaxis], true)
        best = controller.best_predict_param
        found[name] = np.nan if best is None else (logit(float(best)) + offset) / slope
    return found


def measured(setting: Setting) -> Iterator[dict[str, object]]:
    """Return a row for each method."""
    random = np.random.default_rng([SEED, setting.instances, round(100 * setting.prevalence)])
    frame = pd.DataFrame([cut_offs(setting, random) for _ in range(REPETITIONS)])
    for name in frame:
        thresholds = frame[name].dropna()
        hits = setting.prevalence * ndtr(setting.distance - thresholds)
        alarms = (1 - setting.prevalence) * ndtr(-thresholds)
        broken = (hits < setting.precision * (hits + alarms)).sum() / REPETITIONS
        yield {
            "method": name,
            "promised": len(thresholds) / REPETITIONS,
            "broken": broken,
            "recall": (hits / setting.prevalence).mean(),
            "samples": REPETITIONS,
            "mapie": version("mapie"),
        }


TABLES = {
    "promised_thresholds_mapie": Task(
        measured, zip(SETTINGS, strict=True), "%.3f", ("promised", "broken")
    )
}
