"""Rows of a table with the exact and the sampled indices of a measure."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from skewproof.sensitivity.quadrature.exact import ExactIndices
from skewproof.sensitivity.sampling.replicates import ReplicatedIndices


def index_rows(
    labels: dict[str, str],
    inputs: Sequence[str],
    exact: ExactIndices,
    sampled: ReplicatedIndices,
    index: int = 0,
) -> pd.DataFrame:
    """Return exact and sampled indices of a measure, one row per input.

    Parameters
    ----------
    labels
        Columns that identify the indices.
    inputs
        Names of the two inputs.
    exact, sampled, index
        Exact and sampled indices of several measures, and the position of the measure among them.

    Returns
    -------
    Frame with the labels and the columns input, s1, st, error_estimate, sampled_s1,
    s1_standard_error, sampled_st, st_standard_error.
    """
    columns = {
        "input": inputs,
        "s1": exact.s1[index],
        "st": exact.st[index],
        "error_estimate": exact.index_error[index],
        "sampled_s1": sampled.s1.mean[index],
        "s1_standard_error": sampled.s1.standard_error[index],
        "sampled_st": sampled.st.mean[index],
        "st_standard_error": sampled.st.standard_error[index],
    }
    return pd.DataFrame(labels | columns)
