"""Report on the effect of imbalance on measures of clusterings and rankings, and on areas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from skewproof.audits.choosing.catalog import load_catalog, resolve
from skewproof.audits.choosing.poisson_lists import RankingModel
from skewproof.audits.choosing.two_clusters import CLUSTER_MEASURES
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.reporting.templates import render
from skewproof_studies.reporting.order import rounded
from skewproof_studies.survey.imbalance_figure import variance_conditions

FAR_IN_STANDARD_ERRORS = 4
"""Number of standard errors between a sampled index and the exact one from which the report names
it."""


FINITE_SIZE = 10
"""Number of instances per cluster in the example of finite clusters."""


def survey_report(
    cluster_indices: pd.DataFrame,
    cluster_shifts: pd.DataFrame,
    ranking_indices: pd.DataFrame,
    ranking_shifts: pd.DataFrame,
    *,
    model: RankingModel,
) -> str:
    """Write the report on clusterings and rankings as Markdown.

    Parameters
    ----------
    cluster_indices, cluster_shifts
        Results of :mod:`skewproof_studies.survey.cluster_imbalance`.
    ranking_indices, ranking_shifts
        Results of :mod:`skewproof_studies.survey.ranking_imbalance`.
    model
        The model of the ranked lists.
    """
    return render(
        "skewproof_studies.survey",
        "report.md.jinja",
        clusters=_cluster_numbers(cluster_indices, cluster_shifts),
        rankings=_ranking_numbers(ranking_indices, ranking_shifts, model),
        macro=_macro_numbers(ranking_shifts["level"].unique()),
        model=model,
        standard_errors=FAR_IN_STANDARD_ERRORS,
    )


def _cluster_numbers(indices: pd.DataFrame, shifts: pd.DataFrame) -> dict[str, Any]:
    """Return the report's numbers on clusterings; tables have one row per measure and one column
    per level."""
    of_smaller = indices[indices["input"] == "smaller"]
    last_level = of_smaller["level"].iloc[-1]
    at_last = of_smaller[of_smaller["level"] == last_level].set_index("measure")["st"]
    in_order = at_last.sort_values(key=rounded, kind="stable")
    catalog = load_catalog()
    return {
        "mean": _by_level(shifts, "mean"),
        "mean_shift": _by_level(shifts, "mean_shift"),
        "total_of_smaller": _by_level(of_smaller, "st"),
        "last_level": last_level,
        "at_last_level": {catalog[key].name: st for key, st in in_order.items()},
        "finite_size": FINITE_SIZE,
        "finite": _finite_and_infinite(),
        "sampled": _sampled_beside_exact(indices),
    }


def _finite_and_infinite() -> list[tuple[str, float, float]]:
    """Return measures of two clusters with one error in each, and of infinite ones with that
    share."""
    true = np.repeat([0, 1], FINITE_SIZE)
    predicted = true.copy()
    predicted[[0, -1]] = predicted[[-1, 0]]
    share = 1 / FINITE_SIZE
    infinite = ConfusionMatrix.from_rates(1 - 2 * share, 2 * share, positives=1, negatives=1)
    catalog = load_catalog()
    return [
        (
            catalog[key].name,
            resolve(catalog[key].function or "")(true, predicted),
            float(measure(infinite)),
        )
        for key, measure in CLUSTER_MEASURES.items()
    ]


def _ranking_numbers(
    indices: pd.DataFrame, shifts: pd.DataFrame, model: RankingModel
) -> dict[str, Any]:
    """Return the report's numbers on rankings; tables have one row per measure and one column per
    level."""
    shares = indices.loc[indices["input"] == "share", "s1"]
    last_level = indices["to_level"].iloc[0]
    relevant = model.items / (1 + Level.parse(last_level).negatives(1))
    return {
        "mean": _by_level(shifts, "mean"),
        "mean_shift": _by_level(shifts, "mean_shift"),
        "random": _by_level(shifts, "random"),
        "perfect": _by_level(shifts, "perfect"),
        "last_level": last_level,
        "without": np.exp(-relevant),
        "conditions": variance_conditions(indices),
        "indices": indices[["measure", "input", "s1", "st"]],
        "least_share": shares.min(),
        "largest_share": shares.max(),
        "sampled": _sampled_beside_exact(indices),
    }


def _macro_numbers(levels: Sequence[str]) -> dict[str, Any]:
    """Return the report's numbers on the macro curve."""
    areas = macro_areas([Level.parse(level) for level in levels])
    curve = areas["macro_curve"]
    return {
        "auc": ", ".join(map(str, AUC_OF_CLASSES)),
        "areas": areas,
        "moved": abs(curve.iloc[-1] - curve.iloc[0]),
    }


def _sampled_beside_exact(indices: pd.DataFrame) -> dict[str, Any]:
    """Count the sampled indices, and list those that are far from the exact ones."""
    far = []
    for kind in ("s1", "st"):
        distances = (indices[f"sampled_{kind}"] - indices[kind]).abs()
        rows = indices[distances > FAR_IN_STANDARD_ERRORS * indices[f"{kind}_standard_error"]]
        labels = rows[[name for name in ("measure", "level", "input") if name in rows]]
        far += [" ".join([*label, kind]) for label in labels.itertuples(index=False)]
    return {"number": 2 * len(indices), "far": far}


def _by_level(table: pd.DataFrame, column: str) -> pd.DataFrame:
    wide = table.pivot(index="measure", columns="level", values=column)
    wide = wide.loc[table["measure"].unique(), table["level"].unique()]
    return wide.map(lambda value: f"{value:.4g}").reset_index()


AUC_OF_CLASSES = (0.75, 0.85, 0.95)
"""AUC of each of three classes against the others; the first class is small."""

REACH, STEP = 9.0, 1e-3
"""Reach and step of the trapezoidal rule over the threshold."""


def binormal_areas(auc: ArrayLike, sizes: ArrayLike) -> tuple[float, float]:
    """Compute the area under the macro curve and the mean area of the classes in a population.

    Parameters
    ----------
    auc
        AUC of each class, (classes,): its scores are normal with the standard deviation 1 and the
        mean that gives this area for its own instances, and standard normal for the others.
    sizes
        Sizes of the classes in any unit, (classes,).
    """
    distance = np.sqrt(2) * ndtri(np.asarray(auc, dtype=np.float64))[:, np.newaxis]
    share = np.asarray(sizes, dtype=np.float64)[:, np.newaxis]
    share = share / share.sum()
    z = np.arange(-REACH, REACH + distance.max(), STEP)
    right, wrong = share * ndtr(distance - z), (1 - share) * ndtr(-z)
    precision = right / (right + wrong)
    density = STEP * np.exp(-((z - distance) ** 2) / 2) / np.sqrt(2 * np.pi)
    macro = precision.mean(axis=0) @ density.mean(axis=0)
    return float(macro), float((precision * density).sum(axis=1).mean())


def macro_areas(levels: Sequence[Level]) -> pd.DataFrame:
    """Compute both areas for three classes, with the first one as rare as a level says.

    The level is the ratio of the first class to each of the others.

    Returns
    -------
    Frame with the columns level, macro_curve (area under it), mean_of_areas.
    """
    rows = []
    for level in levels:
        ratio = level.negatives(1)
        rows.append((str(level), *binormal_areas(AUC_OF_CLASSES, (1, ratio, ratio))))
    return pd.DataFrame(rows, columns=["level", "macro_curve", "mean_of_areas"])
