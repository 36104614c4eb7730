"""How large a study has to be, found and checked by studies that are simulated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls
from scipy.special import expit, ndtri

from skewproof.core.messages import shown
from skewproof.practice.planning.simulated_studies import Ends, Study

MOST_INSTANCES = 10**9
"""Of a plan: more than anybody labels."""

SEARCHED, CHECKED = 2_000, 4_000
"""Studies by which a size is corrected, and by which it is checked: the standard error of a share
is 0.011 and 0.008 at most."""

ROUNDS = 12
"""In which a size is corrected at most; after that it is only made larger."""

NEAR = 1.01
"""Ratio of a size that is enough to one that is not, where the search ends; its smallest step."""

LARGEST_CORRECTION = 4.0
"""Of a size, at once, in the search."""

LARGEST_RAISE = 1.05
"""Of a size that was found and turns out to be short."""

SIZES = np.geomspace(2, MOST_INSTANCES, 200)
"""Among which a first guess is looked for."""

SHARES = expit(np.linspace(-9, 9, 181))
"""Of positives, among which the best is looked for."""


@dataclass(frozen=True)
class Goal:
    """What a study is to come to.

    Attributes
    ----------
    name, asked
        The argument and its value, for messages.
    usual_width
        Of the interval of a study in which everything turns out as expected, where the goal is
        about reached; by the total.
    correction
        By how much to multiply the total for the goal, from the intervals of simulated studies: at
        most 1 where it is reached.
    reached
        Which studies come to it.
    possible
        What can be asked for instead, for messages; by the ratio of the width that most instances
        give to the usual one.
    """

    name: str
    asked: float
    usual_width: Callable[[float], float]
    correction: Callable[[Ends, int], float]
    reached: Callable[[Ends, int], NDArray[np.bool_]]
    possible: Callable[[float], str]


def width_goal(study: Study, name: str, asked: float, assurance: float | None) -> Goal:
    """An interval of an absolute or, by its name, relative width; with None in the mean."""

    def wanted(total: float) -> float:
        return asked if name == "width" else asked * abs(study.value(total))

    def correction(ends: Ends, total: int) -> float:
        if assurance is None:
            usual = mean_width(ends)
        else:
            widths = np.where(np.isnan(ends.width), np.inf, ends.width)
            usual = float(np.quantile(widths, assurance, method="inverted_cdf"))
        return (usual / wanted(total)) ** 2

    return Goal(
        name,
        asked,
        wanted,
        correction,
        reached=lambda ends, total: ends.width <= wanted(total),
        possible=lambda ratio: f"at least about {asked * ratio:.2g}",
    )


def power_goal(study: Study, power: float) -> Goal:
    """An interval of a difference with 0 outside.

    Where the interval is of the normal distribution, with z its quantile, that happens with the
    normal probability of the difference over its standard error, less z.
    """
    outside = float(ndtri((1 + study.confidence) / 2))
    needed = outside + float(ndtri(power))

    def told_apart(ends: Ends, total: int) -> NDArray[np.bool_]:
        return (ends.low > 0) | (ends.high < 0)

    def correction(ends: Ends, total: int) -> float:
        told = float(np.mean(told_apart(ends, total)))
        usual = outside + float(ndtri(min(told, 1 - 1 / (2 * ends.low.size))))
        return (needed / max(usual, needed / 2)) ** 2

    def differing(ratio: float) -> str:
        return f"a difference of at least about {abs(study.value(MOST_INSTANCES)) * ratio:.2g}"

    return Goal(
        "power",
        power,
        usual_width=lambda total: 2 * outside * abs(study.value(total)) / needed,
        correction=correction,
        reached=told_apart,
        possible=differing,
    )


class Sized(NamedTuple):
    """A study of a size, and what came of simulating it."""

    total: int
    share: float
    """Of positives."""

    ends: Ends


def sized(study: Study, goal: Goal, total: int | None, seed: int) -> Sized:
    """A study of a given size, or of about the smallest that reaches a goal.

    Raises
    ------
    ValueError
        If none of up to 10^9 instances does.
    """
    searching, checking = (
        np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(2)
    )
    if total is not None:
        share = study.prevalence
        if study.sampling == "enriched":
            share = _best_share(study, total, searching)
        return Sized(total, share, study.simulated(total, share, CHECKED, checking))
    share, guess = _first_guess(study, goal, searching)
    total = _searched(study, goal, guess, share, searching)
    ends = study.simulated(total, share, CHECKED, checking)
    while (correction := goal.correction(ends, total)) > 1:
        total = ceil(total * np.clip(correction, NEAR, LARGEST_RAISE))
        if total > MOST_INSTANCES:
            raise ValueError(_beyond(goal, mean_width(ends)))
        ends = study.simulated(total, share, CHECKED, checking)
    return Sized(total, share, ends)


def _searched(
    study: Study, goal: Goal, guess: int, share: float, random: np.random.Generator
) -> int:
    """About the smallest total whose simulated studies reach the goal."""
    short, enough = 1, MOST_INSTANCES
    for _ in range(ROUNDS):
        correction = goal.correction(study.simulated(guess, share, SEARCHED, random), guess)
        if correction > 1:
            short = max(short, guess)
        else:
            enough = min(enough, guess)
        if enough <= max(short + 1, short * NEAR):
            break
        guess = _corrected(guess, max(correction, NEAR) if correction > 1 else correction / NEAR)
        if not short < guess < enough:
            guess = (short + enough) // 2
    return enough if enough < MOST_INSTANCES else guess


def _first_guess(study: Study, goal: Goal, random: np.random.Generator) -> tuple[float, int]:
    """The share of positives, and the total at which an expected study is narrow enough."""
    share = study.prevalence
    if study.sampling == "enriched":
        share = 0.5
        for _ in range(2):
            share = _best_share(study, _enough(study, goal, share, random), random)
    return share, _enough(study, goal, share, random)


def _enough(study: Study, goal: Goal, share: float, random: np.random.Generator) -> int:
    """The total at which the interval of an expected study is as wide as is usual at the goal."""
    counts = study.expected(SIZES * share, SIZES * (1 - share))
    widths = study.ends(counts, random).width
    excess = np.log(widths / [goal.usual_width(total) for total in SIZES])
    if not excess[-1] <= 0:
        raise ValueError(_beyond(goal, float(widths[-1])))
    after = int(np.argmax(excess <= 0))
    around = slice(max(after - 1, 0), after + 1)
    return ceil(np.exp(np.interp(0, -excess[around], np.log(SIZES[around]))))


def _best_share(study: Study, total: int, random: np.random.Generator) -> float:
    """The share of positives that makes the interval narrowest (Neyman 1934).

    The squared width is taken for a sum of two variances, one over the number of positives and one
    over that of negatives, near the narrowest of the expected studies.
    """
    widths = study.ends(study.expected(total * SHARES, total * (1 - SHARES)), random).width
    near = widths <= 2 * np.nanmin(widths)
    parts = np.array([1 / SHARES[near], 1 / (1 - SHARES[near])]) / widths[near] ** 2
    of_positives, of_negatives = np.sqrt(nnls(parts.T, np.ones(parts.shape[1]))[0])
    return float(of_positives / (of_positives + of_negatives))


def _corrected(total: int, correction: float) -> int:
    factor = np.clip(correction, 1 / LARGEST_CORRECTION, LARGEST_CORRECTION)
    return max(2, ceil(total * factor))


def _beyond(goal: Goal, width: float) -> str:
    possible = goal.possible(width / goal.usual_width(MOST_INSTANCES))
    return (
        f"{goal.name} = {shown(goal.asked)}: more than {MOST_INSTANCES:,} instances are needed:"
        f" expected {possible}"
    )


def mean_width(ends: Ends) -> float:
    """Of the intervals that there are, NaN if there is none."""
    widths = ends.width
    there = widths[~np.isnan(widths)]
    return float(there.mean()) if there.size else float("nan")
