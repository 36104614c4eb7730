"""Audit of a metric: its formula, where it is defined, and the effect of imbalance on it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from skewproof.audits.card import DECLARED, FOUND, GRID, PROVED, Card
from skewproof.core.algebra import Array, Value
from skewproof.core.confusion import INPUTS, ConfusionMatrix
from skewproof.core.extras import sympy
from skewproof.core.formulas.metrics import FormulaError, ParsedFormula
from skewproof.core.formulas.symbolic import FAILS_IN_SYMPY, matrix_of_rates, printed_formula
from skewproof.core.levels import DEFAULT_LEVELS, DEFAULT_POSITIVES, Level
from skewproof.core.messages import shortened, shown
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded, scale
from skewproof.metrics import METRICS
from skewproof.metrics.lookup import as_metric
from skewproof.operating_points.demands import demands
from skewproof.prevalence.prevalence import Prevalence
from skewproof.prevalence.projection import stated_prevalence
from skewproof.reporting.shown_formula import (
    number_text,
    typed,
    typed_matrix,
    typed_matrix_of_rates,
)
from skewproof.sensitivity.behavior_types import ROUNDED_SHIFT, behavior_type
from skewproof.sensitivity.proofs.invariance import SizeInvariance, invariance
from skewproof.sensitivity.proofs.linear_identities import (
    LARGEST_POWER,
    TRIED,
    LinearIdentity,
    linear_identity,
)
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof.sensitivity.ranges.ranges import (
    ValueRange,
    normalized_range,
    value_range,
    with_bounds,
)
from skewproof.sensitivity.surfaces.grid import deviation, grid_matrix
from skewproof.sensitivity.surfaces.shift import RESOLVED, mean_shift

if TYPE_CHECKING:
    from skewproof.probabilities.score_card import ScoreCard

LONGEST_TITLE = 300
"""Most characters of a card's title."""

ROUNDED = 1e-9
"""Tolerance relative to the range: of extremes found beyond declared bounds, and of the difference
between metrics that may be equal."""

EDGES: dict[str, Any] = {
    "tp = 0": np.s_[0, :],
    "tp = P": np.s_[-1, :],
    "fp = 0": np.s_[:, 0],
    "fp = N": np.s_[:, -1],
}


def audit(
    metric: Metric | str,
    *,
    at: float | str | Level | Prevalence | None = None,
    key: str = "metric",
) -> Card | ScoreCard:
    """Examine a metric at the paper's levels, and at any other prevalence, with 100 positives.

    A score of probabilities has a card of its own, with its formula, whether it is linear in the
    prevalence, and its values and shifts at the levels.

    Parameters
    ----------
    metric
        A metric, a key or name as for :func:`skewproof.get_metric`, or a formula as for
        :func:`skewproof.metrics.parse_metric`. A symbol of formulas, such as P, is read as a
        formula. Otherwise the key of a score of probabilities, such as "brier" or "log_loss_skill",
        or its name, such as "Brier score".
    at
        A stated prevalence to examine as well, such as 0.003 or "1:5000". Its level is inserted
        among the others in their order, after the baseline, and the card begins with what the
        metric does there. In the card of a score it is the last row.
    key
        The metric's key if a formula is given.

    Raises
    ------
    KeyError
        If no metric has the name (the message suggests the nearest spelling), or several have it.
    FormulaError
        If the formula is invalid, the metric is undefined on a part of the square, or it is
        unbounded and does not declare so.
    ValueError
        If values leave the declared bounds, or `at` is not a stated prevalence that a level of
        whole numbers up to 10^9 has.

    Examples
    --------
    >>> from skewproof import audit
    >>> card = audit("tp/P - fp/N", key="peirce")
    >>> card.type, card.low, card.high, card.identities[0]
    (5, -1.0, 1.0, 'equals cohen_kappa_i')
    >>> audit("f1", at=0.003).levels
    ['1:1', '1:2', '1:10', '1:100', '3:997', '1:1000']

    Forecasts that are left alone have a log loss that is linear in the prevalence:

    >>> card = audit("log loss")
    >>> card.linear, card.formula
    (True, 'pi*L1 + (1 - pi)*L0')
    """
    there = None
    if at is not None:
        stated = stated_prevalence(at)
        there = stated.level or Level.of_prevalence(stated.share, "at")
    try:
        return _card(as_metric(metric, key=key), there)
    except KeyError:
        # pandas and SciPy take longer to load than the audit of a metric.
        from skewproof.probabilities.score_card import card_of_score, score_key

        score = score_key(metric) if isinstance(metric, str) else ""
        if not score:
            raise
        return card_of_score(score, at)
    except RecursionError:
        name = shown(metric if isinstance(metric, str) else metric.key)
        raise FormulaError(f"{name} is nested too deeply for SymPy to examine it") from None


def _card(metric: Metric, there: Level | None) -> Card:
    levels = list(DEFAULT_LEVELS)
    if there is not None and there not in levels:
        baseline, *others = levels
        levels = [baseline, *sorted([*others, there], key=lambda level: -level.prevalence)]
    expression = _expression(metric)
    # The range, and the metric bounded by it.
    low, high, support = _values_between(metric, levels)
    metric = with_bounds(metric, ValueRange(low, high, support == PROVED))
    scaled = bounded(metric)
    # The effect of imbalance.
    undefined = undefined_edges(metric)
    indices = _indices(scaled, levels)
    compared = compare_levels(metric, levels)
    rescaled = _rescaling(metric)
    # Registered metrics that resemble it.
    equal, nearest = identities(metric), nearest_metrics(metric)
    # Its formulas and the card.
    normalized = rescaled(metric(typed_matrix_of_rates()))
    text = metric.formula.text.strip() if isinstance(metric.formula, ParsedFormula) else None
    return Card(
        key=metric.key,
        title=shortened(text, LONGEST_TITLE) if text else metric.key,
        formula=text or typed(expression),
        latex=sympy.latex(printed_formula(metric)),
        positives=DEFAULT_POSITIVES,
        levels=list(map(str, levels)),
        at=None if there is None else str(there),
        low=low,
        high=high,
        range_support=support,
        scale=_scale_in_words(metric),
        undefined=undefined,
        normalized=typed(normalized),
        normalized_latex=sympy.latex(rescaled(metric(matrix_of_rates()))),
        invariance=compared.invariance,
        indices=indices,
        sigma=compared.sigma,
        type=compared.type,
        demands=demands(metric, levels, DEFAULT_POSITIVES),
        identities=equal,
        nearest=nearest,
        metric=metric,
        expressions=(expression, normalized),
    )


class Compared(NamedTuple):
    """Comparison of a metric at several levels with the first: a row for each of the others."""

    invariance: list[dict[str, str]]
    """Verdicts, each with a formula of the rates alone or a counterexample."""

    sigma: list[dict[str, Any]]
    """Deviations of the contours and shifts of the mean."""

    type: int | str
    """Type of the metric, by its contours."""


def compare_levels(metric: Metric, levels: Sequence[Level]) -> Compared:
    """Compare a metric with known bounds at a baseline and other levels, with 100 positives."""
    baseline, *others = levels
    verdicts = [invariance(metric, level, baseline, DEFAULT_POSITIVES) for level in others]
    sigma = _deviations(bounded(metric), levels)
    return Compared(
        [
            _verdict_in_words(verdict, level, baseline)
            for level, verdict in zip(others, verdicts, strict=True)
        ],
        sigma,
        behavior_type([row["sigma"] > ROUNDED_SHIFT * row["points"] for row in sigma]),
    )


def _expression(metric: Metric) -> sympy.Expr:
    """Return the metric's formula in tp, fp, P and N.

    Raises
    ------
    FormulaError
        If the metric's function fails on symbols.
    """
    try:
        return metric(typed_matrix())
    except FAILS_IN_SYMPY:
        raise FormulaError(
            f"{metric.key} is a function that fails on SymPy's symbols, for example because it"
            " compares them: expected arithmetic and the functions of skewproof.core.algebra, or a"
            " formula as text"
        ) from None


def examined(metric: Metric | str, *, key: str = "metric") -> Metric:
    """Return a metric with its bounds, given the metric, its key, its name or its formula."""
    return with_bounds(as_metric(metric, key=key))


def _values_between(metric: Metric, levels: Sequence[Level]) -> tuple[float, float, str]:
    """Return the smallest and largest value at some levels, and what supports them.

    These are the declared bounds if one of them is infinite, or if the metric is undefined at rates
    within rounding of the corners of the square, so that its values cannot be searched.

    Raises
    ------
    ValueError
        If values leave the declared bounds.
    """
    low, high = metric.bounds or (0.0, 0.0)
    if not np.isfinite([low, high]).all():
        return low, high, DECLARED
    try:
        smallest, largest, proved = value_range(metric, levels)
    except FormulaError:
        if metric.bounds is None:
            raise
        return low, high, DECLARED
    if metric.bounds is None:
        low, high = smallest, largest
    rounded = ROUNDED * (high - low)
    if smallest < low - rounded or largest > high + rounded:
        raise ValueError(
            f"{metric.key} has values from {smallest:g} to {largest:g}: expected values within its"
            f" bounds, {low:g} to {high:g}"
        )
    return smallest, largest, PROVED if proved else FOUND


def undefined_edges(metric: Metric) -> list[str]:
    """List the edges and corners of the square of all (tp, fp) at 1:1 that are undefined."""
    matrix = grid_matrix(Level(1, 1), DEFAULT_POSITIVES, grid=5)
    missing = np.isnan(np.broadcast_to(metric(matrix), (5, 5)))
    names, covered = [], np.zeros((5, 5), dtype=bool)
    for name, edge in EDGES.items():
        if missing[edge].all():
            names.append(name)
            covered[edge] = True
    corners = itertools.product(((0, "tp = 0"), (-1, "tp = P")), ((0, "fp = 0"), (-1, "fp = N")))
    return names + [
        f"{row_name} and {column_name}"
        for (row, row_name), (column, column_name) in corners
        if missing[row, column] and not covered[row, column]
    ]


def _indices(metric: Metric, levels: Sequence[Level]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for level in levels:
        exact = exact_indices(
            [metric], positives=DEFAULT_POSITIVES, negatives=level.negatives(DEFAULT_POSITIVES)
        )
        numbers = [*exact.s1[0], exact.s12[0]]
        names = [f"s1_{name}" for name in INPUTS] + ["s12"]
        known = [None if np.isnan(number) else float(number) for number in numbers]
        rows.append({"level": str(level)} | dict(zip(names, known, strict=True)))
        rows[-1]["reason"] = str(exact.reason[0])
    return _with_reasons(rows)


def _deviations(scaled: Metric, levels: Sequence[Level]) -> list[dict[str, Any]]:
    surfaces = [scaled(grid_matrix(level, DEFAULT_POSITIVES, grid=GRID)) for level in levels]
    rows: list[dict[str, Any]] = []
    for level, values in zip(levels[1:], surfaces[1:], strict=True):
        sigma, points, _ = deviation(values, surfaces[0], undefined="omit")
        with np.errstate(all="ignore"):
            shift, error = mean_shift(scaled, level, levels[0], DEFAULT_POSITIVES)
        resolved = error <= RESOLVED
        rows.append(
            {
                "level": str(level),
                "sigma": sigma,
                "points": points,
                "mean_shift": shift if resolved else None,
                "mean_shift_error": error if resolved else None,
                "reason": "" if resolved else f"error estimate {error:.1e}",
            }
        )
    return _with_reasons(rows)


def _with_reasons(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows, without the column of reasons if every reason is empty."""
    if any(row["reason"] for row in rows):
        return rows
    return [{name: cell for name, cell in row.items() if name != "reason"} for row in rows]


def _rescaling(metric: Metric) -> Callable[[Value], Value]:
    """Return the map of the metric of the rates to [0, 1], or the identity if it is unbounded."""
    if not np.isfinite(metric.bounds or ()).all():
        return lambda of_rates: of_rates
    try:
        low, high = (sympy.nsimplify(end, rational=True) for end in normalized_range(metric))
    except FormulaError:  # bounded at these class sizes, but not as a metric of the rates
        return lambda of_rates: of_rates
    return lambda of_rates: (of_rates - low) / (high - low)


def _random_matrices() -> ConfusionMatrix:
    """Draw confusion matrices of many sizes and shapes."""
    random = np.random.default_rng(0)
    sizes = 10 ** random.uniform(0, 4, (2, 500))
    tp, fp = random.random((2, 500)) * sizes
    return ConfusionMatrix.from_tp_fp(tp, fp, positives=sizes[0], negatives=sizes[1])


def _others(metric: Metric) -> dict[str, Metric]:
    return {key: known for key, known in METRICS.items() if known is not metric}


def identities(metric: Metric) -> list[str]:
    """List registered metrics that a metric equals, or is a linear function of.

    Those without a proof are equal on all matrices that were tried, which the text says.
    """
    matrices = _random_matrices()
    values = metric(matrices)
    equal = []
    for key, known in _others(metric).items():
        fitted = np.polyval(np.polyfit(other := known(matrices), values, 1), other)
        if np.abs(values - fitted).max() >= ROUNDED * np.ptp(values):
            continue
        identity = linear_identity(metric, known)
        if identity is not None:
            equal.append(_identity_in_words(identity, key))
    return equal


def _identity_in_words(identity: LinearIdentity, key: str) -> str:
    slope, offset = float(identity.slope), float(identity.offset)
    of_known = key if slope == 1 else f"{slope:.6g}·{key}"
    text = f"equals {of_known}" + (f" {offset:+.6g}" if offset else "")
    if identity.proved:
        return text
    return f"{text} on the {TRIED} matrices tried, with cells up to 10^{LARGEST_POWER}; not proved"


def nearest_metrics(metric: Metric, number: int = 3) -> list[dict[str, Any]]:
    """Return the registered metrics whose order of random matrices is nearest to a metric's.

    The list is empty for a metric that is constant.
    """
    matrices = _random_matrices()
    ranks = _ranks(metric(matrices))
    if np.ptp(ranks) == 0:
        return []
    alike = {
        key: float(np.corrcoef(ranks, _ranks(known(matrices)))[0, 1])
        for key, known in _others(metric).items()
    }
    best = sorted(alike, key=lambda key: -round(abs(alike[key]), 9))[:number]
    return [{"metric": key, "rank_correlation": alike[key]} for key in best]


def _ranks(values: Array) -> Array:
    """Return ranks from 1, tied values with their mean rank; SciPy's function imports slowly."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = counts.cumsum()
    return (last - (counts - 1) / 2)[places]


def _verdict_in_words(result: SizeInvariance, level: Level, baseline: Level) -> dict[str, str]:
    evidence = "neither a proof nor a counterexample was found"
    if result.formula is not None:
        evidence = f"{result.formula}, of u = tp/P and v = fp/N"
        if result.needs_equal_positives:
            evidence += "; only where P is the same"
    elif result.point is not None and result.values is not None:
        (u, v), (at_baseline, at_level) = result.point, map(number_text, result.values)
        evidence = f"{at_baseline} at {baseline} and {at_level} here, at u = {u}, v = {v}"
    return {"level": str(level), "verdict": result.verdict, "evidence": evidence}


def _scale_in_words(metric: Metric) -> str:
    """Describe the map to [0, 1] and, if it is linear, what a step of 0.001 on it is worth."""
    map_to_unit = scale(metric)
    if map_to_unit is None:
        return "its own, [0, 1]"
    low, high = metric.bounds or (np.nan, np.nan)
    if not np.isfinite([low, high]).all():
        return map_to_unit.name
    return f"{map_to_unit.name}; 0.001 on it is {0.001 * (high - low):.4g} of the metric"
