"""Scores of probabilities where a classifier will run, with their intervals.

docs/evidence/probability_coverage.md measures the coverage of the intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array
from skewproof.core.arguments import (
    expect,
    expect_confidence,
    expect_several,
    expect_whole,
    seed_of,
)
from skewproof.core.registry import nearest
from skewproof.intervals.deviations import MOST_DRAWS
from skewproof.intervals.estimates import percent
from skewproof.intervals.other_rates import for_other_rates
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.probabilities.forecasts import (
    GROUPS,
    CellSamples,
    Forecasts,
    TwoClassForecasts,
    Unseen,
    class_forecasts,
    has_class_columns,
    two_class_forecasts,
)
from skewproof.probabilities.score_functions import (
    BRIER,
    LARGEST_COEFFICIENT,
    LOG,
    LOSSES,
    Losses,
    calibration_intercept,
    calibration_slope,
    miscalibration,
    resolution,
    skill,
    start_of,
)
from skewproof.reporting.result_table import ResultTable

DEFAULT_DRAWS = 2000
"""Number of draws, of which fifty are beyond each end at a confidence of 0.95."""


DOMINANT = 0.5
"""Part of a loss above which it is due to one instance. A coefficient is if it changes by more than
this part of the larger value, or of 1, without the instance."""

COEFFICIENTS = ("calibration_intercept", "calibration_slope")


class ProbabilityScore(NamedTuple):
    """A score of probabilities."""

    name: str
    function: Callable[[Any], Array]
    """Function that returns the score of each sample; with more than two classes only if no
    coefficients are fitted."""

    low: tuple[Unseen, ...]
    """Possible additions for the lower end of its interval; the lowest result counts."""

    high: tuple[Unseen, ...]
    """Possible additions for the upper end; the highest result counts."""

    greater_is_better: bool | None = None
    """None if there is no best value or it is in the middle."""

    fitted: bool = False
    """True if coefficients are fitted."""

    least: float | None = None
    """A value that calibrated forecasts have and their samples exceed; None if there is none."""


def _of_losses(key: str, name: str, losses: Losses) -> dict[str, ProbabilityScore]:
    """Declare the scores that belong to a loss function."""
    worst, best = (Unseen.WORST,), (Unseen.BEST,)
    both = (Unseen.BEST, Unseen.WORST)
    of = name.removesuffix(" score")
    return {
        key: ProbabilityScore(name, lambda sample: sample.mean(losses), best, worst, False),
        f"{key}_skill": ProbabilityScore(
            f"{of} skill score", partial(skill, losses), worst, best, True
        ),
        f"{key}_miscalibration": ProbabilityScore(
            f"{of} miscalibration",
            partial(miscalibration, losses),
            both,
            both,
            False,
            fitted=True,
            least=0.0,
        ),
        f"{key}_resolution": ProbabilityScore(
            f"{of} resolution", partial(resolution, losses), worst, best, True, fitted=True
        ),
        f"{key}_uncertainty": ProbabilityScore(
            f"{of} uncertainty", lambda sample: sample.uncertainty(losses), best, worst
        ),
    }


SCORES: dict[str, ProbabilityScore] = {
    **_of_losses("brier", "Brier score", BRIER),
    **_of_losses("log_loss", "log loss", LOG),
    "calibration_intercept": ProbabilityScore(
        "calibration intercept",
        calibration_intercept,
        (Unseen.LARGEST,),
        (Unseen.SMALLEST,),
        fitted=True,
    ),
    "calibration_slope": ProbabilityScore(
        "calibration slope", calibration_slope, (Unseen.WORST,), (Unseen.BEST,), fitted=True
    ),
}
"""Scores by their keys."""


def probability_scores(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    scores: str | Iterable[str] | None = None,
    groups: ArrayLike | None = None,
    at: At | Mapping[Any, float] = "population",
    trained: At | Mapping[Any, float] | None = None,
    confidence: float | None = 0.95,
    draws: int = DEFAULT_DRAWS,
    rng: int | np.random.Generator = 0,
    pos_label: Any = 1,
) -> pd.DataFrame:
    """Score probabilities where they will be used, with intervals.

    With the mean loss L1 of the positives and L0 of the negatives, the Brier score and the log loss
    at the prevalence π are π L1 + (1 - π) L0. Forecasts that are left alone have the same L1 and L0
    at every prevalence if the instances of each class look alike, so that both scores are linear in
    π. Forecasts that are adjusted to π, by `trained`, have other losses at each π. Compare data
    sets at the same prevalence.

    Forecasts of more than two classes have a mean loss L_k for each class k. At the class shares π
    the score is the sum of all π_k L_k, which is linear in the shares. The Brier score then adds up
    the squared differences of all classes and goes from 0 to 2 (Brier 1950); for two classes it is
    half of that sum, from 0 to 1.

    A score is its miscalibration less its resolution plus its uncertainty. Miscalibration is the
    reduction of the score by a logistic regression of the labels on the log odds of the forecasts
    (Cox 1958; Platt 1999). The uncertainty is the score of the prevalence as forecast of all
    instances, and the uncertainty less the resolution is the refinement loss. Miscalibration that
    two coefficients cannot correct counts as a lack of resolution;
    :func:`skewproof.reliability_curve` shows it. The regression minimizes the log loss, so that the
    miscalibration of the Brier score can be below 0.

    The intercept is the number to add to the log odds of all forecasts so that their mean is the
    prevalence: 0 for calibrated forecasts, above 0 if they are too low. The slope is that of the
    logistic regression: 1 for calibrated forecasts, below 1 if they are overconfident (Van Calster
    et al. 2019). Forecasts of 0 and 1 have infinite log odds; for the intercept, the slope and what
    depends on it they count as 1e-9 and 1 - 1e-9, or as the furthest other forecast if it is
    further.

    Parameters
    ----------
    y_true
        True labels, shape (instances,).
    y_prob
        Probabilities in [0, 1]: those of the positive class, shape (instances,); or, for more than
        two classes, those of each class, shape (instances, classes). The columns of a frame are
        named by the classes, and those of an array are the classes in sorted order.
    scores
        Keys of one or several scores, by default all: "brier", "log_loss", each also followed by
        "_skill", "_miscalibration", "_resolution" and "_uncertainty", "calibration_intercept" and
        "calibration_slope". For more than two classes there are the Brier score and the log loss,
        their skill scores and uncertainties.
    groups
        Label of each row's group if rows belong together, such as the patient, as for
        :func:`skewproof.interval`. Each score then counts as many independent rows as tell as much
        about it: its variance is that of the delete-group jackknife, and few groups count for less
        (Bell and McCaffrey 2002). docs/evidence/group_scores.md measures the coverage.
    at
        Prevalence where the forecasts will be made, as for :func:`skewproof.interval`. One that is
        estimated without labels counts as the range of its interval, around the estimate. For more
        than two classes it is a mapping or Series from each class to its share, or the result of
        :meth:`skewproof.Prevalence.sampled` or :meth:`skewproof.Prevalence.believed` for such a
        mapping.
    trained
        The prevalence in the training data, if the forecasts are to be adjusted to that of `at`
        before they are scored, as by :func:`skewproof.adjust_probabilities`; by default forecasts
        are left alone. They are adjusted to the single prevalence that stands for `at`: for a
        range, its middle on the scale of log odds.
    confidence
        Level of the intervals, in (0, 1); None for no intervals.
    draws, rng
        Number of draws for each end, at most ten million, and their seed or generator.
    pos_label
        Label of the positive class, of two classes.

    Returns
    -------
    Frame with a row for each score and the columns score (its key), name, value, low and high, the
    ends of its interval; value_in_test_set, the score of the same forecasts at the test set's
    prevalence; confidence, if there are intervals; at; and remark. The log loss is infinite if a
    forecast of 0 or 1 was wrong, and the upper end of its interval is infinite if there is any such
    forecast. The slope, and with it miscalibration and resolution, is NaN if forecasts separate the
    classes or are all equal. The remark explains NaN and infinity, has the log odds that stand for
    those of 0 and 1, and names an instance that dominates a score: it has more than half of a loss,
    or a coefficient changes without it by more than half of the larger value, or of 1. Of the
    coefficients these are the positive with the smallest forecast and the negative with the
    largest one. Forecasts in a remark are those that were scored, after any adjustment.

    Notes
    -----
    Instances of each class get random weights (the Bayesian bootstrap; Rubin 1981). For each end,
    half an unseen instance of each class is added, with the smallest or the largest of all
    forecasts, whichever moves the score towards this end; with more than two classes it has the
    worst or the best of all forecasts for its class. No class is therefore taken as known if few of
    its instances were seen. An uncertain prevalence is drawn too; for a range the interval is the
    envelope of those at several places of the range. Ends are quantiles of the draws in which the
    score is defined, and the observed value is never outside. For miscalibration both additions are
    tried, and a lower end above 0 is lowered, at most to 0, by twice the mean excess of the
    draws over the observed sample: a sample has too much miscalibration by chance, and a drawn
    sample once more. docs/evidence/probability_coverage.md measures the coverage of the intervals.

    Raises
    ------
    ValueError
        If labels are all of one class or refused, a probability is missing or outside [0, 1], there
        is no such score, or another argument is out of its range. With more than two classes, also
        if the columns are not the classes of the labels, or the probabilities of an instance do not
        sum to 1.

    Examples
    --------
    A model trained on as many positives as negatives, used where one in 101 is positive:

    >>> import numpy as np
    >>> from scipy.special import expit
    >>> from skewproof import probability_scores
    >>> y = np.repeat([1, 0], [200, 2000])
    >>> p = expit(2 * np.random.default_rng(0).normal(2 * y) - 2)
    >>> keys = ["brier", "brier_skill", "calibration_intercept"]
    >>> columns = ["score", "value", "low", "high"]
    >>> left_alone = probability_scores(y, p, scores=keys, at="1:100")
    >>> print(left_alone[columns].round(3).to_string(index=False))
                    score   value     low   high
                    brier   0.109   0.101  0.118
              brier_skill -10.122 -11.036 -9.282
    calibration_intercept  -4.522  -4.698 -4.394
    >>> adjusted = probability_scores(y, p, scores=keys, at="1:100", trained="1:1")
    >>> print(adjusted[columns].round(3).to_string(index=False))
                    score  value    low  high
                    brier  0.008  0.007 0.009
              brier_skill  0.192  0.098 0.239
    calibration_intercept  0.083 -0.093 0.211

    Three classes, of which the third is rare:

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> x, y = load_iris(return_X_y=True)
    >>> p = GaussianNB().fit(x[::2, :2], y[::2]).predict_proba(x[1::2, :2])
    >>> keys = ["brier", "brier_skill"]
    >>> classes = probability_scores(y[1::2], p, scores=keys, at={0: 0.6, 1: 0.39, 2: 0.01})
    >>> print(classes[columns].round(3).to_string(index=False))
          score  value   low  high
          brier  0.195 0.122 0.363
    brier_skill  0.600 0.257 0.749
    """
    chosen = _chosen(scores, several=has_class_columns(y_prob))
    if confidence is not None:
        expect_confidence("confidence", confidence)
    draws, seed = expect_whole("draws", draws, 1, MOST_DRAWS), seed_of(rng)
    level = 0.95 if confidence is None else confidence
    forecasts, where = _forecasts_at(y_true, y_prob, at, trained, pos_label, level)
    in_test_set = values_of(forecasts, chosen, forecasts.test_shares)
    values = in_test_set
    if where.elsewhere:
        values = values_of(forecasts, chosen, forecasts.shares_at(where))
    frame = pd.DataFrame(
        {
            "score": chosen,
            "value": [values[key] for key in chosen],
        }
    )
    said = [""] * len(chosen)
    if confidence is not None:
        worths = dict.fromkeys(chosen, 1.0)
        if groups is not None:
            worths, said = _worths(forecasts, chosen, where, groups, confidence)
        ends: dict[str, tuple[float, float]] = {}
        for worth in dict.fromkeys(worths.values()):
            keys = [key for key in chosen if worths[key] == worth]
            worthy = replace(forecasts, worth=worth)
            ends |= ends_of(worthy, keys, where, confidence=confidence, draws=draws, seed=seed)
        for side, name in enumerate(("low", "high")):
            frame[name] = [ends[key][side] for key in chosen]
        frame.loc[frame["value"].isna(), ["low", "high"]] = np.nan
        frame["low"] = np.fmin(frame["low"], frame["value"])
        frame["high"] = np.fmax(frame["high"], frame["value"])
    frame["value_in_test_set"] = [in_test_set[key] for key in chosen]
    if confidence is not None:
        frame["confidence"] = float(confidence)
    frame["at"] = str(where)
    remarks = _remarks(forecasts, chosen, where, intervals=confidence is not None)
    frame["remark"] = ["; ".join(filter(None, both)) for both in zip(said, remarks, strict=True)]
    frame["name"] = [SCORES[key].name for key in chosen]
    return ResultTable(frame)


def _worths(
    forecasts: Forecasts, keys: list[str], at: Prevalence, groups: ArrayLike, confidence: float
) -> tuple[dict[str, float], list[str]]:
    """Compute the worth of grouped rows for each score, and say it."""
    known: list[Any] = [None]
    if at.is_exact or at.elsewhere:
        known = list(forecasts.points(at))
    made = {losses: forecasts.in_groups(groups, losses) for losses in LOSSES.values()}
    worths, said = {}, []
    for key in keys:
        rows, sample_of = made[BRIER if key.startswith("brier") else LOG]
        worths[key] = min(
            rows.worth(partial(_score_of_cells, key, sample_of, shares), confidence)
            for shares in known
        )
        said.append("; ".join(filter(None, [str(rows.grouping(worths[key])), rows.remark])))
    return worths, said


def _score_of_cells(key: str, sample_of: CellSamples, shares: Array | None, counts: Array) -> Array:
    return SCORES[key].function(sample_of(counts, shares))


def one_score(
    key: str,
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    at: At | Mapping[Any, float],
    trained: At | Mapping[Any, float] | None,
    pos_label: Any,
) -> float:
    """Compute a score by its key, at the prevalence that stands for `at`, without an interval."""
    _chosen(key, several=has_class_columns(y_prob))
    forecasts, where = _forecasts_at(y_true, y_prob, at, trained, pos_label)
    return values_of(forecasts, [key], forecasts.shares_at(where))[key]


def _forecasts_at(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    at: At | Mapping[Any, float],
    trained: At | Mapping[Any, float] | None,
    pos_label: Any,
    confidence: float = 0.95,
) -> tuple[Forecasts, Prevalence]:
    """Return the forecasts, adjusted to a prevalence, with this prevalence."""
    forecasts: Forecasts
    if has_class_columns(y_prob):
        where = Prevalence.given(at).for_any_rates()
        forecasts = class_forecasts(y_true, y_prob)
    else:
        where = for_other_rates(at, confidence)
        forecasts = two_class_forecasts(y_true, y_prob, pos_label=pos_label)
    return forecasts.adjusted(trained, where), where


def _chosen(scores: str | Iterable[str] | None, *, several: bool) -> list[str]:
    """Return the keys of the requested scores, of two classes or of several."""
    known = [key for key, score in SCORES.items() if not (several and score.fitted)]
    if scores is None:
        return known
    keys = [scores] if isinstance(scores, str) else expect_several("scores", scores, "keys")
    expect(bool(keys), "scores", scores, "at least one")
    for key in keys:
        near = nearest(key, known) if isinstance(key, str) else ""
        of_several = " of more than two classes" if several else ""
        expect(
            isinstance(key, str) and key in known,
            "scores",
            key,
            f"one of {', '.join(known)}{of_several}{near}",
        )
    return keys


def values_of(forecasts: Forecasts, keys: Collection[str], shares: Array) -> dict[str, float]:
    """Compute scores of forecasts at class shares."""
    sample = forecasts.observed(shares, fitted=_any_fitted(keys))
    return {key: float(SCORES[key].function(sample)[0]) for key in keys}


def _any_fitted(keys: Collection[str]) -> bool:
    return any(SCORES[key].fitted for key in keys)


def ends_of(
    forecasts: Forecasts,
    keys: list[str],
    at: Prevalence,
    *,
    confidence: float,
    draws: int,
    seed: int,
) -> dict[str, tuple[float, float]]:
    """Compute the ends of the intervals of scores, by their keys."""
    random, tail = np.random.default_rng(seed), (1 - confidence) / 2
    lows: dict[str, list[float]] = {key: [] for key in keys}
    highs: dict[str, list[float]] = {key: [] for key in keys}
    for unseen in Unseen:
        of_low = [key for key in keys if unseen in SCORES[key].low]
        of_high = [key for key in keys if unseen in SCORES[key].high]
        if not of_low + of_high:
            continue
        blocks: dict[str, list[list[Array]]] = {key: [] for key in {*of_low, *of_high}}
        for samples in forecasts.drawn(at, unseen, draws, random, fitted=_any_fitted(blocks)):
            for key, of_key in blocks.items():
                of_key.append([SCORES[key].function(sample) for sample in samples])
        drawn = {key: np.concatenate(of_key, axis=1) for key, of_key in blocks.items()}
        for key in of_low:
            low = _quantiles(drawn[key], tail)
            lows[key].append(float(_lowered(low, forecasts, key, at, drawn[key]).min()))
        for key in of_high:
            highs[key].append(float(_quantiles(drawn[key], 1 - tail).max()))
    return {key: (min(lows[key]), max(highs[key])) for key in keys}


def _lowered(low: Array, forecasts: Forecasts, key: str, at: Prevalence, drawn: Array) -> Array:
    """Lower the lower end at each point by twice the mean excess of the draws over the sample.

    Only the end of a score that samples exceed is lowered, at most to its least value: a sample
    exceeds it by chance, and a drawn sample once more. Infinite draws do not count.
    """
    least = SCORES[key].least
    if least is None:
        return low
    grouped = forecasts.grouped(GROUPS)  # as it is drawn
    observed = [values_of(grouped, [key], shares)[key] for shares in forecasts.points(at)]
    means = [row[np.isfinite(row)].mean() if np.isfinite(row).any() else np.nan for row in drawn]
    excess = np.fmax(0.0, np.array(means) - observed)
    return np.minimum(low, np.maximum(least, low - 2 * excess))


def _quantiles(drawn: Array, level: float) -> Array:
    """Compute a quantile of the defined values in each row."""
    quantiles = []
    for row in drawn:
        known = row[~np.isnan(row)]
        # The quantile is one of the values, since none lies between infinite ones.
        end = np.quantile(known, level, method="inverted_cdf") if known.size else np.nan
        quantiles.append(end)
    return np.array(quantiles)


def _remarks(
    forecasts: Forecasts, keys: list[str], at: Prevalence, *, intervals: bool
) -> list[str]:
    """Write a remark on each score, empty if there is nothing to say.

    Parameters
    ----------
    forecasts
        Forecasts that are scored.
    keys
        Keys of the scores.
    at
        Prevalence of the scores.
    intervals
        Whether the scores have intervals.
    """
    parts = {key: _parts_of(key) for key in keys}
    known = {part: "" for several in parts.values() for part in several}
    for part in known:
        if part in COEFFICIENTS and isinstance(forecasts, TwoClassForecasts):
            known[part] = _on_coefficient(forecasts, part, at)
        elif part in LOSSES:
            known[part] = _on_loss(forecasts, LOSSES[part], at)
        else:
            known[part] = _on_infinity(forecasts, intervals=intervals)
    return ["; ".join(known[part] for part in parts[key] if known[part]) for key in keys]


def _parts_of(key: str) -> list[str]:
    """Return what a score may have remarks on: a coefficient, a loss, or that it is infinite."""
    fitted = key.endswith(("_miscalibration", "_resolution"))
    parts = ["calibration_slope"] if fitted else [key] if key in COEFFICIENTS else []
    if key in ("log_loss", "log_loss_skill", "log_loss_miscalibration"):
        parts.append("infinity")
    loss = key.removesuffix("_skill")
    return parts + [loss] * (loss in LOSSES)


def _on_infinity(forecasts: Forecasts, *, intervals: bool) -> str:
    """Explain an infinite log loss, or an infinite end of its interval."""
    are_0 = forecasts.values.T == 0
    wrong = int(forecasts.counts[are_0].sum())
    if wrong:
        instances = "1 instance" if wrong == 1 else f"{wrong:,} instances"
        return f"infinite, since a forecast of 0 or 1 was wrong for {instances}"
    if are_0.any() and intervals:
        return "an end is infinite, since a forecast of 0 or 1 may be wrong for an unseen instance"
    return ""


def _on_loss(forecasts: Forecasts, losses: Losses, at: Prevalence) -> str:
    """Name the instance with more than half of a mean loss."""
    shares = forecasts.shares_at(at)
    total = float(forecasts.observed(shares).mean(losses)[0])
    weights = (shares / forecasts.sizes)[:, np.newaxis]
    parts = np.where(forecasts.counts > 0, weights * forecasts.losses[losses], 0.0)
    column, forecast = np.unravel_index(np.argmax(parts), parts.shape)
    part = float(parts[column, forecast])
    if not 0 < total < np.inf or part <= DOMINANT * total:
        return ""
    who = forecasts.described(int(column), int(forecast))
    return f"{percent(round(part / total, 2))} of the loss is that of one instance, {who}"


def _on_coefficient(forecasts: TwoClassForecasts, key: str, at: Prevalence) -> str:
    """Explain that a coefficient is undefined, takes log odds for infinite ones, or depends on one
    instance."""
    shares = forecasts.shares_at(at)
    start = start_of(forecasts.grouped(GROUPS).sample(shares))
    sample = forecasts.sample(shares, start)
    value = float(SCORES[key].function(sample)[0])
    if np.isnan(value):
        if len(forecasts.values) == 1:
            return "undefined, since all forecasts are equal"
        if sample.separated[0]:
            return "undefined, since forecasts separate the classes, and no slope is the likeliest"
        return f"undefined: not between {-LARGEST_COEFFICIENT:g} and {LARGEST_COEFFICIENT:g}"
    said = [
        f"forecasts of {forecast:g} have log odds of {log_odds:.3g} here"
        for forecast, log_odds in zip(sample.values[[0, -1]], sample.log_odds[[0, -1]], strict=True)
        if forecast in (0, 1)
    ]
    changes = []
    for who, others in _without_one(forecasts):
        other = float(SCORES[key].function(others.sample(others.shares_at(at), start))[0])
        change = abs(other - value) / max(abs(value), abs(other), 1)
        changes.append((np.inf if np.isnan(other) else change, who, other))
    change, who, other = max(changes, default=(0.0, "", value))
    if change > DOMINANT:
        would = "undefined" if np.isnan(other) else f"{other:.3g}"
        name = key.replace("_", " ")
        said.append(f"without one instance, {who}, the {name} would be {would}")
    return "; ".join(said)


def _without_one(forecasts: TwoClassForecasts) -> Iterator[tuple[str, TwoClassForecasts]]:
    """Leave out the positive with the smallest forecast, and the negative with the largest one."""
    for column, end in ((0, 0), (1, -1)):
        fewer = forecasts.counts.copy()
        if fewer[column].sum() > 1:
            forecast = int(np.flatnonzero(fewer[column])[end])
            fewer[column, forecast] -= 1
            yield forecasts.described(column, forecast), replace(forecasts, counts=fewer)
