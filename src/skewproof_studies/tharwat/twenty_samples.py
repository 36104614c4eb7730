"""Tharwat's 20 scored samples (Fig. 6), the results at every threshold (Table 1), and areas."""

from __future__ import annotations

import numpy as np
import pandas as pd

from skewproof.core.confusion import ConfusionMatrix
from skewproof.curves.areas.area import area
from skewproof.curves.thresholds import equal_error_rate, threshold_matrices
from skewproof.metrics import get_metric
from skewproof_studies.reporting.printed import BINARY_ROUNDING, printed_once
from skewproof_studies.reporting.table import Table

TRUE_LABELS = np.array([1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0])
"""True classes of the samples, by falling score."""

SCORES = np.array(
    [82, 80, 75, 70, 62, 60, 54, 50, 49, 45, 40, 39, 37, 32, 30, 26, 23, 21, 19, 10]
) / 100  # fmt: skip
"""Scores of the samples; the thresholds of Table 1 are these and infinity."""

DECIMALS = {"threshold": 2, "TPR": 1, "FPR": 1, "FNR": 1, "PPV": 2}
"""Number of decimals in the columns of Table 1; other columns have none."""


def table_1() -> pd.DataFrame:
    """Compute Table 1: counts, rates and percentages at every threshold, from infinity down.

    Returns
    -------
    Frame with the columns threshold, TP, FN, TN, FP, TPR, FPR, FNR, PPV and accuracy_percent; PPV
    is NaN if nothing is called positive.
    """
    matrix, thresholds = threshold_matrices(TRUE_LABELS, SCORES)
    tp, fp = (np.concatenate([[0], counts]) for counts in (matrix.tp, matrix.fp))
    positives, negatives = int(TRUE_LABELS.sum()), int((1 - TRUE_LABELS).sum())
    scan = ConfusionMatrix.from_tp_fp(tp, fp, positives=positives, negatives=negatives)
    columns = {
        "threshold": np.concatenate([[np.inf], thresholds]),
        "TP": scan.tp,
        "FN": scan.fn,
        "TN": scan.tn,
        "FP": scan.fp,
        "TPR": scan.tpr,
        "FPR": scan.fpr,
        "FNR": scan.fnr,
        "PPV": scan.ppv,
        "accuracy_percent": 100 * get_metric("accuracy")(scan),
    }
    return pd.DataFrame(columns)


def table_of_thresholds() -> Table:
    """Return Table 1 with the article's digits: one or two decimals, whole counts and
    percentages."""
    scan = table_1()
    shown = pd.DataFrame({name: _digits(scan[name], DECIMALS.get(name, 0)) for name in scan})
    display = shown.rename(columns={"threshold": "Threshold", "accuracy_percent": "Acc (in %)"})
    numbered = [f"$t_{{{n}}}$ = {x}" for n, x in enumerate(shown["threshold"], start=1)]
    display["Threshold"] = [text.replace("inf", r"$\infty$") for text in numbered]
    return Table("Counts and rates of the example at every threshold (Table 1).", shown, display)


def _digits(values: pd.Series, decimals: int) -> list[str]:
    return ["" if np.isnan(x) else printed_once(x + BINARY_ROUNDING, decimals) for x in values]


def areas_of_samples() -> dict[str, float]:
    """Compute areas under the curves of Table 1, which the article draws without numbers."""
    data = (TRUE_LABELS, SCORES)
    return {
        "AUC": area("auc", *data),
        "area under the interpolated precision-recall curve": area(
            "interpolated_average_precision", *data
        ),
        "average precision": area("average_precision", *data),
        "equal error rate": equal_error_rate(*data).rate,
    }
