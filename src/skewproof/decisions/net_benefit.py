"""Worth of positive calls at a threshold probability: net benefit and decision curves.

docs/evidence/net_benefit_coverage.md measures the coverage of the intervals.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import (
    expect,
    expect_columns,
    expect_confidence,
    expect_flag,
    seed_of,
)
from skewproof.core.data.arrays import checked_numbers, positive_class_probabilities
from skewproof.core.data.frames import (
    is_frame,
    known_columns,
    labels_of,
    lazy_frame,
    warn_of_copies,
)
from skewproof.core.data.labels import positives_of
from skewproof.core.messages import shown
from skewproof.curves.bands import CutOffs, calls_by_group
from skewproof.decisions.frame_probabilities import FrameProbabilities
from skewproof.intervals.class_rows import row_of
from skewproof.intervals.deviations import nearby
from skewproof.intervals.estimates import Grouping
from skewproof.intervals.extremes import (
    Function,
    Proportions,
    Rows,
    extremes,
    radius_of,
    spread,
)
from skewproof.intervals.grouped.effective_numbers import are_single, grouped_rates
from skewproof.intervals.other_rates import for_other_rates
from skewproof.prevalence.adjusting import adjust_probabilities
from skewproof.prevalence.prevalence import RAREST, At, Prevalence
from skewproof.reporting.result_table import ResultTable

TREAT_ALL, TREAT_NONE = "treat all", "treat none"
"""Names of the defaults that call everything, or nothing, positive."""

MODEL = "model"
"""Name of a single model."""

PER = 100
"""Number of instances among which avoided interventions are counted."""

Weights = tuple[Array, Array, Array]
"""Contributions to a quantity: the gain per true positive rate, the loss per false positive rate,
and the rest."""


def _net_benefit(share: Array, odds: Array) -> Weights:
    return share, (1 - share) * odds, 0 * share


def _standardized(share: Array, odds: Array) -> Weights:
    return np.ones_like(share), (1 - share) / share * odds, 0 * share


def _avoided(share: Array, odds: Array) -> Weights:
    hits, alarms = PER * share / odds, PER * (1 - share)
    return hits, alarms, alarms - hits


QUANTITIES: dict[str, Callable[[Array, Array], Weights]] = {
    "net_benefit": _net_benefit,
    "standardized": _standardized,
    "interventions_avoided": _avoided,
}
"""Quantities that are linear in both rates, given a prevalence and the odds of a threshold."""


def decision_curve(
    data: Any = None,
    y_prob: Any = None,
    *,
    y_true: Any = None,
    at: At = "population",
    thresholds: float | ArrayLike | None = None,
    trained: At | None = None,
    confidence: float = 0.95,
    simultaneous: bool = False,
    groups: Any = None,
    pos_label: Any = 1,
    rng: int | np.random.Generator = 0,
) -> pd.DataFrame:
    """Compute the net benefit of models over threshold probabilities, with intervals.

    The call is ``decision_curve(y_true, y_prob)`` with arrays, and ``decision_curve(frame,
    y_true=column, y_prob=columns)`` with a data frame of any engine.

    To act at a probability of t or more is to accept (1 - t)/t false alarms for a hit. The net
    benefit counts hits, less the false alarms at this exchange rate, per instance: π TPR - (1 - π)
    FPR t/(1 - t), at the prevalence π. Its largest possible value is π. A model is useful where its
    net benefit is above those of calling everything positive ("treat all") and nothing ("treat
    none").

    The intervals are those of :func:`skewproof.interval`, pointwise: each holds at its threshold.
    With `simultaneous` they are wider, and those of a model hold at all its thresholds at once. At
    a prevalence other than the test set's, the model is assumed to keep its rates at each cut-off
    (label shift). Its probabilities are taken as they are. If they were calibrated for a prevalence
    other than `at`, they are too high or too low there, and calling at a threshold t is not the
    decision that t stands for; `trained` corrects this.

    Parameters
    ----------
    data
        True labels, (instances,), with both classes present; or a data frame with a row for each
        instance, of an engine that :func:`skewproof.count_slices` takes. The frame is read once for
        all models and once for each, and its data stay where they are: the engine counts the
        instances from each threshold to the next, so that nothing is approximated.
    y_prob
        Probabilities of the positive class in [0, 1], (instances,); or those of several models, as
        a mapping or a data frame with a column for each. For a frame as `data`, the column or the
        columns of the models; rows in which one of them is null or NaN are left out.
    y_true
        Column of the true labels if `data` is a frame; rows without a label are left out. Labels
        may also be given by this name instead of `data`.
    at
        Prevalence where the models will run, as for :func:`skewproof.interval`. One that is
        estimated without labels counts as the range of its interval, around the estimate; it is
        assumed that these models, too, keep their rates.
    thresholds
        Threshold probabilities, above 0 and below 1. By default the hundredths .01 to .99, and for
        a prevalence below .1 also single digits down to a tenth of it, such as .0001, .0002 to .009
        for .001.
    trained
        The prevalence for which the probabilities are calibrated, such as "1:1" after training on
        balanced classes. They are then adjusted from it to the prevalence that `at` stands for
        (Elkan 2001).
    confidence
        Level of the intervals, in (0, 1).
    simultaneous
        Whether the intervals of a model hold at all thresholds at once with this confidence, not
        just at each of them.
    groups
        Label of each row's group if rows belong together, such as the patient, as for
        :func:`skewproof.interval`; for a frame as `data`, the column of these labels, and the
        columns are then read into memory. docs/evidence/group_scores.md measures the coverage.
    pos_label
        Label of the positive class.
    rng
        Seed or generator of the samples that determine simultaneous intervals.

    Returns
    -------
    Frame with a row for each model and threshold, then the rows of "treat all" and "treat none":
    model; threshold; cutoff, the least value of `y_prob` that is called positive, NaN
    for the last two; tpr and fpr, the rates there; net_benefit, at most the prevalence;
    standardized, net_benefit over the prevalence, at most 1; and interventions_avoided, how many
    fewer of 100 instances are called positive than if all were, at the same number of hits. Each of
    the last three has its interval in columns with `_low` and `_high` after its name. For a range
    of prevalences the interval is an envelope. With `groups` there is the column grouping, which
    tells what the rows are worth for the net benefit of a model.

    Raises
    ------
    TypeError
        If labels are missing or given twice.
    TypeError, KeyError, MissingExtraError
        For a frame, as :func:`skewproof.count_slices`.
    ValueError
        If labels are refused or all of one class; a probability is outside [0, 1]; lengths differ;
        a threshold is not above 0 and below 1; or `at` or another option is refused.

    References
    ----------
    Vickers and Elkin (2006), Medical Decision Making 26, 565-574.

    Examples
    --------
    >>> from skewproof import decision_curve
    >>> y_true, p = [1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.2, 0.1, 0.1]
    >>> curve = decision_curve(y_true, p, thresholds=[0.25, 0.5])
    >>> curve[["model", "threshold", "net_benefit"]].round(3).values.tolist()[:3]
    [['model', 0.25, 0.167], ['model', 0.5, 0.125], ['treat all', 0.25, 0.167]]
    >>> rare = decision_curve(y_true, p, thresholds=0.25, at="1:100")
    >>> rare["net_benefit"].round(3).tolist()
    [-0.125, -0.32, 0.0]

    A frame has the same curves:

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"y": y_true, "forest": p})
    >>> in_frame = decision_curve(frame, y_true="y", y_prob="forest", thresholds=[0.25, 0.5])
    >>> in_frame.replace("forest", "model").equals(curve)
    True
    """
    bands = Bands.of(confidence, simultaneous, rng)
    where = for_other_rates(at, confidence)
    if is_frame(data) and groups is not None:
        models = FrameProbabilities.of(data, y_true, y_prob, pos_label).models
        columns = known_columns(data, y_true=y_true, y_prob=models, groups=groups)
        data, y_prob, y_true = columns[y_true], columns[[*models]], None
        y_prob, groups = dict(y_prob.items()), columns[groups]
    if is_frame(data):
        probabilities = FrameProbabilities.of(data, y_true, y_prob, pos_label)
        for model in probabilities.models:
            check_name(model)
        grid = Grid.of(where, probabilities.sizes(), thresholds, trained)
        counts = probabilities.counts(np.sort(grid.cutoffs))
        called = {
            model: (grid.called(*positives), grid.called(*negatives))
            for model, (positives, negatives) in counts.items()
        }
        warn_of_copies(lazy_frame(data), (y_true, *probabilities.models))
        return grid.curves(called, bands)
    positive = positives_of(labels_of(data, y_true), pos_label)
    size = int(np.count_nonzero(positive))
    grid = Grid.of(where, (size, positive.size - size), thresholds, trained)
    edges = np.sort(grid.cutoffs)
    called, by_group = {}, {}
    for name, probability in models_of(y_prob, positive).items():
        reached = np.searchsorted(edges, probability, side="right")
        called[name] = (grid.called(reached[positive]), grid.called(reached[~positive]))
        if groups is not None:
            by_group[name] = calls_by_group(positive, probability, grid.cutoffs, groups)
    return grid.curves(called, bands, by_group)


class Bands(NamedTuple):
    """Confidence of intervals, at each threshold or at all together."""

    confidence: float
    simultaneous: bool
    seed: int

    @classmethod
    def of(cls, confidence: float, simultaneous: bool, rng: int | np.random.Generator) -> Bands:
        """Check the arguments of :func:`decision_curve`.

        Raises
        ------
        ValueError
            If one is refused.
        """
        expect_confidence("confidence", confidence)
        return cls(confidence, expect_flag("simultaneous", simultaneous), seed_of(rng))


class Grid(NamedTuple):
    """Threshold probabilities, and the prevalence where models will run."""

    at: Prevalence
    share: float
    """The prevalence as a single number."""
    sizes: tuple[int, int]
    """Numbers of positives and negatives."""
    thresholds: Array
    cutoffs: Array
    """Least probability, as the models give it, that each threshold calls positive."""

    @classmethod
    def of(
        cls, at: Prevalence, sizes: tuple[int, int], thresholds: Any, trained: At | None
    ) -> Grid:
        """Build the grid from thresholds and the prevalence for which models are trained.

        Raises
        ------
        ValueError
            If either is refused.
        """
        share = at.share_given(sizes[0] / sum(sizes))
        chosen = _thresholds(thresholds, share)
        cutoffs = chosen
        if trained is not None:  # the cut-off that, adjusted to here, is the threshold
            before = Prevalence.given(trained, "trained")
            stated = before.elsewhere and before.is_exact and before.has_positive_class
            expect(stated, "trained", trained, "a prevalence")
            cutoffs = adjust_probabilities(chosen, trained=share, at=before.share)
        return cls(at, share, sizes, chosen, cutoffs)

    def called(self, reached: ArrayLike, numbers: ArrayLike | None = None) -> Array:
        """Count the instances that reach each cut-off, given how many cut-offs each one reaches.

        With `numbers`, each entry stands for so many instances.
        """
        counts = np.bincount(reached, numbers, minlength=self.cutoffs.size + 1)
        called = np.empty(self.cutoffs.size)
        called[np.argsort(self.cutoffs)] = counts[:0:-1].cumsum()[::-1]
        return called

    def radius(self, tp: Array, fp: Array, bands: Bands, by_group: list[Array] | None) -> float:
        """Return the radius of the balls around the rates of a model."""
        if not bands.simultaneous:
            return radius_of(bands.confidence)
        falling = np.argsort(-self.cutoffs, kind="stable")
        ordered = None if by_group is None else [by_group[place] for place in falling]
        positives, negatives = map(float, self.sizes)
        cut_offs = CutOffs(
            self.cutoffs[falling], tp[falling], fp[falling], positives, negatives, ordered
        )
        return cut_offs.radius(bands.confidence, self.at, bands.seed)

    def curves(
        self,
        called: Mapping[str, tuple[Array, Array]],
        bands: Bands,
        by_group: Mapping[str, list[Array]] | None = None,
    ) -> pd.DataFrame:
        """Build the frame of :func:`decision_curve` from what each model calls positive.

        For each model, `called` has the numbers of positives and of negatives, and `by_group`, if
        rows stand in groups, those of each group at each threshold.
        """
        chosen, cutoffs = self.thresholds, self.cutoffs
        tp, fp = (np.concatenate(counts) for counts in zip(*called.values(), strict=True))
        odds = chosen / (1 - chosen)
        positives, negatives = self.sizes
        rates = Proportions(np.array([tp, fp]), np.array([positives - tp, negatives - fp]))
        sizes: tuple[float, float] = self.sizes
        grouped, tables = (
            rates,
            [table for of_model in (by_group or {}).values() for table in of_model],
        )
        if tables and not are_single(tables):
            own = self.at.is_uncertain and not self.at.elsewhere
            grouped = grouped_rates(tables, bands.confidence, with_prevalence=own)
            if own:
                sizes = float(grouped.hits[0, 0]), float(grouped.misses[0, 0])
        quantities = _Quantities(self.at, self.share, sizes, radius_of(bands.confidence))
        radii = [
            self.radius(*counts, bands, (by_group or {}).get(name))
            for name, counts in called.items()
        ]
        nowhere = np.full(2 * chosen.size, np.nan)
        columns: dict[str, Any] = {
            "model": np.repeat([*called, TREAT_ALL, TREAT_NONE], chosen.size),
            "threshold": np.tile(chosen, len(called) + 2),
        }
        for name, weights in QUANTITIES.items():
            of_each = np.tile(odds, len(called)), np.repeat(radii, chosen.size)
            parts = [quantities.of_models(weights, grouped, *of_each)]
            parts += [quantities.of_all_alike(weights, rate, odds) for rate in (1.0, 0.0)]
            values = np.concatenate(parts, axis=1)
            columns |= dict(zip((name, f"{name}_low", f"{name}_high"), values, strict=True))
        columns["cutoff"] = np.concatenate([np.tile(cutoffs, len(called)), nowhere])
        for name, rate in zip(("tpr", "fpr"), rates.observed, strict=True):
            columns[name] = np.concatenate([rate, np.repeat([1.0, 0.0], chosen.size)])
        if tables:
            alone = _Quantities(self.at, self.share, self.sizes, 0.0)
            odds = np.tile(odds, len(called))
            effects = (quantities.errors(grouped, odds) / alone.errors(rates, odds)) ** 2
            number, instances = len(tables[0]), float(sum(self.sizes))
            said = [str(Grouping(number, instances, effect)) for effect in effects.tolist()]
            columns["grouping"] = [*said, *[""] * (2 * chosen.size)]
        return ResultTable(columns)


def useful_thresholds(curve: pd.DataFrame) -> pd.DataFrame:
    """Find the thresholds at which each model is worth more than treating all or none.

    Parameters
    ----------
    curve
        Result of :func:`decision_curve`.

    Returns
    -------
    Frame with a row for each model: model; first and last, the ends of the run of neighboring
    thresholds at which its net benefit is above both, around the threshold of the largest gain; and
    first_sure and last_sure, the same for thresholds where the intervals of the net benefit and of
    the avoided interventions, each by itself, are above 0. NaN if there is no such threshold.

    Raises
    ------
    ValueError
        If the frame is not such a result.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import decision_curve
    >>> from skewproof.decisions import useful_thresholds
    >>> p = np.linspace(0, 1, 101)
    >>> curve = decision_curve(p > 0.5, p, thresholds=[0.1, 0.3, 0.5, 0.7, 0.9], pos_label=True)
    >>> useful_thresholds(curve).values.tolist()
    [['model', 0.1, 0.9, 0.3, 0.7]]
    """
    columns = ["model", "threshold", "net_benefit_low", "interventions_avoided_low"]
    expect_columns("curve", curve, columns, "decision_curve")
    defaults = curve[curve["model"].isin([TREAT_ALL, TREAT_NONE])]
    best = defaults.groupby("threshold")["net_benefit"].max()
    rows = []
    for name, of_model in curve.groupby("model", sort=False):
        if name in (TREAT_ALL, TREAT_NONE):
            continue
        ordered = of_model.sort_values("threshold")
        gain = ordered["net_benefit"].to_numpy() - best[ordered["threshold"]].to_numpy()
        sure = (ordered["net_benefit_low"] > 0) & (ordered["interventions_avoided_low"] > 0)
        thresholds = ordered["threshold"].to_numpy()
        runs = (_run_around_best(holds, gain, thresholds) for holds in (gain > 0, sure.to_numpy()))
        rows.append([name, *itertools.chain(*runs)])
    return ResultTable(rows, columns=["model", "first", "last", "first_sure", "last_sure"])


def _run_around_best(
    holds: NDArray[np.bool_], gain: Array, thresholds: Array
) -> tuple[float, float]:
    """Return the ends of the run of thresholds with the largest gain at which a condition holds."""
    if not holds.any():
        return np.nan, np.nan
    best = int(np.argmax(np.where(holds, gain, -np.inf)))
    fails = np.flatnonzero(~holds)
    before, after = fails[fails < best], fails[fails > best]
    first = before[-1] + 1 if before.size else 0
    last = after[0] - 1 if after.size else holds.size - 1
    return float(thresholds[first]), float(thresholds[last])


class _Quantities:
    """Quantities at a prevalence with their ends, as arrays of value, low and high.

    Quantities are linear in the rates, and their extremes over a range of prevalences lie at its
    ends: the largest of linear functions of the prevalence, or of its odds, is convex.
    """

    def __init__(
        self, at: Prevalence, share: float, sizes: tuple[float, float], radius: float
    ) -> None:
        self.at, self.share, self.sizes, self.radius = at, share, sizes, radius

    def of_models(
        self,
        weights: Callable[[Array, Array], Weights],
        rates: Proportions,
        odds: Array,
        radii: Array,
    ) -> Array:
        """Compute a quantity of slices with counted rates, within balls of these radii."""
        middle = np.full(odds.size, self.share)
        values = _function(weights, odds, middle)(rates.observed[-2:], rates.slices)
        varied = self._varied(rates)
        if varied is not None:
            estimates = [extremes(_function(weights, odds, None), varied, radii)]
        else:
            ends = self.at.ends or (self.share,)
            functions = [_function(weights, odds, np.full(odds.size, end)) for end in ends]
            estimates = [extremes(function, rates, radii) for function in functions]
        low = np.min([values, *(ends.low for ends in estimates)], axis=0)
        high = np.max([values, *(ends.high for ends in estimates)], axis=0)
        return np.array([values, low, high])

    def of_all_alike(
        self, weights: Callable[[Array, Array], Weights], rate: float, odds: Array
    ) -> Array:
        """Compute a quantity if all instances, or none, are called positive.

        It is monotone in the prevalence.
        """
        values = []
        for share in (self.share, *self._ends):
            hits, alarms, rest = weights(np.full(odds.size, share), odds)
            values.append(rate * (hits - alarms) + rest)
        return np.array([values[0], np.min(values, axis=0), np.max(values, axis=0)])

    def errors(self, rates: Proportions, odds: Array) -> Array:
        """Compute the standard errors of the linearized net benefit, shape (slices,)."""
        varied, middle = self._varied(rates), np.full(odds.size, self.share)
        if varied is not None:
            return spread(_function(_net_benefit, odds, None), varied)
        return spread(_function(_net_benefit, odds, middle), rates)

    def _varied(self, rates: Proportions) -> Proportions | None:
        """Return the prevalence and the rates if it is uncertain; groups have it with the rates."""
        row = self._row(len(rates.slices))
        return row if row is None else rates if len(rates.hits) > 2 else row.beside(rates)

    def _row(self, slices: int) -> Proportions | None:
        """Return the prevalence as a proportion if it was counted in a sample or is believed."""
        return row_of(self.at, slices, self.sizes) if self.at.is_uncertain else None

    @property
    def _ends(self) -> tuple[float, ...]:
        """Ends of the interval of the prevalence, or of its range."""
        row = self._row(1)
        if row is None:
            return self.at.ends
        deviations = np.array([[-self.radius, self.radius]])
        ends = nearby(row.hits, row.misses, deviations).proportions[0]
        return tuple(np.clip(ends, RAREST, 1 - RAREST).tolist())


def _function(
    weights: Callable[[Array, Array], Weights], odds: Array, share: Array | None
) -> Function:
    """Return a quantity of slices as a function of the rates and, unless fixed, the prevalence."""

    def of_proportions(proportions: Array, rows: Rows) -> Array:
        *varied, tpr, fpr = proportions
        there = share[rows] if share is not None else np.clip(varied[0], RAREST, 1 - RAREST)
        hits, alarms, rest = weights(there, odds[rows])
        return hits * tpr - alarms * fpr + rest

    return of_proportions


def models_of(y_prob: Any, labels: NDArray[Any]) -> dict[str, Array]:
    """Return the probabilities of each model by its name."""
    if not has_columns(y_prob):
        return {MODEL: positive_class_probabilities(y_prob, "y_prob", labels)}
    columns = model_columns(y_prob, "y_prob")
    expect(bool(columns), "y_prob", y_prob, "probabilities of at least one model")
    return {
        name: positive_class_probabilities(column, f"y_prob[{shown(name)}]", labels)
        for name, column in columns.items()
    }


def has_columns(models: Any) -> bool:
    """Return whether models are given as a mapping or a data frame with a column for each."""
    return isinstance(models, Mapping) or hasattr(models, "columns")


def model_columns(models: Any, argument: str) -> dict[str, Any]:
    """Return the column of each model by its name; the argument's name is for error messages.

    Raises
    ------
    ValueError
        If a model has the name of a default.
    """
    names = models.columns if hasattr(models, "columns") else models
    for name in names:
        check_name(name, argument)
    return {str(name): models[name] for name in names}


def check_name(name: Any, argument: str = "y_prob") -> None:
    """Refuse a model that has the name of a default."""
    expect(str(name) not in (TREAT_ALL, TREAT_NONE), argument, name, "another name for a model")


def _thresholds(thresholds: Any, share: float) -> Array:
    """Return threshold probabilities as an array; the default depends on the prevalence."""
    if thresholds is None:
        return default_thresholds(share)
    numbers = np.atleast_1d(checked_numbers(thresholds, "thresholds")).astype(np.float64)
    expect(numbers.ndim == 1 and numbers.size > 0, "thresholds", thresholds, "one dimension")
    for number in numbers.tolist():
        expect(0 < number < 1, "thresholds", number, "threshold probabilities above 0 and below 1")
    return numbers


def default_thresholds(share: float) -> Array:
    """Return the hundredths, and below .01 single digits down to a tenth of a prevalence.

    Examples
    --------
    >>> default_thresholds(0.3)[[0, 1, -1]].tolist()
    [0.01, 0.02, 0.99]
    >>> default_thresholds(0.02)[:9].tolist()
    [0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.008, 0.009, 0.01]
    """
    texts = [f"{digit}e-{power}" for power in range(13, 2, -1) for digit in range(1, 10)]
    small = np.array([float(text) for text in texts])
    # A tenth of .02 is not .002 in floats.
    kept = small[small >= share / 10 * (1 - 1e-9)]
    return np.concatenate([kept, np.arange(1, 100) / 100])
