"""Five columns of verdicts on every metric at every level, and a sentence if they differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.metric import Metric
from skewproof.reporting.templates import render
from skewproof.sensitivity.behavior_types import (
    DIFFERS,
    SAME,
    UNDECIDED,
    rejected_by_contours,
    rejected_by_importance,
)
from skewproof.sensitivity.quadrature.kinked_surface import has_kink_at_equal_rates

JUDGES = {
    "paper_importance": "the paper's test",
    "paper_contour": "the paper's contours",
    "symbolic": "the formula",
    "exact": "the exact indices",
    "statistical": "the replicated samples",
}
"""Columns of the verdicts, with their names in a sentence. Two of them are the paper's."""

PHRASES = {SAME: "is the same", DIFFERS: "differs", UNDECIDED: "is undecided"}


def verdicts(
    *,
    scores: pd.DataFrame,
    p_values: pd.DataFrame,
    deviations: pd.DataFrame,
    invariance: pd.DataFrame,
    exact: pd.DataFrame,
    tests: pd.DataFrame,
    scrambles: pd.DataFrame,
    baseline: str,
    alpha: float,
    registry: Mapping[str, Metric],
) -> pd.DataFrame:
    """Combine the verdicts in one table.

    Parameters
    ----------
    scores, p_values, deviations
        The sampled importance scores (metric, level, input, s1, s1_conf), the paper's tests of
        them, and its contour deviations.
    invariance, exact
        SymPy's results (metric, level, verdict), and the exact indices (metric, level, input, s1,
        error_estimate).
    tests, scrambles
        Result of :func:`skewproof.sensitivity.sampling.replicates.sound_tests`, and numbers of
        rejections by the paper's test (metric, level, pairs, rejections, base_points).
    baseline, alpha, registry
        The level for comparison, the level of the tests, and the metrics by key.

    Returns
    -------
    Frame with the columns metric, level, the five verdicts ("same", "differs" or "undecided"),
    agree, index_shift (largest change of an exact index) and index_shift_error, effect (the same
    from the replicates), effect_low, effect_high, p_difference and p_equivalence (adjusted; the
    smaller one of the two inputs for p_difference, the larger one for p_equivalence), sentence.
    """
    shifts, effects = _exact_shifts(exact, baseline), _effects(tests, alpha)
    result = pd.DataFrame(index=pd.MultiIndex.from_frame(p_values[["metric", "level"]]))
    result["paper_importance"] = _paper_verdicts(rejected_by_importance(p_values, alpha=alpha))
    result["paper_contour"] = _paper_verdicts(rejected_by_contours(deviations))
    result["symbolic"] = invariance.set_index(["metric", "level"])["verdict"]
    result["exact"] = shifts.pop("exact")
    result["statistical"] = effects.pop("statistical")
    result["agree"] = result[list(JUDGES)].nunique(axis=1) == 1
    result = result.join(shifts).join(effects)
    alarms = _false_alarm_facts(scores, p_values, exact, scrambles, baseline)
    result["sentence"] = [
        _sentence(row, alarms, alpha, registry) for row in result.reset_index().to_dict("records")
    ]
    return result.reset_index()


def false_alarms(
    p_values: pd.DataFrame, invariance: pd.DataFrame, *, alpha: float
) -> list[tuple[str, str]]:
    """Return each metric that the paper's test rejects against a proof, with the first such
    level."""
    both = p_values.merge(invariance, on=["metric", "level"], validate="1:1")
    alarms = both[(both["p"] < alpha) & (both["verdict"] == SAME)]
    return list(alarms.drop_duplicates("metric")[["metric", "level"]].itertuples(index=False))


def half_widths(scores: pd.DataFrame, exact: pd.DataFrame) -> pd.DataFrame:
    """Compare the claimed half-width of every importance score with its true error.

    Returns
    -------
    Frame with the columns metric, level, input, s1, s1_conf, exact, error.
    """
    keys = ["metric", "level", "input"]
    table = scores[[*keys, "s1", "s1_conf"]].merge(
        exact[[*keys, "s1"]].rename(columns={"s1": "exact"}), on=keys, validate="1:1"
    )
    return table.assign(error=(table["s1"] - table["exact"]).abs())


def _paper_verdicts(rejected: pd.DataFrame) -> pd.Series:
    """Return the verdicts by metric and level from the paper's rejections: metrics by levels."""
    return rejected.stack().map({True: DIFFERS, False: SAME})


def _exact_shifts(exact: pd.DataFrame, baseline: str) -> pd.DataFrame:
    """Return the shifts of the exact indices from the baseline, their errors, and the verdicts."""
    shifts = pd.DataFrame(
        {
            "index_shift": largest_index_shifts(exact, baseline=baseline),
            "index_shift_error": index_shift_errors(exact, baseline=baseline),
        }
    )
    moved = shifts["index_shift"] > shifts["index_shift_error"]
    verdict = np.where(moved, DIFFERS, SAME)
    return shifts.assign(exact=np.where(shifts["index_shift"].isna(), UNDECIDED, verdict))


def _effects(tests: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """Return the larger effect of the two inputs, and the joint verdict."""
    by_place = tests.groupby(["metric", "level"])
    largest = tests.loc[by_place["difference"].apply(lambda effect: effect.abs().idxmax())]
    effects = largest.set_index(["metric", "level"])[["difference", "low", "high"]]
    effects.columns = ["effect", "effect_low", "effect_high"]
    effects["p_difference"] = by_place["p_difference_holm"].min()
    effects["p_equivalence"] = by_place["p_equivalence_holm"].max()
    effects["statistical"] = np.where(
        effects["p_equivalence"] < alpha,
        SAME,
        np.where(effects["p_difference"] < alpha, DIFFERS, UNDECIDED),
    )
    return effects


def _false_alarm_facts(
    scores: pd.DataFrame,
    p_values: pd.DataFrame,
    exact: pd.DataFrame,
    scrambles: pd.DataFrame,
    baseline: str,
) -> pd.DataFrame:
    """Return the facts on each metric for which the test was repeated, at each level.

    Returns
    -------
    Frame indexed by metric and level with the columns p, error (the largest of the sampled indices,
    here or at the baseline), half_width (the largest), pairs, rejections, base_points and
    repeated_at (the level of the repetition).
    """
    keys = ["metric", "level"]
    errors = half_widths(scores, exact).groupby(keys)["error"].max()
    at_baseline = errors.xs(baseline, level="level").reindex(errors.index, level="metric")
    facts = p_values[[*keys, "p"]].merge(
        scrambles.rename(columns={"level": "repeated_at"}), on="metric", validate="m:1"
    )
    return facts.set_index(keys).assign(
        error=errors.mask(at_baseline > errors, at_baseline),
        half_width=scores.groupby(keys)["s1_conf"].max(),
    )


def _sentence(
    row: Mapping[str, Any], alarms: pd.DataFrame, alpha: float, registry: Mapping[str, Metric]
) -> str:
    """Describe the verdicts, with the reason for a difference if it is known; empty if all
    agree."""
    if row["agree"]:
        return ""
    judges = {
        phrase: [name for column, name in JUDGES.items() if row[column] == verdict]
        for verdict, phrase in PHRASES.items()
    }
    alarm = None
    if row["symbolic"] == SAME and row["paper_importance"] == DIFFERS:
        alarm = alarms.loc[(row["metric"], row["level"])].to_dict()
        # Welch's standard error with two equal "standard deviations" and sizes.
        alarm["standard_error"] = alarm["half_width"] * np.sqrt(2 / alarm["base_points"])
        alarm["resolved"] = not np.isnan(alarm["error"])
        alarm["kink"] = has_kink_at_equal_rates(registry[row["metric"]])
    return render(
        "skewproof_studies.van_zyl",
        "verdict.txt.jinja",
        judges={phrase: names for phrase, names in judges.items() if names},
        alarm=alarm,
        level=row["level"],
        alpha=alpha,
    )


EXACT_ERROR = 1e-12
"""Largest error of an exact index beyond its error estimate."""


def index_shifts(exact: pd.DataFrame, *, baseline: str) -> pd.Series:
    """Return the distance of each exact first-order index from that at the baseline level.

    Parameters
    ----------
    exact
        Exact indices with the columns metric, level, input, s1.
    baseline
        The level for comparison; it must be one of the levels of `exact`.

    Returns
    -------
    Distances in [0, 1] by level, metric and input, without the baseline level; NaN if an index is
    not resolved.
    """
    indices = exact.set_index(["level", "metric", "input"])["s1"]
    shifts = (indices - indices.loc[baseline]).abs()
    return shifts.drop(index=baseline, level="level")


def largest_index_shifts(exact: pd.DataFrame, *, baseline: str) -> pd.Series:
    """Return the larger of both inputs' distances of :func:`index_shifts`, by metric and level."""
    shifts = index_shifts(exact, baseline=baseline).unstack("input")
    return shifts.max(axis=1, skipna=False).swaplevel()


def index_shift_errors(exact: pd.DataFrame, *, baseline: str) -> pd.Series:
    """Return the errors of the distances of :func:`index_shifts`, by metric and level.

    Parameters
    ----------
    exact
        Exact indices with the columns metric, level, error_estimate.
    baseline
        The level for comparison.
    """
    errors = exact.groupby(["metric", "level"])["error_estimate"].max()
    at_baseline = errors.xs(baseline, level="level").reindex(errors.index, level="metric")
    return errors + at_baseline + 2 * EXACT_ERROR
