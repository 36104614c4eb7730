"""Example 1 of Mullick et al.: two ways in which an index is distorted, simulated and exact.

How the paper's data were made is in a supplement that is not at hand. Here the two classes are
normal with means 4 -+ 1.51 and standard deviation 1, which gives the printed FPR/TPR = 0.07 for the
border x = 4, and the classes on the hexagon are normal around its corners, at distance 1 from the
center.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import norm

from skewproof.core.algebra import Value
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.precision_recall import precision
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measures import auroc_ova

CENTER, HALF_DISTANCE = 4.0, 1.51

BORDERS = (4.0, 4.5, 5.0, 5.5, 6.0)
"""Borders of linear classifiers; right of them lies the smaller class, which the last ones miss."""

CORNERS = 6

CLASSES = (3, 4, 5, 6)
"""Numbers of classes, each at a corner of the hexagon."""

SHARES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Shares of instances that classifiers recognize."""

HEXAGON_SPREAD = 0.25
"""Standard deviation of the classes on the hexagon, so that the best classifier errs rarely."""

PRINTED = [
    ("precision", 1, "4", 0.93),
    ("precision", 10, "4", 0.59),
    ("auroc_ova", 3, "0.6", 0.70),
    ("auroc_ova", 6, "0.6", 0.77),
]
"""Index, RRT or number of classes, border or share of hits, and the value of Example 1."""


def precision_of_border(border: Value, ratio: Value) -> Value:
    """Precision of a linear classifier in closed form, at a ratio of representatives (RRT)."""
    tpr, fpr = (norm.sf(border - CENTER - side * HALF_DISTANCE) for side in (1, -1))
    return precision(ConfusionMatrix(tp=tpr, fp=ratio * fpr, fn=1 - tpr, tn=ratio * (1 - fpr)))


def auroc_ova_of_share(share: Value, classes: Value) -> Value:
    """AUROC-OVA where each class is recognized with one probability and errors are even.

    Of each class a share p is recognized, and the rest goes to the C - 1 others alike:
    (1 + p - (1 - p)/(C - 1))/2 from Eq. 13.
    """
    return (1 + share - (1 - share) / (classes - 1)) / 2


def simulated_precision(
    ratios: Sequence[int], *, size: int, seed: int, borders: Sequence[float] = BORDERS
) -> pd.DataFrame:
    """Precision of the same classifiers on test sets of different RRT (Figure 2c).

    All test sets share the larger class, so that the values of one classifier miss the exact ones
    alike.

    Parameters
    ----------
    ratios
        How many times larger the class on the left is; the other one is subsampled.
    size
        Instances of the class on the left.
    seed
        Seed of all draws.
    borders
        Borders of the classifiers.

    Returns
    -------
    Frame with the columns ratio, border, value, exact.
    """
    random = np.random.default_rng([seed, 0])
    negative = random.normal(CENTER - HALF_DISTANCE, 1, size)
    positive = random.normal(CENTER + HALF_DISTANCE, 1, size)
    rows = []
    for ratio in ratios:
        kept = positive[: size // ratio]
        for border in borders:
            tp, fp = np.count_nonzero(kept > border), np.count_nonzero(negative > border)
            sizes = {"positives": len(kept), "negatives": size}
            value = precision(ConfusionMatrix.from_tp_fp(tp, fp, **sizes))
            rows.append((ratio, border, float(value), float(precision_of_border(border, ratio))))
    return pd.DataFrame(rows, columns=["ratio", "border", "value", "exact"])


def simulated_auroc_ova(*, size: int, seed: int) -> pd.DataFrame:
    """AUROC-OVA of classifiers that recognize the same share of each class (Figure 2f).

    The classifier takes an instance for the class of the nearest corner, which is an ensemble of
    linear classifiers, and guesses as often as it needs to be right with the share asked for.

    Parameters
    ----------
    size
        Instances of each class.
    seed
        Seed of all draws.

    Returns
    -------
    Frame with the columns classes, share (as it came out), value, exact.
    """
    angles = np.arange(CORNERS) * 2 * np.pi / CORNERS
    corners = np.column_stack([np.cos(angles), np.sin(angles)])
    rows = []
    for number in CLASSES:
        random = np.random.default_rng([seed, number])
        places = np.repeat(corners[:number], size, axis=0)
        points = places + random.normal(0, HEXAGON_SPREAD, places.shape)
        true = np.repeat(np.arange(number), size)
        nearest = np.argmax(points @ corners[:number].T, axis=1)
        best = np.mean(nearest == true)
        for share in SHARES:
            guessing = (best - share) / (best - 1 / number)
            guesses = random.integers(0, number, len(true))
            said = np.where(random.random(len(true)) < guessing, guesses, nearest)
            counts = np.zeros((number, number))
            np.add.at(counts, (true, said), 1)
            hit = float(np.mean(said == true))
            value = float(auroc_ova(MulticlassConfusionMatrix(counts)))
            rows.append((number, hit, value, float(auroc_ova_of_share(hit, number))))
    return pd.DataFrame(rows, columns=["classes", "share", "value", "exact"])


def printed_values() -> pd.DataFrame:
    """The numbers of Example 1 beside the closed forms.

    Returns
    -------
    Frame with the columns index, setting, printed, exact, agrees (to the printed decimals).
    """
    rows = []
    for key, number, setting, printed in PRINTED:
        if key == "precision":
            exact, text = float(precision_of_border(float(setting), number)), f"RRT {number}, x = 4"
        else:
            exact = auroc_ova_of_share(float(setting), number)
            text = f"C = {number}, 60 % right"
        rows.append((key, text, printed, exact, bool(round(exact, 2) == printed)))
    return pd.DataFrame(rows, columns=["index", "setting", "printed", "exact", "agrees"])


def summarize_distortions(printed: pd.DataFrame) -> str:
    """Example 1 as Markdown."""
    sections = [
        "# Example 1",
        f"Of {len(printed)} printed values {printed['agrees'].sum()} are those of the closed forms,"
        " to the printed decimals. With equal class sizes AUROC-OVA is AUROC-OVO, which depends on"
        " the mean recall alone (Lemma 2), however errors are spread.",
        printed.to_markdown(index=False),
    ]
    return "\n\n".join(sections) + "\n"
