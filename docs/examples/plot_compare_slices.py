"""
How much of a difference is due to prevalence
=============================================

F1 differs from shop to shop. Part of a difference comes from the share of positives, and the rest
from the classifier. :func:`skewproof.explain_change` separates the parts, with an interval for
each. See :doc:`/guide/slices_and_drift`.
"""

import pandas as pd

from skewproof import explain_change
from skewproof.slices import plot_changes

counts = pd.DataFrame(
    [
        ("center", 160, 90, 40, 1710),
        ("harbor", 32, 98, 8, 1862),
        ("airport", 118, 95, 82, 1705),
        ("station", 24, 150, 16, 1810),
    ],
    columns=["shop", "tp", "fp", "fn", "tn"],
)
changes = explain_change(
    counts, metrics=["f1"], reference={"shop": "center"}, classes=["positive", "negative"]
)

# %%
# In the harbor only prevalence differs from the center. At the airport only the rate of the
# positive class does. At the station the rates of both classes and the prevalence differ:

parts = ["prevalence_part", "part_of_positive", "part_of_negative"]
print(changes[["shop", "difference", *parts]].round(3))

# %%

figure = plot_changes(changes)
