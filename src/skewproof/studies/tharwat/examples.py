"""Tharwat's numerical examples: Sections 2.7, 2.9, 3, 5 and 7, and Table 1.

A. Tharwat, *Classification assessment methods*, Applied Computing and Informatics 17, 2021. Section
4 has a procedure and no numbers; the area under the curve of Table 1 is given beside.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics import get_metric
from skewproof.practice.score_curves import (
    auc,
    average_precision,
    equal_error_rate,
    interpolated_average_precision,
    interpolated_precision,
    precision_recall_curve,
)
from skewproof.practice.thresholds import threshold_matrices
from skewproof.reporting.table import Table

LABELS = np.array([1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0])
"""True classes of the 20 samples of Fig. 6, by falling score."""

SCORES = np.array(
    [82, 80, 75, 70, 62, 60, 54, 50, 49, 45, 40, 39, 37, 32, 30, 26, 23, 21, 19, 10]
) / 100  # fmt: skip
"""Their scores; the thresholds of Table 1 are these and infinity."""

BINARY = {
    "2.9.1 balanced": ConfusionMatrix(tp=70, fp=20, fn=30, tn=80),
    "2.9.1 imbalanced": ConfusionMatrix(tp=70, fp=200, fn=30, tn=800),
}

NAMES = {
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
}
"""His names of metrics, and the keys here."""

CLASSES = {"A": (80, 15, 5), "B": (15, 70, 15), "C": (0, 10, 90)}
"""How many of each true class were called A, B and C (Section 2.9.2; his Fig. 4, transposed)."""

FIRST_CLASS = ConfusionMatrix(tp=100, fp=1, fn=0, tn=49)
"""The matrix behind the printed results of the first class in Section 7."""

ROUNDING = 1e-9
"""What binary arithmetic adds to a value half way between two decimals."""

Numbers = dict[tuple[str, str], float]


def computed_examples() -> Numbers:
    """Every number of the examples, by section and item."""
    discrete = _binary() | _several_classes() | _two_class_sizes() | _iris()
    return discrete | _roc() | _precision_recall()


def _value(name: str, matrix: ConfusionMatrix) -> float:
    return float(get_metric(NAMES[name])(matrix))


def _binary() -> Numbers:
    found: Numbers = {
        ("2.7", f"YI of the {which} test"): tpr + tnr - 1
        for which, tpr, tnr in (("first", 0.7, 0.8), ("second", 0.9, 0.6))
    }
    for section, matrix in BINARY.items():
        found |= {(section, name): _value(name, matrix) for name in NAMES}
        # He has OP from -1 to 1.
        scaled = float(get_metric("optimized_precision")(matrix))
        found[section, "OP"] = 2 * scaled - 1
    return found


def class_matrices() -> dict[str, ConfusionMatrix]:
    """Each class of Section 2.9.2 against the other two."""
    counts = np.array(list(CLASSES.values()))
    hits = counts.diagonal()
    called, true = counts.sum(axis=0), counts.sum(axis=1)
    return {
        name: ConfusionMatrix(
            tp=hits[place],
            fp=called[place] - hits[place],
            fn=true[place] - hits[place],
            tn=counts.sum() - called[place] - true[place] + hits[place],
        )
        for place, name in enumerate(CLASSES)
    }


def _several_classes() -> Numbers:
    counts = np.array(list(CLASSES.values()))
    found: Numbers = {("2.9.2", "Acc"): float(counts.trace() / counts.sum())}
    for name, matrix in class_matrices().items():
        cells = {"TP": matrix.tp, "FN": matrix.fn, "FP": matrix.fp, "TN": matrix.tn}
        rates = {rate: _value(rate, matrix) for rate in ("TPR", "TNR")}
        found |= {("2.9.2", f"{cell} of {name}"): float(x) for cell, x in (cells | rates).items()}
    return found


def table_1() -> pd.DataFrame:
    """His Table 1: counts, rates and percentages at every threshold, from infinity down.

    Returns
    -------
    Frame with the columns threshold, TP, FN, TN, FP, TPR, FPR, FNR, PPV and accuracy_percent; PPV
    is NaN where nothing is called positive.
    """
    matrix, thresholds = threshold_matrices(LABELS, SCORES)
    tp, fp = (np.concatenate([[0], counts]) for counts in (matrix.tp, matrix.fp))
    positives, negatives = int(LABELS.sum()), int((1 - LABELS).sum())
    scan = ConfusionMatrix.from_tp_fp(tp, fp, positives=positives, negatives=negatives)
    columns = {
        "threshold": np.concatenate([[np.inf], thresholds]),
        **{"TP": scan.tp, "FN": scan.fn, "TN": scan.tn, "FP": scan.fp},
        **{"TPR": scan.tpr, "FPR": scan.fpr, "FNR": scan.fnr, "PPV": scan.ppv},
        "accuracy_percent": 100 * get_metric("accuracy")(scan),
    }
    return pd.DataFrame(columns)


def _roc() -> Numbers:
    scan = table_1()
    eleventh, best = scan.iloc[10], scan.loc[scan["accuracy_percent"].idxmax()]
    found = {("3", f"{cell} at t11"): float(eleventh[cell]) for cell in ("TP", "TN", "FP", "FN")}
    return found | {
        ("3", "highest accuracy in %"): float(best["accuracy_percent"]),
        ("3", "threshold of the highest accuracy"): float(best["threshold"]),
        ("3", "FPR at the highest accuracy"): float(best["FPR"]),
        ("3", "TPR at the highest accuracy"): float(best["TPR"]),
    }


def _two_class_sizes() -> Numbers:
    """One point of the ROC curve, (0.2, 0.5), with 1000 and with 10 000 negatives."""
    found: Numbers = {}
    for negatives in (1000, 10_000):
        sizes = {"positives": 1000, "negatives": negatives}
        matrix = ConfusionMatrix.from_tp_fp(500, 0.2 * negatives, **sizes)
        place = f"1000:{negatives}"
        found |= {
            ("3", f"true positives at {place}"): float(matrix.tp),
            ("3", f"true negatives at {place}"): float(matrix.tn),
            ("3", f"negatives at {place}"): float(matrix.negatives),
            ("3", f"accuracy in % at {place}"): 100 * _value("Acc", matrix),
            ("3", f"precision at {place}"): _value("PPV", matrix),
        }
    return found


def _precision_recall() -> Numbers:
    recall, precision, _ = precision_recall_curve(LABELS, SCORES)
    between = (recall[4] + recall[5]) / 2
    interpolated = float(interpolated_precision(LABELS, SCORES, between))
    return {
        ("5", "recall of point A"): float(recall[4]),
        ("5", "precision of point A"): float(precision[4]),
        ("5", "recall of point B"): float(recall[5]),
        ("5", "precision of point B"): float(precision[5]),
        ("5", "recall between A and B"): float(between),
        ("5", "interpolated precision"): interpolated,
        ("5", "linearly interpolated precision"): float((precision[4] + precision[5]) / 2),
        ("5", "precision of the first point"): float(precision[0]),
        ("5", "precision of the end point"): float(precision[-1]),
    }


def _iris() -> Numbers:
    names = ("Acc", "TPR", "TNR", "PPV", "NPV")
    return {
        ("7", f"{name} of the first class in %"): 100 * _value(name, FIRST_CLASS) for name in names
    }


def example_areas() -> dict[str, float]:
    """Areas under the curves of Table 1, which he draws and does not print."""
    data = (LABELS, SCORES)
    return {
        "AUC": auc(*data),
        "area under the interpolated precision-recall curve": interpolated_average_precision(*data),
        "average precision": average_precision(*data),
        "equal error rate": equal_error_rate(*data).rate,
    }


def compare_examples(
    printed: pd.DataFrame, table: pd.DataFrame, remarks: pd.DataFrame
) -> pd.DataFrame:
    """Every printed number beside the computed one.

    Parameters
    ----------
    printed
        Columns section, item and printed, the digits as text.
    table
        His Table 1, all digits as text; missing where he prints a dash.
    remarks
        Columns section, item and remark: why single numbers disagree.

    Returns
    -------
    Frame with the columns section, item, printed, computed, agrees (whether rounding gives the
    printed digits) and remark.
    """
    scan = table_1()
    cells = table.melt("threshold", var_name="column", value_name="printed").dropna()
    columns = ["section", "item", "printed", "computed"]
    values: Mapping[float, pd.Series] = {row["threshold"]: row for _, row in scan.iterrows()}
    rows = [
        ("Table 1", f"{cell.column} at {cell.threshold}", cell.printed,
         float(values[float(cell.threshold)][cell.column]))
        for cell in cells.itertuples()
    ]  # fmt: skip
    computed = computed_examples()
    examples = [
        (row.section, row.item, row.printed, computed[row.section, row.item])
        for row in printed.itertuples()
    ]
    result = pd.DataFrame(examples + rows, columns=columns)
    result["agrees"] = [
        abs(float(text) - value) <= half_unit(text) + ROUNDING
        for text, value in zip(result["printed"], result["computed"], strict=True)
    ]
    return result.merge(remarks, how="left", on=["section", "item"])


def half_unit(digits: str) -> float:
    """Half a unit of the last of some printed digits."""
    return 0.5 * 10.0 ** -len(digits.partition(".")[2])


def table_of_thresholds() -> Table:
    """His Table 1 with his digits' number: one or two decimals, whole counts and percentages."""
    scan = table_1()
    decimals = dict.fromkeys(("TPR", "FPR", "FNR"), 1) | {"threshold": 2, "PPV": 2}
    shown = pd.DataFrame(
        {
            name: [
                "" if np.isnan(x) else f"{x + ROUNDING:.{decimals.get(name, 0)}f}" for x in column
            ]
            for name, column in scan.items()
        }
    )
    display = shown.rename(columns={"threshold": "Threshold", "accuracy_percent": "Acc (in %)"})
    numbered = [f"$t_{{{n}}}$ = {x}" for n, x in enumerate(shown["threshold"], start=1)]
    display["Threshold"] = [text.replace("inf", r"$\infty$") for text in numbered]
    return Table("Counts and rates of the example at every threshold (Table 1).", shown, display)


def examples_report(comparison: pd.DataFrame, iris: pd.DataFrame) -> str:
    """Printed and computed numbers as Markdown.

    Parameters
    ----------
    comparison
        The result of :func:`compare_examples`.
    iris
        The result of :func:`skewproof.studies.tharwat.iris.iris_results`.
    """
    counts = comparison.groupby("section", sort=False)["agrees"].agg(["size", "sum"])
    counts.columns = ["printed", "agree"]
    others = comparison[~comparison["agrees"]].drop(columns="agrees")
    areas = pd.Series(example_areas(), name="area").rename_axis("curve of Table 1").reset_index()
    sections = [
        "# Tharwat's examples, printed and computed",
        f"Of {len(comparison)} printed numbers {int(comparison['agrees'].sum())} agree to the last"
        " digit.",
        counts.reset_index().to_markdown(index=False),
        "## Disagreements",
        others.to_markdown(index=False) if len(others) else "None.",
        "## Areas",
        "Section 4 prints no number. Under the curves of Table 1 the areas are:",
        areas.to_markdown(index=False, floatfmt=".4f"),
        "## Iris",
        "The article names neither the kernel nor the split. These are the results on held-out"
        " folds, each class against the other two, with the first two principal components of the"
        " other folds. The printed results of the first class have TP = 100 and TN = 49, so that"
        " its positives are the other two classes; `examples.csv` has them beside what that matrix"
        " gives.",
        iris.to_markdown(index=False, floatfmt=".4f"),
        "## Slips of the text",
        "- In Section 2.8 the F-measure after multiplying the negatives by α has αFN in its"
        " denominator: false negatives are positives, and stay FN.\n"
        "- In Section 2.2 the error rate is written EER, which Section 6 has for the equal error"
        " rate.\n"
        "- Section 2.7 has Youden's index from 0 on; it goes down to -1, where all are wrong.\n"
        "- In Eq. 18 x is called the recall of the new point; it counts true positives beyond A, as"
        " its range shows.\n"
        "- Section 5 has recall rise with the threshold; it rises as the threshold falls.\n"
        "- Section 5 ends the perfect precision-recall curve at (1, 0); it ends at the precision"
        " P/(P + N), as said further on.",
    ]
    return "\n\n".join(sections) + "\n"
