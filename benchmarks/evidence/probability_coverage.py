"""Measure how often intervals of scores of probabilities cover, and bands of reliability curves.

It writes ``docs/evidence/probability_coverage.md`` and the tables of all settings. Scores are drawn
from binormal populations, whose probabilities are known; what intervals should cover is computed on
a fine grid of scores, without the package.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from draws import Unsure
from numpy.typing import NDArray
from pages import COVERAGE, ENOUGH, Task, ratio
from scipy import optimize, stats
from scipy.special import entr, expit, log_softmax, logit, xlogy
from sklearn.ensemble import RandomForestClassifier

from skewproof import Prevalence, calibration_error, reliability_curve
from skewproof.probabilities.forecasts import Forecasts, class_forecasts, two_class_forecasts
from skewproof.probabilities.scores import ends_of, values_of

SIZES = ((20, 200), (50, 500), (200, 200), (50, 5000))
PREVALENCES = (0.001, 0.01, 0.5)
CONFIDENCE = 0.95
REPETITIONS = 150
UNSURE_REPETITIONS = 200
RANGE_REPETITIONS = 40
"""Repetitions for a range of prevalences, whose envelope takes thirty times as long."""
BAND_REPETITIONS = 500
"""Repetitions of the bands of reliability curves."""
DRAWS = 400
"""Draws of each interval in place of the default of 2000, which takes five times as long."""
SEED = 31
AT = Unsure(share=40 / 4000, sample=4000, belief=(4, 396), ends=(0.001, 0.01))
POPULATION = (2000, 0.05)
"""Size of a random test set, and the prevalence of the population it is drawn from."""
BINS = 10
GRID = 8001

CLASS_SIZES = ((20, 50, 200), (100, 100, 100), (20, 30, 50, 100, 300), (60, 60, 60, 60, 60))
CLASS_SHARES = {3: (0.01, 0.09, 0.9), 5: (0.01, 0.03, 0.06, 0.1, 0.8)}
"""Stated shares, by the number of classes, beside those that are equal."""
CLASS_DISTANCE = 2.0
"""Distance of the means of neighboring classes."""
CLASS_SAMPLE = 400
"""Size of another sample that shows the class shares."""
CLASS_BELIEF = (4, 36, 360)
CLASS_TEST_SET = 500
CLASS_POPULATION = (0.05, 0.15, 0.8)
"""Size of a random test set, and the class shares of the population it is drawn from."""
PLANE = 121
"""Points along each axis of the grid on which losses of classes are integrated."""

SURE_SIZES = ((10, 100), (40, 400), (200, 2000))
"""Class sizes of forecasts of which some are 0 or 1, at the prevalence of all these test sets."""
SURE_PREVALENCE = 1 / 11
SURE_REPETITIONS = 300
STEPS = (200, 20)
"""Forecasts are rounded to multiples of 1 over these numbers."""
CELLS = 400_000
"""Cells of scores over which rounded forecasts are counted."""
TREES = 10
FOREST_INPUTS = 3
FOREST_TRAINING = (200, 2000)
FOREST_POPULATION = 200_000
"""Instances of each class in the population that a random forest forecasts."""
SURE = 1e-9
"""Forecast whose log odds stand for those of 0."""

Numbers = NDArray[np.float64]


Row = dict[str, Any]
Sample = tuple[Forecasts, Prevalence, dict[str, float]]
"""Labels with their forecasts, the prevalence where they are used, and the true scores there."""


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
    """Return the log odds of the forecasts for scores."""
    prior = float(logit(prevalence))
    return model.log_odds(prior + model.mean * scores - model.mean**2 / 2, prior)


def forecasts_of(model: Model, scores: Numbers, prevalence: float) -> Numbers:
    """Return the forecasts for scores."""
    return expit(log_odds(model, scores, prevalence))


def true_values(model: Model, prevalence: float) -> dict[str, float]:
    """Return every score of the whole population."""
    x = np.linspace(-9, 9 + model.mean, GRID)
    of_positives, of_negatives = stats.norm.pdf(x - model.mean), stats.norm.pdf(x)
    weights = np.array(
        [
            prevalence * of_positives / of_positives.sum(),
            (1 - prevalence) * of_negatives / of_negatives.sum(),
        ]
    )
    z = log_odds(model, x, prevalence)
    return values_of_population(z, weights, losses_of(z, weights), prevalence)


def losses_of(z: Numbers, weights: Numbers) -> dict[str, float]:
    """Return the Brier score and the log loss of log odds, from both classes' weights."""
    return {
        "brier": float(weights[0] @ expit(-z) ** 2 + weights[1] @ expit(z) ** 2),
        "log_loss": float(weights[0] @ np.logaddexp(0, -z) + weights[1] @ np.logaddexp(0, z)),
    }


def values_of_population(
    z: Numbers, weights: Numbers, of_forecasts: dict[str, float], prevalence: float
) -> dict[str, float]:
    """Return every score of log odds, from both classes' weights and the losses of forecasts."""

    def likelihood(coefficients: Numbers) -> float:
        return losses_of(coefficients[0] + coefficients[1] * (z - center), weights)["log_loss"]

    center = float(weights.sum(axis=0) @ z)
    start = np.array([logit(prevalence), 0.0])
    options = {"xatol": 1e-9, "fatol": 1e-16, "maxiter": 4000, "maxfev": 4000}
    found = optimize.minimize(likelihood, start, method="Nelder-Mead", options=options).x
    refinements = losses_of(found[0] + found[1] * (z - center), weights)
    unsure = {
        "brier": prevalence * (1 - prevalence),
        "log_loss": float(entr(prevalence) + entr(1 - prevalence)),
    }
    values = {}
    for key, score in of_forecasts.items():
        values |= {
            key: score,
            f"{key}_skill": 1 - score / unsure[key],
            f"{key}_miscalibration": score - refinements[key],
            f"{key}_resolution": unsure[key] - refinements[key],
            f"{key}_uncertainty": unsure[key],
        }

    def missing(shift: float) -> float:
        return float(weights.sum(axis=0) @ expit(z + shift)) - prevalence

    values["calibration_intercept"] = float(optimize.brentq(missing, -30, 30, xtol=1e-12))
    values["calibration_slope"] = float(found[1])
    return values


def covered(low: Numbers, high: Numbers, value: Numbers) -> NDArray[np.bool_]:
    """Mark intervals that contain the value; ends that differ from it by rounding alone count."""
    with np.errstate(invalid="ignore"):
        slack = 1e-6 * (high - low) + 1e-9 * np.abs(value)
    slack = np.where(np.isfinite(slack), slack, 0.0)
    return (low - slack <= value) & (value <= high + slack)


def sample(
    model: Model, sizes: tuple[int, int], random: np.random.Generator
) -> tuple[NDArray[np.int64], Numbers]:
    """Draw the labels and scores of a test set."""
    true = np.repeat([1, 0], sizes)
    return true, random.normal(model.mean * true)


def drawn(
    model: Model, sizes: tuple[int, int], prevalence: float, random: np.random.Generator
) -> Forecasts:
    """Draw the labels and forecasts of a test set."""
    true, scores = sample(model, sizes, random)
    return two_class_forecasts(true, forecasts_of(model, scores, prevalence))


def judged(samples: Iterable[Sample], keys: Iterable[str]) -> Iterator[Row]:
    """Yield how often intervals contain the values or are above them, and their widths."""
    found: dict[str, list[tuple[float, float, float]]] = {key: [] for key in keys}
    for forecast, at, true in samples:
        values = values_of(forecast, list(found), forecast.shares_at(at))
        ends = ends_of(forecast, list(found), at, confidence=CONFIDENCE, draws=DRAWS, seed=0)
        for key, intervals in found.items():
            low, high = np.fmin(ends[key][0], values[key]), np.fmax(ends[key][1], values[key])
            intervals.append((float(low), float(high), true[key]))
    for key, intervals in found.items():
        low, high, value = np.transpose(intervals)
        inside = covered(low, high, value)
        yield {
            "score": key,
            "true value": value[0],
            "coverage": inside.mean(),
            "above": (~inside & (low > value)).mean(),
            "width": np.median(np.subtract(high, low, out=np.zeros_like(low), where=low != high)),
            "repetitions": len(intervals),
        }


def stated(forecasts: str, positives: int, negatives: int, prevalence: float) -> Iterator[Row]:
    """Measure the coverage of the scores at a stated prevalence."""
    model, sizes = MODELS[forecasts], (positives, negatives)
    random = np.random.default_rng(
        [SEED, *sizes, round(1000 * prevalence), list(MODELS).index(forecasts)]
    )
    at, true = Prevalence.given(prevalence), true_values(model, prevalence)
    draws = (drawn(model, sizes, prevalence, random) for _ in range(REPETITIONS))
    return judged(((forecast, at, true) for forecast in draws), true)


class Population(NamedTuple):
    """Distinct forecasts, some of them 0 or 1, and their shares within each class."""

    forecasts: Numbers
    positives: Numbers
    negatives: Numbers


def rounded(steps: int) -> Population:
    """Return the population of rounded forecasts that were calibrated before."""
    model = MODELS["adjusted"]
    edges = np.linspace(-9, 9 + model.mean, CELLS + 1)
    p = forecasts_of(model, (edges[1:] + edges[:-1]) / 2, SURE_PREVALENCE)
    values, places = np.unique(np.round(p * steps) / steps, return_inverse=True)
    of_classes = (np.diff(stats.norm.cdf(edges, loc=loc)) for loc in (model.mean, 0.0))
    return Population(values, *(np.bincount(places, part / part.sum()) for part in of_classes))


def forest() -> Population:
    """Return the population that a random forest of few trees forecasts."""
    random = np.random.default_rng([SEED, TREES])

    def instances(sizes: tuple[int, int]) -> tuple[Numbers, NDArray[np.int64]]:
        true = np.repeat([1, 0], sizes)
        mean = MODELS["adjusted"].mean / np.sqrt(FOREST_INPUTS)
        return random.normal(mean * true[:, np.newaxis], size=(true.size, FOREST_INPUTS)), true

    model = RandomForestClassifier(TREES, random_state=SEED).fit(*instances(FOREST_TRAINING))
    x, true = instances((FOREST_POPULATION, FOREST_POPULATION))
    values, places = np.unique(model.predict_proba(x)[:, 1], return_inverse=True)
    of_classes = (places[true == label] for label in (1, 0))
    counts = (np.bincount(part, minlength=values.size) for part in of_classes)
    return Population(values, *(part / FOREST_POPULATION for part in counts))


POPULATIONS: dict[str, Callable[[], Population]] = {
    **{f"rounded to 1/{steps}": partial(rounded, steps) for steps in STEPS},
    f"{TREES} trees": forest,
}


def values_of_sure(population: Population, prevalence: float) -> dict[str, float]:
    """Return every score of a population with forecasts of 0 or 1."""
    p, weights = population.forecasts, np.array([population.positives, population.negatives])
    weights *= np.array([[prevalence], [1 - prevalence]])
    wrong = np.any(weights[0][p == 0] > 0) or np.any(weights[1][p == 1] > 0)
    of_forecasts = {
        "brier": float(weights[0] @ (1 - p) ** 2 + weights[1] @ p**2),
        "log_loss": np.inf
        if wrong
        else -float(xlogy(weights[0], p).sum() + xlogy(weights[1], 1 - p).sum()),
    }
    z = logit(np.clip(p, SURE, 1 - SURE))
    return values_of_population(z, weights, of_forecasts, prevalence)


def sure(forecasts: str, positives: int, negatives: int) -> Iterator[Row]:
    """Measure the coverage of the scores of forecasts of which some are 0 or 1."""
    population, sizes = POPULATIONS[forecasts](), (positives, negatives)
    random = np.random.default_rng([SEED, *sizes, list(POPULATIONS).index(forecasts)])
    labels, at = np.repeat([1, 0], sizes), Prevalence.given(SURE_PREVALENCE)
    true = values_of_sure(population, SURE_PREVALENCE)

    def draw() -> Sample:
        of_classes = [
            random.choice(population.forecasts, size, p=part)
            for size, part in zip(sizes, population[1:], strict=True)
        ]
        return two_class_forecasts(labels, np.concatenate(of_classes)), at, true

    return judged((draw() for _ in range(SURE_REPETITIONS)), true)


def sure_p_values(case: tuple[int, int]) -> Iterator[Row]:
    """Yield how often rounded forecasts are called miscalibrated that labels are drawn from."""
    model = MODELS["adjusted"]
    for steps in (None, *STEPS):
        random, found = np.random.default_rng([SEED, *case, steps or 0]), []
        for seed in range(SURE_REPETITIONS):
            p = forecasts_of(model, sample(model, case, random)[1], SURE_PREVALENCE)
            p = p if steps is None else np.round(p * steps) / steps
            true = random.uniform(size=p.size) < p
            if true.any():
                found.append(calibration_error(true, p, draws=DRAWS, rng=seed).p_value <= 0.05)
        yield {
            "instances": sum(case),
            "forecasts": "not rounded" if steps is None else f"rounded to 1/{steps}",
            "called miscalibrated": np.mean(found),
        }


def bands(difference: str, positives: int, negatives: int, prevalence: float) -> Row:
    """Measure the coverage of both bands of reliability curves, and of the forecasts inside."""
    model, sizes = MODELS[difference], (positives, negatives)
    random = np.random.default_rng([SEED, *sizes, round(1000 * prevalence), round(model.mean)])
    found = [
        bands_hold(model, *sample(model, sizes, random), prevalence)
        for _ in range(BAND_REPETITIONS)
    ]
    each, together, diagonal = (np.array(part) for part in zip(*found, strict=True))
    return {
        "difference": f"{model.mean:g}",
        "each bin": each.mean(),
        "least of one bin": each.mean(axis=0).min(),
        "all bins at once": together.mean(),
        "forecasts inside": diagonal.mean(),
        "repetitions": len(found),
    }


def bands_hold(
    model: Model, true: NDArray[np.int64], scores: Numbers, prevalence: float
) -> tuple[NDArray[np.bool_], np.bool_, np.bool_]:
    """Return whether bands contain the true frequencies.

    The results are those of each bin's pointwise band, of the simultaneous band for all bins, and
    of the simultaneous band for the mean forecasts.
    """
    p = forecasts_of(model, scores, prevalence)
    options = {"at": prevalence, "bins": BINS, "confidence": CONFIDENCE}
    curve = reliability_curve(true, p, **options)
    wider = reliability_curve(true, p, **options, simultaneous=True)
    order = np.argsort(p)
    ends = scores[order][np.searchsorted(p[order], curve["highest"].to_numpy())]
    edges = np.concatenate([[-np.inf], ends[:-1], [np.inf]])
    hit = np.diff(stats.norm.cdf(edges, loc=model.mean))
    false = np.diff(stats.norm.cdf(edges))
    frequency = prevalence * hit / (prevalence * hit + (1 - prevalence) * false)
    each, together, diagonal = (
        covered(one["low"].to_numpy(), one["high"].to_numpy(), what)
        for one, what in (
            (curve, frequency),
            (wider, frequency),
            (wider, wider["forecast"].to_numpy()),
        )
    )
    return each, together.all(), diagonal.all()


def unsure(at: str) -> Iterator[Row]:
    """Measure the coverage of the scores at an uncertain prevalence, with forecasts left alone."""
    model = MODELS["left alone"]
    random = np.random.default_rng([SEED, len(at)])

    def draw() -> Sample:
        if at == "population":
            known, prevalence = Prevalence.given(at), POPULATION[1]
            positives = int(random.binomial(POPULATION[0], prevalence))
            sizes = (positives, POPULATION[0] - positives)
        else:
            (known, prevalence), sizes = AT.drawn(at, random), (50, 500)
        forecast = drawn(model, sizes, prevalence, random)
        return forecast, known, true_values(model, prevalence)

    repetitions = RANGE_REPETITIONS if at == "between" else UNSURE_REPETITIONS
    return judged((draw() for _ in range(repetitions)), UNSURE_SCORES)


UNSURE_SCORES = ["brier", "brier_skill", "log_loss", "log_loss_skill", "calibration_intercept"]
KINDS = ("sampled", "believed", "between", "population")


class ClassModel(NamedTuple):
    """Forecasts of classes whose scores are normal in the plane."""

    calibrated_at_shares: bool
    """True for Bayes' probabilities at the shares in question, False at the stated shares in
    reverse order."""

    factor: float
    """Factor of the differences of log likelihoods."""


CLASS_MODELS = {
    "adjusted": ClassModel(True, 1.0),
    "left alone": ClassModel(False, 1.0),
    "too sure": ClassModel(True, 2.0),
}
CLASS_SCORES = ["brier", "brier_skill", "log_loss", "log_loss_skill"]


def class_means(classes: int) -> Numbers:
    """Return the means of the classes: neighbors on a circle have the stated distance."""
    angles = 2 * np.pi * np.arange(classes) / classes
    radius = CLASS_DISTANCE / (2 * np.sin(np.pi / classes))
    return radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def class_log_forecasts(model: ClassModel, scores: Numbers, shares: Numbers) -> Numbers:
    """Return the logarithms of the forecasts for scores, shape (instances, classes)."""
    means = class_means(len(shares))
    prior = shares if model.calibrated_at_shares else CLASS_SHARES[len(shares)][::-1]
    of_scores = model.factor * (scores @ means.T - (means**2).sum(axis=1) / 2)
    return log_softmax(of_scores + np.log(prior), axis=1)


def true_class_values(model: ClassModel, shares: Numbers) -> dict[str, float]:
    """Return every score of a whole population with class shares."""
    line = np.linspace(-8, 8, PLANE)
    deviations = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    weights = np.exp(-(deviations**2).sum(axis=1) / 2)
    weights /= weights.sum()
    losses = np.zeros((2, len(shares)))
    for place, mean in enumerate(class_means(len(shares))):
        logs = class_log_forecasts(model, mean + deviations, shares)
        squares = ((np.exp(logs) - np.eye(len(shares))[place]) ** 2).sum(axis=1)
        losses[:, place] = weights @ squares, -weights @ logs[:, place]
    (brier, log_loss), unsure = losses @ shares, (1 - shares @ shares, entr(shares).sum())
    values = (brier, 1 - brier / unsure[0], log_loss, 1 - log_loss / unsure[1])
    return dict(zip(CLASS_SCORES, map(float, values), strict=True))


def class_sample(
    model: ClassModel, sizes: Numbers, shares: Numbers, random: np.random.Generator
) -> Forecasts:
    """Draw the labels and forecasts of a test set."""
    true = np.repeat(np.arange(len(sizes)), sizes)
    scores = class_means(len(sizes))[true] + random.normal(size=(true.size, 2))
    return class_forecasts(true, np.exp(class_log_forecasts(model, scores, shares)))


def by_name(numbers: Numbers) -> dict[int, float]:
    """Return the sizes of classes that are named 0, 1, ..."""
    return dict(enumerate(np.asarray(numbers).tolist()))


def class_stated(classes: int, forecasts: str, case: tuple[tuple[int, ...], bool]) -> Iterator[Row]:
    """Measure the coverage of the scores of more than two classes at stated shares."""
    model, (sizes, rare) = CLASS_MODELS[forecasts], case
    shares = np.array(CLASS_SHARES[classes] if rare else [1 / classes] * classes)
    random = np.random.default_rng([SEED, *sizes, rare, list(CLASS_MODELS).index(forecasts)])
    at, true = Prevalence.given(by_name(shares)), true_class_values(model, shares)
    draws = (class_sample(model, sizes, shares, random) for _ in range(REPETITIONS))
    names = {"class sizes": ratio(sizes), "shares": ratio(f"{share:.3g}" for share in shares)}
    for row in judged(((forecast, at, true) for forecast in draws), CLASS_SCORES):
        yield names | row


def class_settings() -> Iterator[tuple[int, str, tuple[tuple[int, ...], bool]]]:
    """Yield the settings of more than two classes."""
    for name, sizes, rare in product(CLASS_MODELS, CLASS_SIZES, (False, True)):
        yield len(sizes), name, (sizes, rare)


def class_unsure(at: str) -> Iterator[Row]:
    """Measure the coverage of the scores of three classes with uncertain shares; forecasts are left
    alone."""
    model = CLASS_MODELS["left alone"]
    random = np.random.default_rng([SEED, len(CLASS_SIZES[0]), len(at)])

    def draw() -> Sample:
        sizes = CLASS_SIZES[0]
        if at == "sampled":
            shares = np.array(CLASS_SHARES[3])
            known = Prevalence.sampled(by_name(random.multinomial(CLASS_SAMPLE, shares)))
        elif at == "believed":
            shares = random.dirichlet(CLASS_BELIEF)
            known = Prevalence.believed(by_name(np.array(CLASS_BELIEF)))
        else:
            shares, known = np.array(CLASS_POPULATION), Prevalence.given(at)
            sizes = random.multinomial(CLASS_TEST_SET, shares)
        forecast = class_sample(model, sizes, shares, random)
        return forecast, known, true_class_values(model, shares)

    return judged((draw() for _ in range(UNSURE_REPETITIONS)), CLASS_SCORES)


CLASS_KINDS = ("sampled", "believed", "population")


def null_p_values(positives: int, negatives: int) -> Iterator[Row]:
    """Yield how often calibrated forecasts are called miscalibrated at .05.

    A row also has the mean error, and the mean error that is expected of calibrated forecasts.
    """
    model, sizes = MODELS["adjusted"], (positives, negatives)
    for prevalence in PREVALENCES:
        random = np.random.default_rng([SEED, *sizes, round(1000 * prevalence)])
        found = []
        for seed in range(REPETITIONS):
            true, scores = sample(model, sizes, random)
            p = forecasts_of(model, scores, prevalence)
            one = calibration_error(true, p, at=prevalence, draws=DRAWS, rng=seed)
            found.append((one.value, one.if_calibrated, one.p_value <= 0.05))
        names = ("mean error", "said if calibrated", "called miscalibrated")
        yield {"prevalence": prevalence, **dict(zip(names, np.mean(found, axis=0), strict=True))}


def side_by_side(known: pd.DataFrame) -> pd.DataFrame:
    """Return coverage with a column for each kind of sure forecasts and class sizes."""
    sizes = known["positives"].map(str) + ":" + known["negatives"].map(str)
    column = known["forecasts"] + ", " + sizes
    order = [f"{name}, {ratio(sizes)}" for name, sizes in product(POPULATIONS, SURE_SIZES)]
    table = known.assign(column=column).pivot(index="score", columns="column", values="coverage")
    return table.loc[known["score"].unique(), order].reset_index()


COLUMNS = COVERAGE | ENOUGH
OF_BANDS = ["each bin", "least of one bin", "all bins at once", "forecasts inside"]
STRONG = ("adjusted", "adjusted, strong")


def settings(forecasts: Iterable[str]) -> Iterator[tuple[str, int, int, float]]:
    """Yield the settings of some forecasts of two classes at stated prevalences."""
    for name, sizes, prevalence in product(forecasts, SIZES, PREVALENCES):
        yield name, *sizes, prevalence


STATED = {"digits": "%.6g", "samples": "repetitions"}
TABLES = {
    "sure_probability_coverage": Task(
        sure, ((name, *sizes) for name, sizes in product(POPULATIONS, SURE_SIZES)), **STATED
    ),
    "sure_null": Task(sure_p_values, zip(SURE_SIZES, strict=True), stored=False),
    "probability_coverage": Task(stated, settings(MODELS), **STATED),
    "reliability_coverage": Task(bands, settings(STRONG), **STATED, shares=OF_BANDS),
    "class_probability_coverage": Task(class_stated, class_settings(), **STATED),
    "elsewhere": Task(unsure, zip(KINDS, strict=True), stored=False),
    "class_elsewhere": Task(class_unsure, zip(CLASS_KINDS, strict=True), stored=False),
    "null": Task(null_p_values, SIZES, stored=False),
}


def page(*tables: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    found = dict(zip(TABLES, tables, strict=True))
    known, known_sure = (
        found[name][~found[name]["score"].str.endswith("_uncertainty")]
        for name in ("probability_coverage", "sure_probability_coverage")
    )
    slopes = known_sure[known_sure["score"] == "calibration_slope"]
    curves = found["reliability_coverage"]
    by_sizes = curves.groupby(["difference", "positives", "negatives"], sort=False)
    return found | {
        "known": known,
        "finite": known_sure[np.isfinite(known_sure["true value"])],
        "sure": side_by_side(known_sure),
        "sure_slopes": slopes.groupby("forecasts", sort=False)["true value"].first().tolist(),
        "of_bands": curves[OF_BANDS],
        "bands": by_sizes[OF_BANDS].min().reset_index(),
    }
