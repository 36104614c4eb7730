"""Remarks on scores of probabilities that are undefined, infinite or due to a single instance."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from skewproof.core.algebra import Array
from skewproof.intervals.estimates import percent
from skewproof.prevalence.prevalence import Prevalence
from skewproof.probabilities.class_forecasts import ClassForecasts
from skewproof.probabilities.forecasts import GROUPS, Forecasts
from skewproof.probabilities.score_functions import (
    BRIER,
    LARGEST_COEFFICIENT,
    LOG,
    Losses,
    Sample,
    calibration_intercept,
    calibration_slope,
    start_of,
)

DOMINANT = 0.5
"""Part of a loss above which it is due to one instance. A coefficient is if it changes by more than
this part of the larger value, or of 1, without the instance."""

LOSSES = {"brier": BRIER, "log_loss": LOG}

COEFFICIENTS: dict[str, Callable[[Sample], Array]] = {
    "calibration_intercept": calibration_intercept,
    "calibration_slope": calibration_slope,
}


def remarks_of(
    forecasts: Forecasts | ClassForecasts, keys: list[str], at: Prevalence, *, intervals: bool
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
        if part in COEFFICIENTS and isinstance(forecasts, Forecasts):
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


def _on_infinity(forecasts: Forecasts | ClassForecasts, *, intervals: bool) -> str:
    """Explain an infinite log loss, or an infinite end of its interval."""
    if isinstance(forecasts, ClassForecasts):
        sure = bool(np.any(forecasts.values == 0))
        wrong = int(np.count_nonzero(forecasts.of_true == 0))
    else:
        are_0, are_1 = forecasts.values == 0, forecasts.values == 1
        sure = bool(np.any(are_0 | are_1))
        wrong = int(forecasts.positives[are_0].sum() + forecasts.negatives[are_1].sum())
    if wrong:
        instances = "1 instance" if wrong == 1 else f"{wrong:,} instances"
        return f"infinite, since a forecast of 0 or 1 was wrong for {instances}"
    if sure and intervals:
        return "an end is infinite, since a forecast of 0 or 1 may be wrong for an unseen instance"
    return ""


def _on_loss(forecasts: Forecasts | ClassForecasts, losses: Losses, at: Prevalence) -> str:
    """Name the instance with more than half of a mean loss."""
    if isinstance(forecasts, ClassForecasts):
        shares = forecasts.share_at(at)
        total = float(forecasts.observed(shares).mean(losses)[0])
        parts = (shares / forecasts.sizes)[forecasts.true] * forecasts.losses_of_true(losses)
        most = int(np.argmax(parts))
        part, name = float(parts[most]), forecasts.classes[forecasts.true[most]]
        who = f"of the class {name} with the forecast {forecasts.of_true[most]:.3g} for it"
    else:
        share, (positives, negatives) = forecasts.share_at(at), forecasts.sizes
        total = float(forecasts.observed(share).mean(losses)[0])
        first, last = (
            np.flatnonzero(forecasts.positives)[0],
            np.flatnonzero(forecasts.negatives)[-1],
        )
        worst = forecasts.values[[first, last]]
        of_positives, of_negatives = losses.of_forecasts(worst)
        part, who = max(
            (share * float(of_positives[0]) / positives, _described("positive", worst[0])),
            ((1 - share) * float(of_negatives[1]) / negatives, _described("negative", worst[1])),
        )
    if not 0 < total < np.inf or part <= DOMINANT * total:
        return ""
    return f"{percent(round(part / total, 2))} of the loss is that of one instance, {who}"


def _described(label: str, forecast: float) -> str:
    return f"a {label} with the forecast {forecast:.3g}"


def _on_coefficient(forecasts: Forecasts, key: str, at: Prevalence) -> str:
    """Explain that a coefficient is undefined, takes log odds for infinite ones, or depends on one
    instance."""
    share = forecasts.share_at(at)
    start = start_of(forecasts.grouped(GROUPS).observed(share))
    sample = forecasts.observed(share, start)
    value = float(COEFFICIENTS[key](sample)[0])
    if np.isnan(value):
        if forecasts.values.size == 1:
            return "undefined, since all forecasts are equal"
        if sample.separated[0]:
            return "undefined, since forecasts separate the classes, and no slope is the likeliest"
        return f"undefined: not between {-LARGEST_COEFFICIENT:g} and {LARGEST_COEFFICIENT:g}"
    said = [
        f"forecasts of {forecast:g} have log odds of {log_odds:.3g} here"
        for forecast, log_odds in zip(
            forecasts.values[[0, -1]], sample.log_odds[[0, -1]], strict=True
        )
        if forecast in (0, 1)
    ]
    changes = []
    for who, others in _without_one(forecasts):
        other = float(COEFFICIENTS[key](others.observed(others.share_at(at), start))[0])
        change = abs(other - value) / max(abs(value), abs(other), 1)
        changes.append((np.inf if np.isnan(other) else change, who, other))
    change, who, other = max(changes, default=(0.0, "", value))
    if change > DOMINANT:
        would = "undefined" if np.isnan(other) else f"{other:.3g}"
        name = key.replace("_", " ")
        said.append(f"without one instance, {who}, the {name} would be {would}")
    return "; ".join(said)


def _without_one(forecasts: Forecasts) -> Iterator[tuple[str, Forecasts]]:
    """Leave out the positive with the smallest forecast, and the negative with the largest one."""
    for label, end in (("positive", 0), ("negative", -1)):
        fewer: Array = getattr(forecasts, f"{label}s").copy()
        if fewer.sum() > 1:
            number = np.flatnonzero(fewer)[end]
            fewer[number] -= 1
            who = _described(label, forecasts.values[number])
            yield who, forecasts._replace(**{f"{label}s": fewer})
