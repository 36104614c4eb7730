"""Measure how often intervals of scores of probabilities cover, and bands of reliability curves.

It writes ``docs/evidence/probability_coverage.md`` and the tables of all settings. Scores are drawn
from binormal populations, whose probabilities are known; what intervals should cover is computed on
a fine grid of scores, without the package.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import jinja2
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import optimize, stats
from scipy.special import entr, expit, logit

from skewproof import Prevalence, calibration_error, reliability_curve
from skewproof.practice.probabilities.forecasts import forecasts_of
from skewproof.practice.probabilities.scores import SCORES, ends_of, values_of

DOCS = Path(__file__).parents[2] / "docs"
TEMPLATE = Path(__file__).with_suffix(".md.jinja")

SIZES = ((20, 200), (50, 500), (200, 200))
PREVALENCES = (0.001, 0.5)
CONFIDENCE = 0.95
REPETITIONS = 100
UNSURE_REPETITIONS = 100
RANGE_REPETITIONS = 20
"""Repetitions for a range of prevalences, whose envelope takes thirty times as long."""
BAND_REPETITIONS = 40
"""Repetitions of the bands of reliability curves, of which many bins are in each."""
DRAWS = 400
"""Draws of each interval in place of the default of 2000, which takes five times as long."""
SEED = 31
PROCESSES = 2
SAMPLE = (40, 4000)
"""Expected count and size of another sample that shows the prevalence."""
BELIEF = (4, 396)
RANGE = (0.001, 0.01)
POPULATION = (2000, 0.05)
"""Size of a random test set, and the prevalence of the population it is drawn from."""
BINS = 5
GRID = 8001

Numbers = NDArray[np.float64]


class Model(NamedTuple):
    """Scores that are normal in each class with the deviation 1, and forecasts of them."""

    mean: float
    log_odds: Callable[[Numbers, float], Numbers]
    """The forecasts' log odds, from those of the true probability at a prevalence and from the log
    odds of this prevalence."""


MODELS = {
    "adjusted": Model(2.0, lambda true, _: true),
    "adjusted, strong": Model(3.0, lambda true, _: true),
    "left alone": Model(2.0, lambda true, prior: true - prior),
    "too sure": Model(2.0, lambda true, prior: prior + 2 * (true - prior)),
    "bent": Model(2.0, lambda true, prior: prior + 3 * np.tanh((true - prior) / 3)),
}
"""Forecasts by name: calibrated, of a stronger model, calibrated at 1:1 and left alone, with log
odds that are twice as far from those of the prevalence, and with log odds that level off."""


def log_odds(model: Model, scores: Numbers, prevalence: float) -> Numbers:
    """The log odds of the forecasts for scores."""
    prior = float(logit(prevalence))
    return model.log_odds(prior + model.mean * scores - model.mean**2 / 2, prior)


def forecasts(model: Model, scores: Numbers, prevalence: float) -> Numbers:
    """The forecasts for scores."""
    return expit(log_odds(model, scores, prevalence))


def true_values(model: Model, prevalence: float) -> dict[str, float]:
    """Every score of the whole population."""
    x = np.linspace(-9, 9 + model.mean, GRID)
    of_positives, of_negatives = stats.norm.pdf(x - model.mean), stats.norm.pdf(x)
    weights = np.array(
        [
            prevalence * of_positives / of_positives.sum(),
            (1 - prevalence) * of_negatives / of_negatives.sum(),
        ]
    )
    z = log_odds(model, x, prevalence)
    losses = {
        "brier": lambda z: weights[0] @ expit(-z) ** 2 + weights[1] @ expit(z) ** 2,
        "log_loss": lambda z: weights[0] @ np.logaddexp(0, -z) + weights[1] @ np.logaddexp(0, z),
    }

    def likelihood(coefficients: Numbers) -> float:
        moved = coefficients[0] + coefficients[1] * (z - center)
        return float(weights[0] @ np.logaddexp(0, -moved) + weights[1] @ np.logaddexp(0, moved))

    center = float(weights.sum(axis=0) @ z)
    start = np.array([logit(prevalence), 0.0])
    options = {"xatol": 1e-9, "fatol": 1e-16, "maxiter": 4000, "maxfev": 4000}
    found = optimize.minimize(likelihood, start, method="Nelder-Mead", options=options).x
    recalibrated = found[0] + found[1] * (z - center)
    unsure = {
        "brier": prevalence * (1 - prevalence),
        "log_loss": float(entr(prevalence) + entr(1 - prevalence)),
    }
    values = {}
    for key, loss in losses.items():
        score, refinement = float(loss(z)), float(loss(recalibrated))
        values |= {
            key: score,
            f"{key}_skill": 1 - score / unsure[key],
            f"{key}_miscalibration": score - refinement,
            f"{key}_resolution": unsure[key] - refinement,
            f"{key}_uncertainty": unsure[key],
        }

    def missing(shift: float) -> float:
        return float(weights.sum(axis=0) @ expit(z + shift)) - prevalence

    values["calibration_intercept"] = float(optimize.brentq(missing, -30, 30, xtol=1e-12))
    values["calibration_slope"] = float(found[1])
    return values


def covered(low: Numbers, high: Numbers, value: Numbers) -> NDArray[np.bool_]:
    """Which intervals have the value; ends that differ from it by rounding alone count."""
    slack = 1e-6 * (high - low) + 1e-9 * np.abs(value)
    return (low - slack <= value) & (value <= high + slack)


def sample(
    model: Model, sizes: tuple[int, int], random: np.random.Generator
) -> tuple[NDArray[np.int64], Numbers]:
    """Labels and scores of a test set."""
    true = np.repeat([1, 0], sizes)
    return true, random.normal(model.mean * true)


def intervals(
    true: NDArray[np.int64], p: Numbers, at: Prevalence, keys: list[str]
) -> dict[str, tuple[float, float]]:
    """Ends of the intervals of `probability_scores`, by the scores' keys."""
    forecast = forecasts_of(true, p)
    values = values_of(forecast, keys, forecast.share_at(at))
    ends = ends_of(forecast, keys, at, confidence=CONFIDENCE, draws=DRAWS, seed=0)
    return {
        key: (float(np.fmin(ends[key][0], values[key])), float(np.fmax(ends[key][1], values[key])))
        for key in keys
    }


def rows_of(
    found: list[dict[str, tuple[float, float]]], values: dict[str, float], names: dict[str, object]
) -> pd.DataFrame:
    """How often intervals have the values, how often they are above, and how wide they are."""
    rows = []
    for key, value in values.items():
        low, high = np.array([one[key] for one in found]).T
        inside = covered(low, high, value)
        row = {
            "score": key,
            "true value": value,
            "coverage": inside.mean(),
            "above": (~inside & (low > value)).mean(),
            "width": np.median(high - low),
            "repetitions": len(found),
        }
        rows.append(names | row)
    return pd.DataFrame(rows)


def stated(setting: tuple[str, tuple[int, int], float]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Coverage of scores, and of the bands of reliability curves, at a stated prevalence."""
    name, sizes, prevalence = setting
    model = MODELS[name]
    random = np.random.default_rng(
        [SEED, *sizes, round(1000 * prevalence), list(MODELS).index(name)]
    )
    found, bands = [], []
    for repetition in range(REPETITIONS):
        true, scores = sample(model, sizes, random)
        p = forecasts(model, scores, prevalence)
        found.append(intervals(true, p, Prevalence.given(prevalence), list(SCORES)))
        if repetition < BAND_REPETITIONS:
            bands.append(band_holds(model, true, scores, p, prevalence))
    names = {
        "forecasts": name,
        "positives": sizes[0],
        "negatives": sizes[1],
        "prevalence": prevalence,
    }
    each, all_at_once = (np.concatenate([band[part] for band in bands]) for part in (0, 1))
    band = names | {"each bin": each.mean(), "all bins at once": all_at_once.mean()}
    return rows_of(found, true_values(model, prevalence), names), pd.DataFrame([band])


def band_holds(
    model: Model, true: NDArray[np.int64], scores: Numbers, p: Numbers, prevalence: float
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether the band has the true frequency in each bin, and a wider one in all."""
    options = {"at": prevalence, "bins": BINS}
    curve = reliability_curve(true, p, **options)
    wider = reliability_curve(true, p, **options, simultaneous=True)
    order = np.argsort(p)
    ends = scores[order][np.searchsorted(p[order], curve["highest"].to_numpy())]
    edges = np.concatenate([[-np.inf], ends[:-1], [np.inf]])
    hit = np.diff(stats.norm.cdf(edges, loc=model.mean))
    false = np.diff(stats.norm.cdf(edges))
    frequency = prevalence * hit / (prevalence * hit + (1 - prevalence) * false)
    each, together = (
        covered(one["low"].to_numpy(), one["high"].to_numpy(), frequency) for one in (curve, wider)
    )
    return each, np.array([together.all()])


def unsure(kind: str) -> pd.DataFrame:
    """Coverage of the scores where the prevalence is not sure; the forecasts are left alone."""
    model = MODELS["left alone"]
    random = np.random.default_rng([SEED, len(kind)])
    found = []
    repetitions = RANGE_REPETITIONS if kind == "between" else UNSURE_REPETITIONS
    for _ in range(repetitions):
        sizes, at, prevalence = (50, 500), Prevalence.between(*RANGE), RANGE[0]
        if kind == "sampled":
            prevalence = SAMPLE[0] / SAMPLE[1]
            at = Prevalence.sampled(int(random.binomial(SAMPLE[1], prevalence)), SAMPLE[1])
        elif kind == "believed":
            at, prevalence = Prevalence.believed(*BELIEF), float(random.beta(*BELIEF))
        elif kind == "between":
            prevalence = float(random.choice(RANGE))
        else:
            at, prevalence = Prevalence.given(kind), POPULATION[1]
            positives = int(random.binomial(POPULATION[0], prevalence))
            sizes = (positives, POPULATION[0] - positives)
        true, scores = sample(model, sizes, random)
        p = forecasts(model, scores, prevalence)
        ends = np.array(list(intervals(true, p, at, UNSURE_SCORES).values()))
        values = true_values(model, prevalence)
        found.append(covered(*ends.T, np.array([values[key] for key in UNSURE_SCORES])))
    return pd.DataFrame({"at": kind, "score": UNSURE_SCORES, "coverage": np.mean(found, axis=0)})


UNSURE_SCORES = ["brier", "brier_skill", "log_loss", "log_loss_skill", "calibration_intercept"]
KINDS = ("sampled", "believed", "between", "population")


def null_p_values(sizes: tuple[int, int]) -> pd.DataFrame:
    """How often calibrated forecasts are called miscalibrated at .05, and the mean of the error
    beside what is said that it would be."""
    model, rows = MODELS["adjusted"], []
    for prevalence in PREVALENCES:
        random = np.random.default_rng([SEED, *sizes, round(1000 * prevalence)])
        found = []
        for seed in range(REPETITIONS):
            true, scores = sample(model, sizes, random)
            p = forecasts(model, scores, prevalence)
            one = calibration_error(true, p, at=prevalence, draws=DRAWS, seed=seed)
            found.append((one.value, one.if_calibrated, one.p_value <= 0.05))
        error, said, rejected = np.mean(found, axis=0)
        rows.append(
            {
                "positives": sizes[0],
                "negatives": sizes[1],
                "prevalence": prevalence,
                "mean error": error,
                "said if calibrated": said,
                "called miscalibrated": rejected,
            }
        )
    return pd.DataFrame(rows)


def summary(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Number of settings, smallest and mean coverage, and the share of settings of at least .93."""
    groups = frame.astype(dict.fromkeys(by, str)).groupby(by, sort=False)["coverage"]
    found = groups.agg(["size", "min", "mean"])
    found["at least .93"] = groups.agg(lambda some: float(np.mean(some >= 0.93)))
    return found.rename(columns={"size": "settings"}).reset_index()


def markdown(frame: pd.DataFrame, digits: str = ".3f") -> str:
    """The table in Markdown."""
    return frame.to_markdown(index=False, floatfmt=digits)


def main() -> None:
    settings = list(itertools.product(MODELS, SIZES, PREVALENCES))
    with ProcessPoolExecutor(PROCESSES) as pool:
        both = list(pool.map(stated, settings))
        elsewhere = pd.concat(pool.map(unsure, KINDS), ignore_index=True)
        null = pd.concat(pool.map(null_p_values, SIZES), ignore_index=True)
    scores, bands = (pd.concat(frames, ignore_index=True) for frames in zip(*both, strict=True))
    scores.to_csv(DOCS / "images/probability_coverage.csv", index=False, float_format="%.6g")
    bands.to_csv(DOCS / "images/reliability_coverage.csv", index=False, float_format="%.5f")
    template = jinja2.Template(
        TEMPLATE.read_text(),
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    known = scores[~scores["score"].str.endswith("_uncertainty")]
    columns = ["forecasts", "positives", "negatives", "prevalence", "score", "coverage", "above"]
    page = template.render(
        confidence=CONFIDENCE,
        sizes=", ".join("{}:{}".format(*one) for one in SIZES),
        prevalences=", ".join(map(str, PREVALENCES)),
        repetitions=REPETITIONS,
        unsure_repetitions=UNSURE_REPETITIONS,
        range_repetitions=RANGE_REPETITIONS,
        band_repetitions=BAND_REPETITIONS,
        draws=DRAWS,
        errors=[
            float(np.sqrt(CONFIDENCE * (1 - CONFIDENCE) / number))
            for number in (
                REPETITIONS,
                RANGE_REPETITIONS,
                BAND_REPETITIONS,
                UNSURE_REPETITIONS,
            )
        ],
        settings=len(settings),
        pairs=len(known),
        least=known["coverage"].min(),
        mean=known["coverage"].mean(),
        by_score=markdown(summary(known, ["score"])),
        by_forecasts=markdown(summary(known, ["forecasts"])),
        by_prevalence=markdown(summary(known, ["prevalence"])),
        worst=markdown(known.nsmallest(5, "coverage")[columns]),
        elsewhere=markdown(elsewhere),
        sample="{}/{}".format(*SAMPLE),
        belief=str(Prevalence.believed(*BELIEF)),
        range=RANGE,
        population=POPULATION,
        bins=BINS,
        bands=markdown(
            bands.groupby("prevalence")[["each bin", "all bins at once"]]
            .agg(["min", "mean"])
            .pipe(lambda found: found.set_axis(map(", ".join, found.columns), axis=1))
            .reset_index()
        ),
        null=markdown(null, ".3g"),
    )
    (DOCS / "evidence/probability_coverage.md").write_text(page)


if __name__ == "__main__":
    main()
