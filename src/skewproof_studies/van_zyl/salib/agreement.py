"""Comparison of SALib's own numbers with the package's."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

DECLARED_TOLERANCE = 1e-12
"""Largest difference from SALib for a declared metric: both sum up to 2^18 values of size 1, in a
different order."""

OWN_TOLERANCE = 1e-8
"""Largest difference from SALib for a study's own metric, whose formula may cancel digits."""

AGREEMENT_COLUMNS = ["metric", "level", "input", "quantity", "ours", "salib", "difference"]


class DisagreementError(ValueError):
    """Numbers of the study that differ from SALib's."""


def salib_agreement(indices: pd.DataFrame) -> pd.DataFrame:
    """Compare SALib's numbers with the package's.

    Parameters
    ----------
    indices
        Results of :func:`skewproof_studies.van_zyl.salib.indices.level_indices`, as a frame.

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


def refuse_disagreement(agreement: pd.DataFrame, own_metrics: Collection[str]) -> None:
    """Raise an error if numbers differ from SALib's.

    Parameters
    ----------
    agreement
        Result of :func:`salib_agreement`.
    own_metrics
        Keys of the study's own metrics; the others are declared ones.

    Raises
    ------
    DisagreementError
        If a difference exceeds the tolerance. The message names the largest one, with both numbers.
    """
    is_own = agreement["metric"].isin(own_metrics)
    tolerance = is_own.map({True: OWN_TOLERANCE, False: DECLARED_TOLERANCE})
    # A number that is missing on either side counts as a disagreement.
    share = (agreement["difference"].abs() / tolerance).fillna(np.inf)
    if (share > 1).any():
        worst = agreement.loc[share.idxmax()]
        raise DisagreementError(
            f"{worst['quantity']}({worst['input']}) of {worst['metric']} at {worst['level']} is"
            f" {worst['ours']}, and {worst['salib']} by SALib: expected a difference of at most"
            f" {tolerance[share.idxmax()]:g}"
        )
