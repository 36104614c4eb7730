"""
A report before a classifier is shipped
=======================================

:func:`skewproof.report` writes one page: the scores in the test set and where one instance in 101
is positive, curves, cut-off, probabilities and months. ``page.save("report.html")`` writes it as a
file without other files, and a notebook shows it. ``skewproof report`` does the same for a file.
"""

import numpy as np
import pandas as pd

from skewproof import report

random = np.random.default_rng(0)
y_true = np.repeat([1, 0], [200, 2000])
y_score = 1 / (1 + np.exp(2 - 2 * random.normal(2 * y_true)))
month = pd.Series([f"2026-{1 + place % 6:02d}" for place in range(2200)], name="month")

page = report(
    y_true, y_score=y_score, at="1:100", threshold=0.7, time=month, require="precision >= 0.2"
)
page

# %%
# The same as text has the first sentence of each chapter:

print(page)
