"""Measure how often the known causes of a change are found; write docs/guide/told_right.csv.

Two months of predictions are drawn repeatedly from known prevalences and rates of a
classifier. The frame of ``explain_change`` shows what changed: prevalence if the interval of its
part is on one side of 0, and the classifier if the p-value of its part is below 0.05. The table
also has how often F1 is said to have changed, and how often the parts' intervals contain the true
parts, which are computed from the populations.
"""

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
from draws import holds, true_value
from slice_intervals import Population, drawn

from skewproof import explain_change

TABLE = Path(__file__).parents[2] / "docs/guide/told_right.csv"

BEFORE = {"prevalence": 0.10, "tpr": 0.80, "fpr": 0.04}

MOVED_PREVALENCE = {"prevalence": 0.05}

MOVED_CLASSIFIER = {"tpr": 0.70, "fpr": 0.06}

CASES = {
    "neither": BEFORE,
    "prevalence": BEFORE | MOVED_PREVALENCE,
    "classifier": BEFORE | MOVED_CLASSIFIER,
    "both": BEFORE | MOVED_PREVALENCE | MOVED_CLASSIFIER,
}
"""Changes from May to June, by name, with the truth in June."""

SIZES = (200, 1_000, 10_000, 100_000)
"""Predictions a month."""

REPETITIONS = 2_000
ALPHA = 0.05
SEED = 16


def f1_of(truth: dict[str, float]) -> float:
    """Return F1 in a population."""
    return true_value("f1", truth["tpr"], truth["fpr"], truth["prevalence"])


def true_parts(after: dict[str, float]) -> dict[str, float]:
    """Return each cause's mean effect over all orders of exchange, in the populations."""
    parts = dict.fromkeys(BEFORE, 0.0)
    orders = list(itertools.permutations(BEFORE))
    for order in orders:
        truth = dict(BEFORE)
        for cause in order:
            f1_before = f1_of(truth)
            truth[cause] = after[cause]
            parts[cause] += (f1_of(truth) - f1_before) / len(orders)
    return {"prevalence": parts["prevalence"], "classifier": parts["tpr"] + parts["fpr"]}


def told(case: str, size: int, random: np.random.Generator) -> dict[str, object]:
    """Count what is reported of a case."""
    truth = CASES[case]
    months = [
        drawn(Population(size, **one), REPETITIONS, random).assign(month=month)
        for month, one in (("May", BEFORE), ("June", truth))
    ]
    found = explain_change(pd.concat(months), metrics=["f1"], reference={"month": "May"})
    parts = true_parts(truth)
    prevalence = (found["prevalence_part_low"] > 0) | (found["prevalence_part_high"] < 0)
    classifier = found["classifier_p"] < ALPHA
    shares = {
        "neither": ~prevalence & ~classifier,
        "prevalence": prevalence & ~classifier,
        "classifier": ~prevalence & classifier,
        "both": prevalence & classifier,
    }
    covers = {
        f"{name}_covered": holds(found[f"{name}_part_low"], found[f"{name}_part_high"], part)
        for name, part in parts.items()
    }
    return {
        "changed": case,
        "predictions": size,
        "repetitions": REPETITIONS,
        **truth,
        "f1_before": f1_of(BEFORE),
        "f1_after": f1_of(truth),
        **{f"{name}_part": part for name, part in parts.items()},
        "f1_changed": (found["p"] < ALPHA).mean(),
        **{f"told_{name}": share.mean() for name, share in shares.items()},
        **{name: share.mean() for name, share in covers.items()},
    }


def main() -> None:
    random = np.random.default_rng(SEED)
    rows = [told(case, size, random) for size in SIZES for case in CASES]
    pd.DataFrame(rows).round(4).to_csv(TABLE, index=False)


if __name__ == "__main__":
    main()
