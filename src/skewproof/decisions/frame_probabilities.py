"""Probabilities in frames, wherever their data are: only counts at cut-offs are fetched."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_several
from skewproof.core.data.frames import check_column, fetched, lazy_frame, reached, unless_nan
from skewproof.core.extras import narwhals as nw
from skewproof.core.messages import shown
from skewproof.curves.bins import check_both

TRUE, BIN, NUMBER = "true", "bin", "number"

Counts = tuple[NDArray[np.intp], Array]
"""Numbers of cut-offs that instances reach, and how many instances reach so many."""


class FrameProbabilities(NamedTuple):
    """Label and probabilities of the rows of a frame that have all of them."""

    rows: nw.LazyFrame[Any]
    """Rows with the columns "true", "p0", "p1" and so on."""
    models: tuple[str, ...]
    """Columns of the models in the frame."""
    pos_label: Any

    @classmethod
    def of(cls, frame: Any, y_true: Any, y_prob: Any, pos_label: Any) -> FrameProbabilities:
        """Check the names of columns, and select them.

        Raises
        ------
        TypeError, KeyError, MissingExtraError
            As :func:`skewproof.count_slices`.
        ValueError
            If a name is not one, or columns are not different ones of numbers.
        """
        several = "one or several columns"
        models = [y_prob] if isinstance(y_prob, str) else expect_several("y_prob", y_prob, several)
        single = all(isinstance(model, Hashable) for model in models)
        different = single and len(set(models)) == len(models) > 0
        expect(different, "y_prob", y_prob, "one or several different columns")
        columns = lazy_frame(frame)
        schema = columns.collect_schema()
        check_column(schema, "y_true", y_true)
        selected = [nw.col(y_true).alias(TRUE)]
        for number, model in enumerate(models):
            check_column(schema, "y_prob", model)
            probability = unless_nan(nw.col(model).cast(nw.Float64))
            selected.append(probability.alias(_name(number)))
        names = [TRUE, *map(_name, range(len(models)))]
        known = (~nw.col(name).is_null() for name in names)
        return cls(columns.select(*selected).filter(*known), tuple(models), pos_label)

    def sizes(self) -> tuple[int, int]:
        """Count positives and negatives.

        Raises
        ------
        ValueError
            If labels are refused or of one class, or a probability is outside [0, 1].
        """
        ends = [
            end
            for name in map(_name, range(len(self.models)))
            for end in (
                nw.col(name).min().alias(f"{name}_low"),
                nw.col(name).max().alias(f"{name}_high"),
            )
        ]
        classes = fetched(self.rows.group_by(TRUE).agg(nw.len().alias(NUMBER), *ends))
        check_both(classes[TRUE].to_numpy(dtype=object), self.pos_label)
        for number, model in enumerate(self.models):
            low, high = (classes[f"{_name(number)}_{end}"] for end in ("low", "high"))
            outside = float(low.min() if low.min() < 0 else high.max())
            expect(
                0 <= outside <= 1, f"y_prob[{shown(model)}]", outside, "probabilities from 0 to 1"
            )
        positives, negatives = self._by_class(classes)
        return int(positives[NUMBER].sum()), int(negatives[NUMBER].sum())

    def counts(self, edges: Array) -> dict[str, tuple[Counts, Counts]]:
        """Count, for each model, the positives and the negatives between rising cut-offs."""
        counts = {}
        for number, model in enumerate(self.models):
            binned = self.rows.select(TRUE, reached(_name(number), edges.tolist()).alias(BIN))
            bins = fetched(binned.group_by(TRUE, BIN).agg(nw.len().alias(NUMBER)))
            positives, negatives = (
                (rows[BIN].to_numpy(dtype=np.intp), rows[NUMBER].to_numpy(dtype=np.float64))
                for rows in self._by_class(bins)
            )
            counts[model] = positives, negatives
        return counts

    def _by_class(self, rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
        positive = rows[TRUE].astype(object).isin([self.pos_label])
        return rows[positive], rows[~positive]


def _name(number: int) -> str:
    return f"p{number}"
