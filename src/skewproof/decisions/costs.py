"""Expected cost of models with uncertain costs and prevalence, and cost curves.

docs/evidence/expected_cost.md measures the coverage of the intervals.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_confidence, expect_whole, seed_of
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.arrays import checked_shares, expect_equal_lengths
from skewproof.core.data.labels import check_classes, checked_labels, positives_of
from skewproof.decisions.net_benefit import TREAT_ALL, TREAT_NONE, has_columns, model_columns
from skewproof.intervals.bootstrap import drawn_weights
from skewproof.intervals.class_rows import row_of
from skewproof.intervals.deviations import MOST_DRAWS, PRIOR
from skewproof.intervals.extremes import Function, Proportions, Rows, extremes, radius_of
from skewproof.intervals.other_rates import for_other_rates
from skewproof.prevalence.prevalence import RAREST, At, Prevalence
from skewproof.reporting.result_table import ResultTable

MOST_MODELS = 10
"""Most models whose calls are counted together, in 2^10 cells a class."""

PLACES = 201
"""Number of places of a cost curve by default."""

EXPECTED_THRESHOLD = (
    'a threshold probability above 0 and below 1, a level such as "1:20", or what'
    " Prevalence.between or .believed returns"
)


def expected_cost(
    y_true: ArrayLike,
    y_pred: Any,
    *,
    threshold: At,
    at: At = "population",
    confidence: float = 0.95,
    pos_label: Any = 1,
    draws: int = 4000,
    rng: int | np.random.Generator = 0,
) -> pd.DataFrame:
    """Compute what models' errors cost with uncertain costs and prevalence, and which is cheapest.

    Costs enter by the threshold probability t at which both decisions cost the same. If a miss
    costs as much as c false alarms, t = 1/(1 + c), which may also be written "1:c". The normalized
    expected cost is k (1 - TPR) + (1 - k) FPR. It is 0 without errors, and 1 if each instance is
    wrong. The probability cost k = π (1 - t)/(π (1 - t) + (1 - π) t) is the share of the largest
    possible cost that is due to misses, at the prevalence π (Drummond and Holte 2006).

    Parameters
    ----------
    y_true
        True labels, (instances,), with both classes present.
    y_pred
        Predicted labels of each model: a mapping or a data frame with a column for each of up to
        10. All models are tested on the same instances.
    threshold
        The threshold probability: a number, "1:20", or an uncertain one from
        :meth:`Prevalence.between <skewproof.Prevalence.between>` or .believed.
    at
        Prevalence where the models will run, as for :func:`skewproof.decision_curve`.
    confidence
        Level of the intervals, in (0, 1).
    pos_label
        Label of the positive class.
    draws
        Number of draws for the probability of the lowest cost.
    rng
        Seed or generator of the draws.

    Returns
    -------
    Frame with a row for each model, then "treat all" and "treat none": model; tpr; fpr; cost, the
    normalized expected cost at the values that stand for prevalence and threshold, with low and
    high, the ends of its interval; and best_low and best_high, the smallest and largest probability
    that its cost is lowest. These two differ only over a range of prevalences or thresholds. The
    probabilities come from the posterior of all rates under a Dirichlet prior, which for each rate
    is Jeffreys' prior, and from the counts or beliefs about prevalence and threshold.

    Raises
    ------
    ValueError
        If labels are refused or all of one class; lengths differ; there are no or too many models;
        or `threshold`, `at` or another option is refused.

    Examples
    --------
    >>> from skewproof import Prevalence, expected_cost
    >>> y_true = [1] * 50 + [0] * 200
    >>> y_pred = {
    ...     "bold": [1] * 45 + [0] * 5 + [1] * 40 + [0] * 160,
    ...     "shy": [1] * 30 + [0] * 20 + [1] * 4 + [0] * 196,
    ... }
    >>> frame = expected_cost(y_true, y_pred, threshold=Prevalence.between("1:50", "1:5"), at=0.01)
    >>> frame[["model", "cost"]].round(3).values.tolist()[:2]
    [['bold', 0.186], ['shy', 0.072]]
    """
    expect_confidence("confidence", confidence)
    draws, seed = expect_whole("draws", draws, 1, MOST_DRAWS), seed_of(rng)
    costs = threshold_of(threshold)
    where = for_other_rates(at, confidence)
    positive = positives_of(y_true, pos_label)
    sizes = int(np.count_nonzero(positive)), int(np.count_nonzero(~positive))
    if not where.elsewhere:
        counted = Prevalence.sampled(sizes[0], sum(sizes))
        where = counted if where.is_uncertain else Prevalence.given(counted.share)
    calls = _calls(y_true, y_pred, pos_label)
    called = np.array(list(calls.values()))
    tp, fp = called[:, positive].sum(axis=1), called[:, ~positive].sum(axis=1)
    rates = Proportions(
        np.array([tp, fp], dtype=float), np.array([sizes[0] - tp, sizes[1] - fp], dtype=float)
    )
    low, high = _ends(rates, where, costs, radius_of(confidence))
    tpr, fpr = np.concatenate([rates.observed, [[1.0, 0.0], [1.0, 0.0]]], axis=1)
    middle = probability_cost(where.share_inside, costs.share)
    values = middle * (1 - tpr) + (1 - middle) * fpr
    shares = _shares_best(
        called, positive, where, costs, np.random.default_rng([seed, draws]), draws
    )
    return ResultTable(
        {
            "model": [*calls, TREAT_ALL, TREAT_NONE],
            "cost": values,
            "low": np.minimum(values, low),
            "high": np.maximum(values, high),
            "tpr": tpr,
            "fpr": fpr,
            "best_low": shares.min(axis=0),
            "best_high": shares.max(axis=0),
        }
    )


def probability_cost(share: Any, threshold: Any) -> Any:
    """Compute the share of the largest possible cost that is due to misses.

    Examples
    --------
    >>> round(float(probability_cost(0.01, 0.01)), 6), round(float(probability_cost(0.5, 0.2)), 6)
    (0.5, 0.8)
    """
    return expit(logit(share) - logit(threshold))


def threshold_of(threshold: Any) -> Prevalence:
    """Return a threshold probability with its uncertainty, in the form of a prevalence.

    Raises
    ------
    ValueError
        If it is not a threshold probability, or was counted in a sample.
    """
    try:
        given = Prevalence.given(threshold, "threshold").for_two_classes().for_any_rates()
        fits = given.elsewhere and (given.is_belief or not given.is_uncertain)
    except ValueError:
        fits = False
    expect(fits, "threshold", threshold, EXPECTED_THRESHOLD)
    return given


def _calls(y_true: ArrayLike, y_pred: Any, pos_label: Any) -> dict[str, NDArray[np.bool_]]:
    """Return, for each model, which instances it calls positive."""
    expected = "a mapping or a data frame with a column for each model"
    expect(has_columns(y_pred), "y_pred", y_pred, expected)
    columns = model_columns(y_pred, "y_pred")
    fits = 1 <= len(columns) <= MOST_MODELS
    expect(fits, "y_pred", list(columns), f"1 to {MOST_MODELS} models")
    true = checked_labels(y_true, "y_true")
    calls = {}
    for model, column in columns.items():
        name = f"y_pred[{model!r}]"
        predicted = checked_labels(column, name)
        expect_equal_lengths(**{"y_true": true, name: predicted})
        check_classes(true, predicted, pos_label)
        calls[model] = np.asarray(predicted == pos_label)
    return calls


def _ends(
    rates: Proportions, at: Prevalence, costs: Prevalence, radius: float
) -> tuple[Array, Array]:
    """Return the ends of the costs of each model, and of treating all and none.

    The cost is linear in the probability cost, which is monotone in prevalence and threshold.
    Extremes over a range therefore lie at its ends.
    """
    alike = np.array([[1.0, 0.0], [1.0, 0.0]])
    varied = [known for known in (at, costs) if known.is_uncertain]
    lows, highs = [], []
    for share, threshold in itertools.product(*map(_fixed, (at, costs))):
        rows = [row_of(known, rates.slices.size) for known in varied]
        ends = [
            _extremes(_cost(share, threshold, None), [*rows, rates], radius),
            _extremes(
                _cost(share, threshold, alike), [row_of(known, 2) for known in varied], radius
            ),
        ]
        lows.append(np.concatenate([low for low, _ in ends]))
        highs.append(np.concatenate([high for _, high in ends]))
    return np.min(lows, axis=0), np.max(highs, axis=0)


def _extremes(cost: Function, rows: list[Proportions], radius: float) -> tuple[Array, Array]:
    """Return the ends of a cost of proportions, or its values for treating all and none."""
    if not rows:
        values = cost(np.empty((0, 2)), np.arange(2))
        return values, values
    proportions = rows[-1]
    for row in reversed(rows[:-1]):
        proportions = row.beside(proportions)
    ends = extremes(cost, proportions, radius)
    return ends.low, ends.high


def _fixed(known: Prevalence) -> tuple[float | None, ...]:
    """Return the ends of a range, a stated value, or None for a quantity that varies."""
    if known.is_uncertain:
        return (None,)
    return known.ends or (known.share,)


def _cost(share: float | None, threshold: float | None, rates: Array | None) -> Function:
    """Return the cost as a function of the arguments that are None, in their order."""

    def of_proportions(proportions: Array, rows: Rows) -> Array:
        rest = list(proportions)
        there = np.clip(rest.pop(0), RAREST, 1 - RAREST) if share is None else share
        cut = np.clip(rest.pop(0), RAREST, 1 - RAREST) if threshold is None else threshold
        tpr, fpr = rest if rates is None else rates[:, rows]
        weight = probability_cost(there, cut)
        return weight * (1 - tpr) + (1 - weight) * fpr

    return of_proportions


def _shares_best(
    called: NDArray[np.bool_],
    positive: NDArray[np.bool_],
    at: Prevalence,
    costs: Prevalence,
    random: np.random.Generator,
    draws: int,
) -> Array:
    """Compute the probability that each model costs least, (places of ranges, models + 2)."""
    codes = (2 ** np.arange(len(called))) @ called
    tpr, fpr = (
        _drawn_rates(np.bincount(codes[of_class], minlength=2 ** len(called)), random, draws)
        for of_class in (positive, ~positive)
    )
    sizes = np.count_nonzero(positive), np.count_nonzero(~positive)
    shares, thresholds = (known.drawn_shares(*sizes, draws, random) for known in (at, costs))
    places = []
    for share, threshold in itertools.product(shares, thresholds):
        weight = probability_cost(share, threshold)
        cost = weight * (1 - tpr) + (1 - weight) * fpr
        places.append(np.bincount(cost.argmin(axis=0), minlength=len(cost)) / draws)
    return np.array(places)


def _drawn_rates(counts: NDArray[np.intp], random: np.random.Generator, draws: int) -> Array:
    """Draw the rates of all models together, and of treating all and none, (models + 2, draws)."""
    models = counts.size.bit_length() - 1
    calls = np.arange(counts.size)[:, np.newaxis] >> np.arange(models) & 1
    cells = counts.astype(np.float64) + 2 * PRIOR / counts.size
    drawn = np.concatenate([part @ calls for (part,) in drawn_weights([cells], draws, random)])
    return np.concatenate([drawn.T, np.ones((1, draws)), np.zeros((1, draws))])


def cost_curve(
    matrices: Mapping[str, ConfusionMatrix], *, places: ArrayLike | None = None
) -> pd.DataFrame:
    """Compute the normalized expected cost of models over the probability cost.

    See Drummond and Holte (2006).

    Parameters
    ----------
    matrices
        The confusion matrix of each model, or those of many cut-offs, as from
        :func:`skewproof.curves.threshold_matrices`: the curve is then their lower envelope.
    places
        Probability costs in [0, 1]; 201 evenly spaced ones by default.

    Returns
    -------
    Frame with a row for each model, "treat all" and "treat none" at each place: model;
    probability_cost, 0 if only false alarms cost and 1 if only misses do; cost; and best, whether
    no other cost is lower there.

    Raises
    ------
    ValueError
        If there are no models, a matrix is not one or has an empty class, or a place is outside
        [0, 1].

    Examples
    --------
    >>> from skewproof import ConfusionMatrix
    >>> from skewproof.decisions import cost_curve
    >>> matrix = ConfusionMatrix(tp=8, fp=10, fn=2, tn=90)
    >>> curve = cost_curve({"model": matrix}, places=[0.05, 0.5])
    >>> curve[["model", "cost", "best"]].round(3).values.tolist()[:3]
    [['model', 0.105, False], ['model', 0.15, True], ['treat all', 0.95, False]]
    """
    some = isinstance(matrices, Mapping) and len(matrices) > 0
    expect(some, "matrices", matrices, "a mapping from each model to its ConfusionMatrix")
    given = np.linspace(0, 1, PLACES) if places is None else checked_shares(places, "places")
    weights = np.atleast_1d(given)
    fits = weights.ndim == 1 and weights.size > 0
    expect(fits, "places", places, "probability costs in one dimension")
    costs = {}
    for name, matrix in matrices.items():
        expected = "a ConfusionMatrix with instances of both classes"
        known = isinstance(matrix, ConfusionMatrix)
        filled = known and bool(np.all((matrix.positives > 0) & (matrix.negatives > 0)))
        expect(filled, f"matrices[{name!r}]", matrix, expected)
        tpr, fpr = (np.ravel(rate)[:, np.newaxis] for rate in (matrix.tpr, matrix.fpr))
        costs[str(name)] = (weights * (1 - tpr) + (1 - weights) * fpr).min(axis=0)
    costs |= {TREAT_ALL: 1 - weights, TREAT_NONE: weights}
    least = np.min(list(costs.values()), axis=0)
    return pd.DataFrame(
        {
            "model": np.repeat(list(costs), weights.size),
            "probability_cost": np.tile(weights, len(costs)),
            "cost": np.concatenate(list(costs.values())),
            "best": np.concatenate([cost == least for cost in costs.values()]),
        }
    )
