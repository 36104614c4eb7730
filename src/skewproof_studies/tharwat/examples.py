"""Tharwat's numerical examples: Sections 2.7, 2.9, 3, 5 and 7, and Table 1, printed and computed.

Section 4 has a procedure but no numbers. The areas under the curves of Table 1 are in
:mod:`skewproof_studies.tharwat.twenty_samples`.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from skewproof.core.confusion import ConfusionMatrix
from skewproof.curves.precision_recall import interpolated_precision, precision_recall_curve
from skewproof.metrics import get_metric
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof_studies.reporting.possible import possible_scores
from skewproof_studies.reporting.printed import rounds_to
from skewproof_studies.tharwat.twenty_samples import SCORES, TRUE_LABELS, table_1

METRIC_KEYS = {
    "Acc": "accuracy",
    "TPR": "true_positive_rate",
    "TNR": "true_negative_rate",
    "PPV": "precision",
    "NPV": "negative_predictive_value",
    "Err": "error_rate",
    "BCR": "balanced_accuracy",
    "FPR": "false_positive_rate",
    "FNR": "false_negative_rate",
    "F-measure": "f1",
    "LR+": "positive_likelihood_ratio",
    "LR-": "negative_likelihood_ratio",
    "DOR": "diagnostic_odds_ratio",
    "YI": "youden_j",
    "Jaccard": "gilbert_ratio",
    "OP": "optimized_precision",
}
"""Key of each metric of the examples, by the article's name for it."""

IRIS_METRICS = ("Acc", "TPR", "TNR", "PPV", "NPV")
"""The article's names of the metrics that it prints for Iris (Section 7)."""


TESTS = {"first": (0.7, 0.8), "second": (0.9, 0.6)}
"""TPR and TNR of two medical tests with the same Youden index (Section 2.7)."""

TWO_CLASS_MATRICES = {
    "2.9.1 balanced": ConfusionMatrix(tp=70, fp=20, fn=30, tn=80),
    "2.9.1 imbalanced": ConfusionMatrix(tp=70, fp=200, fn=30, tn=800),
}
"""One classifier at two class sizes, by section."""

THREE_CLASSES = ("A", "B", "C")
"""Names of the classes of Section 2.9.2."""

THREE_CLASS_MATRIX = MulticlassConfusionMatrix(np.array([[80, 15, 5], [15, 70, 15], [0, 10, 90]]))
"""Matrix of these classes: Fig. 4 of the article transposed, since true classes are its columns."""

ROC_POINT = {"tpr": 0.5, "fpr": 0.2}
"""Point of a ROC curve that Section 3 uses at two class sizes."""

FIRST_IRIS_CLASS = ConfusionMatrix(tp=100, fp=1, fn=0, tn=49)
"""Matrix that gives the printed results of the first class in Section 7."""


Numbers = dict[tuple[str, str], float]
"""Numbers by section and item."""


def computed_examples() -> Numbers:
    """Compute every number of the examples, by section and item."""
    by_section = {
        "2.7": {f"YI of the {which} test": tpr + tnr - 1 for which, (tpr, tnr) in TESTS.items()},
        **{
            section: {name: _value(name, matrix) for name in METRIC_KEYS}
            for section, matrix in TWO_CLASS_MATRICES.items()
        },
        "2.9.2": _three_classes(),
        "3": _two_class_sizes() | _roc(),
        "5": _precision_recall(),
        "7": {
            f"{name} of the first class in %": 100 * _value(name, FIRST_IRIS_CLASS)
            for name in IRIS_METRICS
        },
    }
    return {
        (section, name): float(value)
        for section, numbers in by_section.items()
        for name, value in numbers.items()
    }


def _value(name: str, matrix: ConfusionMatrix) -> float:
    return float(get_metric(METRIC_KEYS[name])(matrix))


def _three_classes() -> dict[str, float]:
    each = THREE_CLASS_MATRIX.one_vs_all
    columns = {
        "TP": each.tp,
        "FN": each.fn,
        "FP": each.fp,
        "TN": each.tn,
        "TPR": each.tpr,
        "TNR": each.tnr,
    }
    numbers = {"Acc": float(THREE_CLASS_MATRIX.hits.sum() / THREE_CLASS_MATRIX.total)}
    for index, name in enumerate(THREE_CLASSES):
        numbers |= {f"{column} of {name}": values[index] for column, values in columns.items()}
    return numbers


def _two_class_sizes() -> dict[str, float]:
    """Return the numbers of one point of the ROC curve with 1000 and with 10 000 negatives."""
    numbers: dict[str, float] = {}
    for negatives in (1000, 10_000):
        matrix = ConfusionMatrix.from_rates(**ROC_POINT, positives=1000, negatives=negatives)
        sizes = f"1000:{negatives}"
        numbers |= {
            f"true positives at {sizes}": float(matrix.tp),
            f"true negatives at {sizes}": float(matrix.tn),
            f"negatives at {sizes}": float(matrix.negatives),
            f"accuracy in % at {sizes}": 100 * _value("Acc", matrix),
            f"precision at {sizes}": _value("PPV", matrix),
        }
    return numbers


def _roc() -> dict[str, float]:
    scan = table_1()
    eleventh, best = scan.iloc[10], scan.loc[scan["accuracy_percent"].idxmax()]
    return {f"{cell} at t11": eleventh[cell] for cell in ("TP", "TN", "FP", "FN")} | {
        "highest accuracy in %": best["accuracy_percent"],
        "threshold of the highest accuracy": best["threshold"],
        "FPR at the highest accuracy": best["FPR"],
        "TPR at the highest accuracy": best["TPR"],
    }


def _precision_recall() -> dict[str, float]:
    recall, precision, _ = precision_recall_curve(TRUE_LABELS, SCORES)
    a, b = 4, 5  # places of the points A and B on the curve
    between = (recall[a] + recall[b]) / 2
    return {
        "recall of point A": recall[a],
        "precision of point A": precision[a],
        "recall of point B": recall[b],
        "precision of point B": precision[b],
        "recall between A and B": between,
        "interpolated precision": float(interpolated_precision(TRUE_LABELS, SCORES, between)),
        "linearly interpolated precision": (precision[a] + precision[b]) / 2,
        "precision of the first point": precision[0],
        "precision of the end point": precision[-1],
    }


def compare_with_printed(
    printed: pd.DataFrame, table: pd.DataFrame, remarks: pd.DataFrame
) -> pd.DataFrame:
    """Compare every printed number with the computed one.

    Parameters
    ----------
    printed
        Columns section, item and printed (the digits as text).
    table
        Table 1 of the article, with all digits as text; missing for a dash.
    remarks
        Columns section, item and remark (the reason for a disagreement).

    Returns
    -------
    Frame with the columns section, item, printed, computed, agrees (whether rounding gives the
    printed digits) and remark.
    """
    numbers = computed_examples()
    computed = [numbers[row.section, row.item] for row in printed.itertuples()]
    examples = printed.assign(computed=computed)
    result = pd.concat([examples, _cells_of_table_1(table)], ignore_index=True)
    result["agrees"] = [rounds_to(row.computed, row.printed) for row in result.itertuples()]
    return result.merge(remarks, how="left", on=["section", "item"])


def possible_examples(printed: pd.DataFrame) -> pd.DataFrame:
    """Count the matrices that have all printed scores of an example.

    Parameters
    ----------
    printed
        Columns section, item and printed (the digits as text).

    Returns
    -------
    Result of :func:`skewproof_studies.reporting.possible.possible_scores`.
    """
    matrices = TWO_CLASS_MATRICES | {"7": FIRST_IRIS_CLASS}
    rows = []
    for section, matrix in matrices.items():
        items = printed[printed["section"] == section]
        scores = {
            METRIC_KEYS[item.split()[0]]: f"{digits} %" if item.endswith("%") else digits
            for item, digits in zip(items["item"], items["printed"], strict=True)
        }
        rows.append((section, scores, (int(matrix.positives), int(matrix.negatives))))
    digits = printed[printed["section"] == "3"].set_index("item")["printed"]
    for negatives in (1000, 10_000):
        ratio = f"1000:{negatives}"
        scores = {
            "accuracy": f"{digits[f'accuracy in % at {ratio}']} %",
            "precision": digits[f"precision at {ratio}"],
        }
        rows.append((f"3, {ratio}", scores, (1000, negatives)))
    return possible_scores(rows)


def _cells_of_table_1(table: pd.DataFrame) -> pd.DataFrame:
    scan = table_1().set_index("threshold")
    cells = table.melt("threshold", var_name="column", value_name="printed").dropna()
    return pd.DataFrame(
        {
            "section": "Table 1",
            "item": cells["column"] + " at " + cells["threshold"],
            "printed": cells["printed"],
            "computed": [
                scan.loc[float(cell.threshold), cell.column] for cell in cells.itertuples()
            ],
        }
    )
