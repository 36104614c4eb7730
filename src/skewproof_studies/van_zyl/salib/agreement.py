"""SALib's own numbers of a few metrics beside those that the study's tables have."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from skewproof.core.levels import Level
from skewproof.sensitivity.sampling.resampling import SALIB_DRAWS

DECLARED_TOLERANCE = 1e-12
"""Largest difference from SALib for a declared metric: both sum up to 2^18 values of size 1, in
another order."""

OWN_TOLERANCE = 1e-8
"""The same for a study's own metric, whose formula may cancel digits."""

SALIB_LOG2_SAMPLES = 20
"""Base-2 logarithm of the number of base points up to which SALib can be asked for."""

QUANTITIES = ("s1", "s1_conf")
"""What is compared of each input: the first-order index, and its half-width."""

AGREEMENT_COLUMNS = ["metric", "level", "input", "quantity", "ours", "salib", "difference"]


class DisagreementError(ValueError):
    """The study's numbers are not SALib's."""


def is_recomputed(log2_samples: int, resamples: int) -> bool:
    """Whether SALib recomputes numbers of a study: not where it would need many gigabytes, nor
    where the study's resamples are not its own.

    Examples
    --------
    >>> is_recomputed(16, 100), is_recomputed(24, 100)
    (True, False)
    """
    return log2_samples <= SALIB_LOG2_SAMPLES and 2**log2_samples * resamples <= SALIB_DRAWS


def chosen_metric(keys: Sequence[str], level: Level, seed: int) -> str:
    """The metric that SALib recomputes at a level: drawn by the seed and the level alone.

    Parameters
    ----------
    keys
        The metrics to draw from.
    level, seed
        The level, and the study's seed.
    """
    draw = np.random.default_rng([seed, level.positive_part, level.negative_part])
    return keys[int(draw.integers(len(keys)))]


def salib_agreement(salib: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """SALib's numbers beside the study's.

    Parameters
    ----------
    salib
        SALib's: columns metric, level, input, s1, s1_conf, a row an input.
    scores
        The study's: the same columns, of these metrics and others.

    Returns
    -------
    Frame with the columns AGREEMENT_COLUMNS, a row a quantity; difference is ours less SALib's.
    """
    places = ["metric", "level", "input"]
    ours, theirs = (
        table.melt(places, list(QUANTITIES), var_name="quantity", value_name=name)
        for table, name in ((scores, "ours"), (salib, "salib"))
    )
    both = theirs.merge(ours, how="left", on=[*places, "quantity"], validate="1:1")
    return both.assign(difference=both["ours"] - both["salib"])[AGREEMENT_COLUMNS]


def refuse_disagreement(agreement: pd.DataFrame, own: Collection[str]) -> None:
    """Refuse numbers that are not SALib's.

    Parameters
    ----------
    agreement
        The result of :func:`salib_agreement`.
    own
        Keys of the study's own metrics; the others are declared.

    Raises
    ------
    DisagreementError
        If a difference is not at most the tolerance: it names the worst, with both numbers.
    """
    tolerance = agreement["metric"].isin(own).map({True: OWN_TOLERANCE, False: DECLARED_TOLERANCE})
    # What is missing on either side agrees with nothing.
    share = (agreement["difference"].abs() / tolerance).fillna(np.inf)
    if (share > 1).any():
        worst = agreement.loc[share.idxmax()]
        raise DisagreementError(
            f"{worst['quantity']}({worst['input']}) of {worst['metric']} at {worst['level']} is"
            f" {worst['ours']}, by SALib {worst['salib']}: expected a difference of at most"
            f" {tolerance[share.idxmax()]:g}"
        )
