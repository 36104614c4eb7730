"""What imbalance does to measures of clusterings and rankings: a report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from skewproof.reporting.templates import render
from skewproof.studies.survey.catalog import load_catalog
from skewproof.studies.survey.poisson_lists import RankingModel

FAR_IN_STANDARD_ERRORS = 4
"""Distance of a sampled index from the exact one beyond which it is named."""


class SampledBesideExact(NamedTuple):
    """How sampled indices compare with the exact ones."""

    number: int
    far: list[str]
    """Which are farther away than FAR_IN_STANDARD_ERRORS."""


class ClusterNumbers(NamedTuple):
    """What the report says of clusterings; tables have a row a measure, a column a level."""

    mean: pd.DataFrame
    mean_shift: pd.DataFrame
    total_of_smaller: pd.DataFrame
    """Total index of the errors in the smaller cluster."""

    last_level: str
    at_last_level: Mapping[str, float]
    """That index by the measure's name, rising."""

    sampled: SampledBesideExact


class RankingNumbers(NamedTuple):
    """What the report says of rankings; tables have a row a measure, a column a level."""

    mean: pd.DataFrame
    mean_shift: pd.DataFrame
    random: pd.DataFrame
    indices: pd.DataFrame
    """Columns measure, input, s1, st."""

    least_share: float
    largest_share: float
    """Of the variance, which the share of relevant items explains alone."""

    sampled: SampledBesideExact


def survey_report(
    cluster_indices: pd.DataFrame,
    cluster_shifts: pd.DataFrame,
    ranking_indices: pd.DataFrame,
    ranking_shifts: pd.DataFrame,
    *,
    model: RankingModel,
) -> str:
    """Both studies as Markdown.

    Parameters
    ----------
    cluster_indices, cluster_shifts
        The results of :mod:`skewproof.studies.survey.cluster_imbalance`.
    ranking_indices, ranking_shifts
        The results of :mod:`skewproof.studies.survey.ranking_imbalance`.
    model
        The lists that the latter are of.
    """
    return render(
        "skewproof.studies.survey",
        "report.md.jinja",
        clusters=_cluster_numbers(cluster_indices, cluster_shifts),
        rankings=_ranking_numbers(ranking_indices, ranking_shifts),
        model=model,
        standard_errors=FAR_IN_STANDARD_ERRORS,
    )


def _cluster_numbers(indices: pd.DataFrame, shifts: pd.DataFrame) -> ClusterNumbers:
    of_smaller = indices[indices["input"] == "smaller"]
    last_level = of_smaller["level"].iloc[-1]
    at_last = of_smaller[of_smaller["level"] == last_level].set_index("measure")["st"]
    catalog = load_catalog()
    return ClusterNumbers(
        mean=_by_level(shifts, "mean"),
        mean_shift=_by_level(shifts, "mean_shift"),
        total_of_smaller=_by_level(of_smaller, "st"),
        last_level=last_level,
        at_last_level={catalog[key].name: st for key, st in at_last.sort_values().items()},
        sampled=_sampled_beside_exact(indices),
    )


def _ranking_numbers(indices: pd.DataFrame, shifts: pd.DataFrame) -> RankingNumbers:
    shares = indices.loc[indices["input"] == "share", "s1"]
    return RankingNumbers(
        mean=_by_level(shifts, "mean"),
        mean_shift=_by_level(shifts, "mean_shift"),
        random=_by_level(shifts, "random"),
        indices=indices[["measure", "input", "s1", "st"]],
        least_share=shares.min(),
        largest_share=shares.max(),
        sampled=_sampled_beside_exact(indices),
    )


def _sampled_beside_exact(indices: pd.DataFrame) -> SampledBesideExact:
    far = []
    for kind in ("s1", "st"):
        distances = (indices[f"sampled_{kind}"] - indices[kind]).abs()
        rows = indices[distances > FAR_IN_STANDARD_ERRORS * indices[f"{kind}_standard_error"]]
        labels = rows[[name for name in ("measure", "level", "input") if name in rows]]
        far += [" ".join([*label, kind]) for label in labels.itertuples(index=False)]
    return SampledBesideExact(2 * len(indices), far)


def _by_level(table: pd.DataFrame, column: str) -> pd.DataFrame:
    wide = table.pivot(index="measure", columns="level", values=column)
    wide = wide.loc[table["measure"].unique(), table["level"].unique()]
    return wide.map(lambda value: f"{value:.4g}").reset_index()
