"""Lemmas 2 and 3 of Mullick et al.: their lower bounds of two measures, and the computed ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from skewproof.core.algebra import Array
from skewproof.multiclass.bounds import bounds
from skewproof.multiclass.measures import auroc_ova, auroc_ovo


def lemma_2(classes: int) -> float:
    """Return the lower bound of AUROC-OVO (Lemma 2)."""
    return (classes - 2) / (2 * (classes - 1))


def lemma_3(sizes: Sequence[float] | Array) -> float:
    """Return the lower bound of AUROC-OVA at given class sizes (Lemma 3, Eq. 19)."""
    ordered = np.sort(np.asarray(sizes, dtype=np.float64))
    classes, total = len(ordered), ordered.sum()
    return float((classes - 1 - ordered[-1] / (total - ordered[-2])) / (2 * classes))


def lemma_table(classes: Sequence[int], *, seed: int) -> pd.DataFrame:
    """Compare lower bounds of AUROC-OVO and AUROC-OVA by Lemmas 2 and 3 with those by the best
    columns.

    Both measures are linear in the matrix, so that the choice of one column for each row bounds
    them: :func:`skewproof.multiclass.bounds.bounds`.

    Parameters
    ----------
    classes
        Numbers of classes.
    seed
        Seed of the random class sizes.

    Returns
    -------
    Frame with one row for each lemma, number of classes and kind of class sizes (equal or random):
    lemma, classes, sizes, formula, best_columns.
    """
    rows = []
    for number in classes:
        equal = np.ones(number)
        random = np.random.default_rng([seed, number]).integers(1, 1000, number).astype(float)
        random_text = " ".join(f"{size:g}" for size in random)
        for text, sizes in (("equal", equal), (random_text, random)):
            computed_2, computed_3 = (bounds(auroc, sizes).low for auroc in (auroc_ovo, auroc_ova))
            rows.append((2, number, text, lemma_2(number), computed_2))
            rows.append((3, number, text, lemma_3(sizes), computed_3))
    columns = ["lemma", "classes", "sizes", "formula", "best_columns"]
    return pd.DataFrame(rows, columns=columns)
