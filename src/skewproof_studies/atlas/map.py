"""Map of measures: rank correlations over random classifiers, clustered and drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, leaves_list, linkage
from scipy.spatial.distance import squareform

from skewproof.core.algebra import Array
from skewproof.core.metric import Metric
from skewproof.reporting.style import COLORS
from skewproof_studies.atlas.values import ROUNDED, SampledRates
from skewproof_studies.reporting.figures import note_figure, styled_figure

CLUSTERS = 24
"""Number of clusters of the map."""

SMALLEST_NAMED = 0.03
"""Smallest share of the measures for which a cluster is named next to the map; the table names
all."""

NOTHING_ORDERED = "No measure of the list orders any classifiers at every level."

NO_CLASS_ORDERED = "No first measure of a class orders any classifiers at every level."

MOST_REPRESENTATIVES = 60
"""Largest number of classes whose first measures have a row; the largest classes are shown."""


def rank_correlations(registry: Mapping[str, Metric], rates: SampledRates) -> pd.DataFrame:
    """Compute Kendall's tau-b of all pairs of measures over random classifiers. Two classifiers
    count as tied if a measure is undefined for either, and the better one ranks higher. Measures
    that tie all classifiers are left out."""
    rows = {key: _pair_signs(metric, rates) for key, metric in registry.items()}
    kept = {key: row for key, row in rows.items() if row.any()}
    pairs = len(rates.numerators) * (len(rates.numerators) - 1) // 2
    signs = np.array(list(kept.values()), dtype=np.float32).reshape(len(kept), pairs)
    agreeing = np.asarray(signs @ signs.T, dtype=np.float64)
    size = np.sqrt(np.diag(agreeing))
    return pd.DataFrame(agreeing / np.outer(size, size), list(kept), list(kept))


def _pair_signs(metric: Metric, rates: SampledRates) -> NDArray[np.int8]:
    values = rates.values(metric)
    if np.isnan(values).all():
        return np.zeros(len(values) * (len(values) - 1) // 2, dtype=np.int8)
    first, second = np.triu_indices(len(values), k=1)
    difference = np.nan_to_num(values[first] - values[second])
    clear = np.abs(difference) > ROUNDED * np.nanmax(np.abs(values))
    sign = -1 if metric.lower_is_better else 1
    return (sign * np.sign(difference) * clear).astype(np.int8)


def clustered(tau: Array, number: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return an order of rows in which similar measures are neighbors, and the cluster of each row,
    numbered from 0 in this order. Measures with opposite orders are far apart."""
    if len(tau) < 2:
        return np.arange(len(tau)), np.zeros(len(tau), dtype=np.intp)
    distances = squareform(np.clip(1 - tau, 0, 2), checks=False)
    tree = linkage(distances, method="complete")
    order = leaves_list(tree)
    labels = fcluster(tree, number, criterion="maxclust")
    renamed = {label: rank for rank, label in enumerate(dict.fromkeys(labels[order]))}
    return order, np.array([renamed[label] for label in labels])


def map_figure(correlations: Mapping[str, pd.DataFrame]) -> tuple[Figure, pd.DataFrame]:
    """Draw rank correlations of all measures at every level, clustered by the first level.

    Parameters
    ----------
    correlations
        Correlations by level. If no measure orders any classifiers at every level, the figure says
        so, and the table has no rows.

    Returns
    -------
    The figure, and the table of its clusters with the columns measure, cluster (its number from the
    top), representative (of the cluster), and one column per level: tau with the representative.
    """
    first = next(iter(correlations.values()))
    common = _in_all(correlations, list(first))
    columns = ["measure", "cluster", "representative", *map(_tau_column, correlations)]
    if not common:
        return note_figure(NOTHING_ORDERED), pd.DataFrame(columns=columns)
    taus = {level: tau.loc[common, common].to_numpy() for level, tau in correlations.items()}
    tau = next(iter(taus.values()))
    order, labels = clustered(tau, min(CLUSTERS, len(common)))
    central = _central(tau, labels)
    size = (4.4 * len(correlations) + 2.4, 5.4)
    with styled_figure(size, 1, len(correlations), squeeze=False) as (figure, (panels,)):
        for axes, (level, values) in zip(panels, taus.items(), strict=True):
            image = _heat_map(axes, values[np.ix_(order, order)], f"at {level}")
            _mark_clusters(axes, labels[order])
        names = {label: common[row] for label, row in central.items()}
        _name_clusters(panels[0], labels[order], names)
        figure.colorbar(image, ax=panels, label=r"Kendall's $\tau$", shrink=0.6)
    table = pd.DataFrame(
        {
            "measure": [common[row] for row in order],
            "cluster": labels[order] + 1,
            "representative": [names[labels[row]] for row in order],
        }
    )
    for level, values in taus.items():
        table[_tau_column(level)] = [values[row, central[labels[row]]] for row in order]
    return figure, table


def representatives(classes: pd.DataFrame, column: str) -> list[str]:
    """Return the first measures of the largest classes of orderings, in descending order of
    size."""
    counts = classes[column].value_counts(sort=True)
    return [str(key) for key in counts.index[:MOST_REPRESENTATIVES]]


def representatives_figure(correlations: Mapping[str, pd.DataFrame], keys: Sequence[str]) -> Figure:
    """Draw rank correlations of the first measures of classes, each with its name.

    Parameters
    ----------
    correlations
        Correlations by level; rows are ordered by the first level.
    keys
        The measures. If none of them orders any classifiers, the figure says so.
    """
    kept = _in_all(correlations, keys)
    if not kept:
        return note_figure(NO_CLASS_ORDERED)
    taus = {level: tau.loc[kept, kept].to_numpy() for level, tau in correlations.items()}
    order, _ = clustered(next(iter(taus.values())), len(kept))
    side = 1.5 + 0.115 * len(kept)
    size = (side * len(correlations) + 3.4, side + 0.6)
    with styled_figure(size, 1, len(correlations), squeeze=False) as (figure, (panels,)):
        for axes, (level, values) in zip(panels, taus.items(), strict=True):
            image = _heat_map(axes, values[np.ix_(order, order)], f"at {level}")
        panels[0].set_yticks(range(len(kept)), [kept[row] for row in order], fontsize=6)
        figure.colorbar(image, ax=panels, label=r"Kendall's $\tau$", shrink=0.6)
    return figure


def _in_all(correlations: Mapping[str, pd.DataFrame], keys: Sequence[str]) -> list[str]:
    return [key for key in keys if all(key in tau for tau in correlations.values())]


def _tau_column(level: str) -> str:
    return f"tau_{level.replace(':', '_')}"


def _heat_map(axes: Axes, tau: Array, title: str) -> matplotlib.image.AxesImage:
    image = axes.imshow(tau, cmap=COLORS, vmin=-1, vmax=1, interpolation="nearest")
    axes.set_title(title)
    axes.set_xticks([])
    axes.set_yticks([])
    return image


def _mark_clusters(axes: Axes, ordered: NDArray[np.intp]) -> None:
    for border in np.flatnonzero(np.diff(ordered)) + 0.5:
        axes.axhline(border, color="white", lw=0.6)
        axes.axvline(border, color="white", lw=0.6)


def _name_clusters(axes: Axes, ordered: NDArray[np.intp], names: Mapping[int, str]) -> None:
    """Write the names of clusters that are large enough next to the map, with their sizes."""
    rows = {label: np.flatnonzero(ordered == label) for label in names}
    named = [label for label in names if len(rows[label]) >= SMALLEST_NAMED * len(ordered)]
    axes.set_yticks(
        [float(rows[label].mean()) for label in named],
        [f"{names[label]} ({len(rows[label])})" for label in named],
    )


def _central(tau: Array, labels: NDArray[np.intp]) -> dict[int, int]:
    """Return the most central measure of each cluster."""
    central = {}
    for label in np.unique(labels):
        members = np.flatnonzero(labels == label)
        inside = tau[np.ix_(members, members)].sum(axis=1)
        central[int(label)] = int(members[inside.round(9).argmax()])
    return central
