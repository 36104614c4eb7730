"""Comparison of SALib's own numbers for a few metrics with those in the study's tables."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from skewproof.core.levels import Level
from skewproof.sensitivity.sampling.resampling import SALIB_DRAWS

DECLARED_TOLERANCE = 1e-12
"""Largest difference from SALib for a declared metric: both sum up to 2^18 values of size 1, in a
different order."""

OWN_TOLERANCE = 1e-8
"""Largest difference from SALib for a study's own metric, whose formula may cancel digits."""

SALIB_LOG2_SAMPLES = 20
"""Base-2 logarithm of the largest number of base points for which SALib is run."""

QUANTITIES = ("s1", "s1_conf")
"""Compared quantities of each input: the first-order index and its half-width."""

AGREEMENT_COLUMNS = ["metric", "level", "input", "quantity", "ours", "salib", "difference"]


class DisagreementError(ValueError):
    """Numbers of the study that differ from SALib's."""


def is_recomputed(log2_samples: int, resamples: int) -> bool:
    """Return whether SALib recomputes numbers of a study. It does not if it would need many
    gigabytes, or if the study's resamples are not its own.

    Examples
    --------
    >>> is_recomputed(16, 100), is_recomputed(24, 100)
    (True, False)
    """
    return log2_samples <= SALIB_LOG2_SAMPLES and 2**log2_samples * resamples <= SALIB_DRAWS


def chosen_metric(keys: Sequence[str], level: Level, seed: int) -> str:
    """Return the metric that SALib recomputes at a level, drawn by the seed and the level only.

    Parameters
    ----------
    keys
        The metrics to draw from.
    level, seed
        The level, and the seed of the study.
    """
    draw = np.random.default_rng([seed, level.positive_part, level.negative_part])
    return keys[int(draw.integers(len(keys)))]


def salib_agreement(salib: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """Compare SALib's numbers with the study's.

    Parameters
    ----------
    salib
        SALib's numbers with the columns metric, level, input, s1, s1_conf, one row per input.
    scores
        The study's numbers with the same columns, for these metrics and others.

    Returns
    -------
    Frame with the columns AGREEMENT_COLUMNS, one row per quantity; difference is ours minus
    SALib's.
    """
    places = ["metric", "level", "input"]
    ours, theirs = (
        table.melt(places, list(QUANTITIES), var_name="quantity", value_name=name)
        for table, name in ((scores, "ours"), (salib, "salib"))
    )
    both = theirs.merge(ours, how="left", on=[*places, "quantity"], validate="1:1")
    return both.assign(difference=both["ours"] - both["salib"])[AGREEMENT_COLUMNS]


def refuse_disagreement(agreement: pd.DataFrame, own: Collection[str]) -> None:
    """Raise an error if numbers differ from SALib's.

    Parameters
    ----------
    agreement
        Result of :func:`salib_agreement`.
    own
        Keys of the study's own metrics; the others are declared ones.

    Raises
    ------
    DisagreementError
        If a difference exceeds the tolerance. The message names the largest one, with both numbers.
    """
    tolerance = agreement["metric"].isin(own).map({True: OWN_TOLERANCE, False: DECLARED_TOLERANCE})
    # A number that is missing on either side counts as a disagreement.
    share = (agreement["difference"].abs() / tolerance).fillna(np.inf)
    if (share > 1).any():
        worst = agreement.loc[share.idxmax()]
        raise DisagreementError(
            f"{worst['quantity']}({worst['input']}) of {worst['metric']} at {worst['level']} is"
            f" {worst['ours']}, and {worst['salib']} by SALib: expected a difference of at most"
            f" {tolerance[share.idxmax()]:g}"
        )
