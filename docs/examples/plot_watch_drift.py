"""
Since when has the classifier changed?
======================================

Prevalence falls over twelve months, so F1 falls whatever the classifier does. From September on
the classifier finds fewer positives, too. :func:`skewproof.watch_drift` watches the recall of each
class, which prevalence does not affect, and dates the change.
"""

import numpy as np
import pandas as pd

from skewproof import watch_drift

random = np.random.default_rng(0)
rows = []
for month in range(1, 13):
    positives, negatives = 400 - 20 * month, 4000
    tp = random.binomial(positives, 0.8 if month < 9 else 0.65)
    fp = random.binomial(negatives, 0.05)
    rows.append((f"2026-{month:02}", tp, fp, positives - tp, negatives - fp))
counts = pd.DataFrame(rows, columns=["month", "tp", "fp", "fn", "tn"])

drift = watch_drift(counts, time="month", metrics=["f1"])
print(drift.verdict)

# %%

figure = drift.plot()
