"""Four verdicts on every metric at every level, and a plain sentence where they differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.metrics import get_metric
from skewproof.sensitivity.types import rejected_by_contours, rejected_by_importance
from skewproof.studies.van_zyl.robustness import INTEGRAL

SAME, DIFFERS, UNDECIDED = "same", "differs", "undecided"

VERDICTS = {
    "paper_importance": "the paper's test",
    "paper_contour": "the paper's contours",
    "symbolic": "the formula",
    "exact": "the exact indices",
    "statistical": "the replicated samples",
}
"""The columns of the verdicts, and what each of them is called in a sentence. The paper has two."""

EXACT_ERROR = 1e-12
"""Of an exact index, beside its error estimate."""


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
) -> pd.DataFrame:
    """Put the verdicts side by side.

    Parameters
    ----------
    scores
        Columns metric, level, input, s1, s1_conf: the sampled importance scores.
    p_values, deviations
        The paper's tests and contour deviations.
    invariance
        Columns metric, level, verdict: what SymPy shows.
    exact
        Columns metric, level, input, s1, error_estimate.
    tests
        The result of :func:`skewproof.sensitivity.replicates.sound_tests`.
    scrambles
        Columns metric, level, pairs, rejections, base_points: how often the paper's test rejects.
    baseline, alpha
        The level compared with, and the level of the tests.

    Returns
    -------
    Frame with the columns metric, level, the five verdicts ("same", "differs" or "undecided"),
    agree, index_shift (largest change of an exact index) and index_shift_error, effect (the same
    from the replicates), effect_low, effect_high, p_difference and p_equivalence (adjusted; the
    smaller of the inputs' for the first, the larger for the second), sentence.
    """
    index = pd.MultiIndex.from_frame(p_values[["metric", "level"]])
    result = pd.DataFrame(index=index)
    for column, rejected in (
        ("paper_importance", rejected_by_importance(p_values, alpha=alpha)),
        ("paper_contour", rejected_by_contours(deviations)),
    ):
        result[column] = np.where(rejected.stack().reindex(index), DIFFERS, SAME)
    result["symbolic"] = invariance.set_index(["metric", "level"])["verdict"].reindex(index)
    shifts = _index_shifts(exact, baseline).reindex(index)
    result["exact"] = _exact_verdicts(shifts)
    effects = _effects(tests, alpha).reindex(index)
    result["statistical"] = effects["statistical"]
    result["agree"] = result[list(VERDICTS)].nunique(axis=1) == 1
    result = result.join(shifts).join(effects.drop(columns="statistical"))
    errors = half_widths(scores, exact).groupby(["metric", "level"])["error"].max()
    facts = {
        "p": p_values.set_index(["metric", "level"])["p"],
        "error": errors,
        "baseline_error": errors.xs(baseline, level="level"),
        "half_width": scores.groupby(["metric", "level"])["s1_conf"].max(),
        "scrambles": scrambles.set_index("metric").to_dict("index"),
    }
    result["sentence"] = [
        "" if row["agree"] else _sentence(place, row, facts, alpha)
        for place, row in result.iterrows()
    ]
    return result.reset_index()


def false_alarms(
    p_values: pd.DataFrame, invariance: pd.DataFrame, *, alpha: float
) -> list[tuple[str, str]]:
    """Each metric that the paper's test rejects against a proof, with the first such level."""
    both = p_values.merge(invariance, on=["metric", "level"], validate="1:1")
    alarms = both[(both["p"] < alpha) & (both["verdict"] == SAME)]
    return list(alarms.drop_duplicates("metric")[["metric", "level"]].itertuples(index=False))


def half_widths(scores: pd.DataFrame, exact: pd.DataFrame) -> pd.DataFrame:
    """The claimed half-width of every importance score beside its true error.

    Returns
    -------
    Frame with the columns metric, level, input, s1, s1_conf, exact, error.
    """
    keys = ["metric", "level", "input"]
    table = scores[[*keys, "s1", "s1_conf"]].merge(
        exact[[*keys, "s1"]].rename(columns={"s1": "exact"}), on=keys, validate="1:1"
    )
    return table.assign(error=(table["s1"] - table["exact"]).abs())


def _index_shifts(exact: pd.DataFrame, baseline: str) -> pd.DataFrame:
    """Largest change of an exact index from the baseline level, and the error of that change."""
    wide = exact.pivot(index=["metric", "level"], columns="input", values="s1")
    errors = exact.groupby(["metric", "level"])["error_estimate"].max()
    reference = wide.xs(baseline, level="level").reindex(wide.index, level="metric")
    reference_error = errors.xs(baseline, level="level").reindex(errors.index, level="metric")
    return pd.DataFrame(
        {
            "index_shift": (wide - reference).abs().max(axis=1, skipna=False),
            "index_shift_error": errors + reference_error + 2 * EXACT_ERROR,
        }
    )


def _exact_verdicts(shifts: pd.DataFrame) -> NDArray[np.str_]:
    moved = shifts["index_shift"] > shifts["index_shift_error"]
    return np.where(shifts["index_shift"].isna(), UNDECIDED, np.where(moved, DIFFERS, SAME))


def _effects(tests: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """The largest effect of both inputs, and the verdict of both."""
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


def _sentence(
    place: tuple[str, str], row: pd.Series, facts: Mapping[str, Any], alpha: float
) -> str:
    """Who says what, and why where the reason is known."""
    said = {
        answer: [name for column, name in VERDICTS.items() if row[column] == answer]
        for answer in (SAME, DIFFERS, UNDECIDED)
    }
    parts = [
        f"it {_PHRASES[answer]} by {_enumerate(names)}" for answer, names in said.items() if names
    ]
    sentence = "; ".join(parts) + "."
    sentence = sentence[0].upper() + sentence[1:]
    if row["symbolic"] == SAME and row["paper_importance"] == DIFFERS:
        sentence += " " + _false_alarm(place, facts, alpha)
    return sentence


_PHRASES = {SAME: "is the same", DIFFERS: "differs", UNDECIDED: "can't be told"}


def _enumerate(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _false_alarm(place: tuple[str, str], facts: Mapping[str, Any], alpha: float) -> str:
    """Why the paper's test rejects where the formula does not depend on the class sizes."""
    metric = place[0]
    counted = facts["scrambles"][metric]
    error = max(facts["error"][place], facts["baseline_error"][metric])
    # Welch's standard error of two equal "standard deviations" and sizes.
    standard_error = facts["half_width"][place] * np.sqrt(2 / counted["base_points"])
    kink = " its kink at tpr = tnr slows the sampling, and" if get_metric(metric).kinks else ""
    off = (
        "how far the sampled indices are off is not known, since the exact ones are not resolved"
        if np.isnan(error)
        else f"the sampled indices are off by up to {error:.1e},"
        f" {error / standard_error:.1f} times the standard error {standard_error:.1e} that the"
        " test takes"
    )
    return (
        f"A false alarm (p = {facts['p'][place]:.4f}):{kink} {off}. Of {counted['pairs']} pairs of"
        f" scrambles at {counted['level']} {counted['rejections']} reject at {alpha}."
    )


def summarize_verdicts(
    table: pd.DataFrame,
    widths: pd.DataFrame,
    choices: pd.DataFrame,
    *,
    replicates: int,
    log2_samples: int,
    smallest_difference: float,
) -> str:
    """The verdicts as Markdown: counts, disagreements, half-widths, and what choices change.

    Parameters
    ----------
    table, widths
        The results of :func:`verdicts` and :func:`half_widths`.
    choices
        The result of :func:`skewproof.studies.van_zyl.robustness.choices`.
    replicates, log2_samples, smallest_difference
        What the replicated samples were made with.
    """
    counts = pd.DataFrame({name: table[name].value_counts() for name in VERDICTS}).fillna(0)
    counts = counts.reindex([SAME, DIFFERS, UNDECIDED], fill_value=0).astype(int)
    others = table[~table["agree"]]
    sections = [
        "# Does the metric mean the same? Four verdicts",
        "The paper's verdict comes twice, from its test of importance scores and from its contours."
        " The formula is a proof or a counterexample (Condition 1 of Mullick et al. for two"
        " classes), the exact indices are compared beyond their error, and the replicated samples"
        f" are {replicates} independent scrambles of 2^{log2_samples} base points a level: Welch's"
        " tests adjusted by Holm's method, and a test of equivalence up to a difference of"
        f" {smallest_difference}. verdicts.csv has every effect with its interval.",
        counts.rename(columns=VERDICTS).to_markdown(),
        f"The verdicts agree in {table['agree'].sum()} of {len(table)} cases.",
        "## Where they differ",
        "\n".join(f"- `{row.metric}` at {row.level}: {row.sentence}" for row in others.itertuples())
        or "Nowhere.",
        "## Claimed and true errors of the sampled indices",
        "The half-width is that of independent sampling points; scrambled Sobol' points do far"
        " better. Over all metrics, levels and inputs its median is"
        f" {widths['s1_conf'].median():.1e}, that of the true error"
        f" {widths['error'].median():.1e} (largest {widths['error'].max():.1e}).",
        _half_width_table(widths).to_markdown(index=False, floatfmt=".1e"),
        "## Does the contour deviation depend on a choice?",
        _choice_table(choices).to_markdown(index=False, floatfmt=".2g"),
        "Each choice is compared with the integral that Sigma over the number of points tends to;"
        " robustness.csv has every number.",
    ]
    return "\n\n".join(sections) + "\n"


def _half_width_table(widths: pd.DataFrame) -> pd.DataFrame:
    by_metric = widths.groupby("metric", sort=False)
    columns = {
        "median half-width": by_metric["s1_conf"].median(),
        "median error": by_metric["error"].median(),
        "largest half-width": by_metric["s1_conf"].max(),
        "largest error": by_metric["error"].max(),
    }
    return pd.DataFrame(columns).reset_index()


def _choice_table(choices: pd.DataFrame) -> pd.DataFrame:
    """For each choice, how many types change and which metric moves most."""
    keys = ["metric", "level"]
    integral = choices[choices["choice"] == INTEGRAL].set_index(keys)
    rows = []
    on_grid = choices[choices["choice"] != INTEGRAL]
    for (choice, value), part in on_grid.groupby(["choice", "value"], sort=False):
        part = part.set_index(keys)
        moved = (part["mean_shift"] - integral["mean_shift"]).abs()
        changed = (part["type"] != integral["type"]).groupby("metric").any().sum()
        rows.append((choice, value, changed, moved.max(), " at ".join(moved.idxmax())))
    columns = ["choice", "value", "types changed", "largest change of the mean shift", "of"]
    return pd.DataFrame(rows, columns=columns)
