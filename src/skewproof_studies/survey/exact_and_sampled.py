"""Exact indices of a measure with the sampled ones beside them, as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from skewproof.core.algebra import Array
from skewproof.sensitivity.quadrature.exact import ExactIndices
from skewproof.sensitivity.sampling.replicates import ReplicatedIndices


class ExactMeasure(NamedTuple):
    """Exact indices of one measure, shape (2,), and its mean."""

    s1: Array
    st: Array
    mean: float
    error_estimate: float

    @classmethod
    def of(cls, found: ExactIndices, place: int) -> ExactMeasure:
        """Those of the metric at a place of several."""
        mean, error = float(found.mean[place]), float(found.index_error[place])
        return cls(found.s1[place], found.st[place], mean, error)


def index_rows(
    labels: dict[str, str],
    inputs: Sequence[str],
    exact: ExactMeasure,
    sampled: ReplicatedIndices,
    place: int = 0,
) -> pd.DataFrame:
    """Exact and sampled indices of a measure, a row an input.

    Parameters
    ----------
    labels
        Columns that say whose indices they are.
    inputs
        Names of the two inputs.
    exact
        The exact indices.
    sampled, place
        The sampled indices of several measures, and the measure's place among them.

    Returns
    -------
    Frame with the labels and the columns input, s1, st, error_estimate, sampled_s1,
    s1_standard_error, sampled_st, st_standard_error.
    """
    columns = {
        "input": inputs,
        "s1": exact.s1,
        "st": exact.st,
        "error_estimate": exact.error_estimate,
        "sampled_s1": sampled.s1.mean[place],
        "s1_standard_error": sampled.s1.standard_error[place],
        "sampled_st": sampled.st.mean[place],
        "st_standard_error": sampled.st.standard_error[place],
    }
    return pd.DataFrame(labels | columns)
