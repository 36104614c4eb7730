"""Remarks on scores of probabilities that are undefined, infinite or due to a single instance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from skewproof.core.algebra import Array
from skewproof.intervals.estimates import percent
from skewproof.prevalence.prevalence import Prevalence
from skewproof.probabilities.forecasts import GROUPS, Forecasts, TwoClassForecasts
from skewproof.probabilities.score_functions import (
    LARGEST_COEFFICIENT,
    LOSSES,
    Losses,
    TwoClassSample,
    calibration_intercept,
    calibration_slope,
    start_of,
)

DOMINANT = 0.5
"""Part of a loss above which it is due to one instance. A coefficient is if it changes by more than
this part of the larger value, or of 1, without the instance."""

COEFFICIENTS: dict[str, Callable[[TwoClassSample], Array]] = {
    "calibration_intercept": calibration_intercept,
    "calibration_slope": calibration_slope,
}


def remarks_of(
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
    value = float(COEFFICIENTS[key](sample)[0])
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
        other = float(COEFFICIENTS[key](others.sample(others.shares_at(at), start))[0])
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
