"""
Prevalence and F1 without labels
================================

A classifier was tested on 1000 labeled instances. Since then it has called instances positive in
three months, and nobody has labeled them. If it keeps its rates, the share of positive calls shows
the prevalence, and with it F1. :func:`skewproof.score_unlabeled` gives both with intervals. See
:doc:`/guide/without_labels`.
"""

import numpy as np
import pandas as pd

from skewproof import score_unlabeled
from skewproof.unlabeled import plot_estimates

random = np.random.default_rng(0)


def called(positives, negatives):
    """Return whether a classifier with a recall of 80 % calls each instance positive."""
    return random.uniform(size=positives + negatives) < np.repeat(
        [0.8, 0.03], [positives, negatives]
    )


labeled = pd.DataFrame({"y": np.repeat([1, 0], [200, 800]), "called": called(200, 800)})
months = {"May": (900, 2100), "June": (300, 2700), "July": (120, 2880)}
unlabeled = pd.concat(
    [pd.DataFrame({"month": name, "called": called(*sizes)}) for name, sizes in months.items()]
)

found = score_unlabeled(unlabeled, labeled, y_true="y", y_pred="called", by="month", metrics=["f1"])
print(found[["month", "metric", "value", "low", "high"]].round(3))

# %%

figure = plot_estimates(found)
