"""Measure scores and curves beside scikit-learn, and write ``benchmarks/scoring.md``."""

import time
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from run import machine
from sklearn import metrics as sklearn_metrics

from skewproof.multiclass import MEASURES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.practice import score_curves
from skewproof.practice.scoring import score_all

OUTPUT = Path(__file__).with_name("scoring.md")
LIBRARIES = ["numpy", "scipy", "scikit-learn"]
INSTANCES = 10_000_000
TURNS = 5


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def beside(pairs):
    """Medians of two functions each, taking turns, and the median of the ratios of turns."""
    rows = []
    for name, (own, other) in pairs.items():
        times = np.array([(seconds(own), seconds(other)) for _ in range(TURNS)])
        ratio = np.median(times[:, 0] / times[:, 1])
        rows.append((name, *np.median(times, axis=0), ratio))
        print(*rows[-1], flush=True)
    columns = ["what", "skewproof, s", "scikit-learn, s", "ratio (median of turns)"]
    return pd.DataFrame(rows, columns=columns).to_markdown(index=False, floatfmt=".2f")


def label_pairs():
    random = np.random.default_rng(1)
    true, predicted = random.random((2, INSTANCES)) < 0.1
    kinds = {
        "whole numbers": (true.astype(int), predicted.astype(int)),
        "text": tuple(np.where(labels, "yes", "no") for labels in (true, predicted)),
    }
    return {
        name: (
            lambda labels=labels, name=name: score_all(
                *labels,
                pos_label="yes" if name == "text" else 1,
                undefined=np.nan,
                confidence=None,
            ),
            lambda labels=labels: sklearn_metrics.confusion_matrix(*labels),
        )
        for name, labels in kinds.items()
    }


def curve_pairs():
    random = np.random.default_rng(1)
    true = (random.random(INSTANCES) < 0.1).astype(int)
    scores = random.normal(true, 1)
    functions = {
        "ROC curve": (score_curves.roc_curve, sklearn_metrics.roc_curve),
        "AUC": (score_curves.auc, sklearn_metrics.roc_auc_score),
        "precision-recall curve": (
            score_curves.precision_recall_curve,
            sklearn_metrics.precision_recall_curve,
        ),
        "average precision": (
            score_curves.average_precision,
            sklearn_metrics.average_precision_score,
        ),
        "DET curve": (score_curves.det_curve, sklearn_metrics.det_curve),
    }
    return {
        f"{name}, {kind}": tuple(
            lambda one=one, values=values: one(true, values) for one in functions[name]
        )
        for name in functions
        for kind, values in (("distinct scores", scores), ("two decimals", scores.round(2)))
    }


def all_measures(counts):
    return [measure(MulticlassConfusionMatrix(counts)) for measure in MEASURES.values()]


def measure_table():
    random = np.random.default_rng(1)
    rows = []
    for name, shape in (("10^5 of 5 classes", (100_000, 5, 5)), ("1 of 1000", (1000, 1000))):
        counts = random.integers(1, 100, shape)
        times = [seconds(partial(all_measures, counts)) for _ in range(TURNS)]
        rows.append((name, np.median(times)))
    columns = ["matrices", f"all {len(MEASURES)} measures, s"]
    return pd.DataFrame(rows, columns=columns).to_markdown(index=False, floatfmt=".2f")


def main():
    sections = [
        "# Scores and curves beside scikit-learn",
        machine(LIBRARIES),
        f"Medians of {TURNS} turns, in which both take part; `make bench-scoring` measures anew.",
        f"## {INSTANCES:.0e} labels: every registered metric, and one confusion_matrix call",
        beside(label_pairs()),
        f"## {INSTANCES:.0e} scores",
        beside(curve_pairs()),
        "## Measures of many classes",
        measure_table(),
    ]
    OUTPUT.write_text("\n\n".join(sections) + "\n")


if __name__ == "__main__":
    main()
