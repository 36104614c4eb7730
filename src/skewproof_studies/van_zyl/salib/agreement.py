"""Comparison of SALib's own numbers with the package's."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from skewproof.core.levels import Level

DECLARED_TOLERANCE = 1e-12
"""Largest difference from SALib for a declared metric: both sum up to 2^18 values of size 1, in a
different order."""

OWN_TOLERANCE = 1e-8
"""Largest difference from SALib for a study's own metric, whose formula may cancel digits."""

SALIB_LOG2_SAMPLES = 20
"""Base-2 logarithm of the largest number of base points for which SALib may compute all
half-widths: with 100 resamples, it needs more than 10 GB there."""

MOST_DRAWS = 2**24
"""Largest number of draws, base points times resamples, for which SALib's half-width of one metric
is compared: SALib holds several arrays of so many numbers."""

AGREEMENT_COLUMNS = ["metric", "level", "input", "quantity", "ours", "salib", "difference"]


class DisagreementError(ValueError):
    """Numbers of the study that differ from SALib's."""


def are_compared(log2_samples: int, resamples: int) -> bool:
    """Return whether SALib computes the half-widths of one metric per level for comparison.

    Examples
    --------
    >>> are_compared(16, 100), are_compared(20, 100)
    (True, False)
    """
    return 2**log2_samples * resamples <= MOST_DRAWS


def drawn_metric(keys: Sequence[str], level: Level, seed: int) -> str:
    """Return the metric whose half-widths are compared at a level.

    Parameters
    ----------
    keys
        The metrics to draw from.
    level, seed
        The level, and the seed of the study.
    """
    draw = np.random.default_rng([seed, level.positive_part, level.negative_part])
    return keys[int(draw.integers(len(keys)))]


def salib_agreement(indices: pd.DataFrame) -> pd.DataFrame:
    """Compare SALib's numbers with the package's.

    Parameters
    ----------
    indices
        Results of :func:`skewproof_studies.van_zyl.salib.indices.level_indices`.

    Returns
    -------
    Frame with the columns AGREEMENT_COLUMNS: the index of every metric, level and input, then the
    half-widths that SALib computed. The difference is ours minus SALib's.
    """
    by = ["metric", "level", "input"]
    s1 = indices[by].assign(quantity="s1", ours=indices["s1_skewproof"], salib=indices["s1"])
    s1_conf = indices[by].assign(
        quantity="s1_conf", ours=indices["s1_conf_skewproof"], salib=indices["s1_conf_salib"]
    )
    both = pd.concat([s1, s1_conf[s1_conf["salib"].notna()]], ignore_index=True)
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
