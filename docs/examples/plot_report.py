"""
A report before a classifier is shipped
=======================================

:func:`skewproof.report` writes one page: the scores in the test set and where one instance in 101
is positive, curves, cut-off, probabilities and months. ``page.save("report.html")`` writes it as a
file without other files, and a notebook shows it. ``skewproof report`` does the same for a file.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from skewproof import report
from skewproof.plot import ForestDisplay

random = np.random.default_rng(0)
y_true = np.repeat([1, 0], [200, 2000])
y_score = 1 / (1 + np.exp(2 - 2 * random.normal(2 * y_true)))
month = pd.Series([f"2026-{1 + place % 6:02d}" for place in range(2200)], name="month")

page = report(
    y_true, y_score=y_score, at="1:100", threshold=0.7, time=month, require="precision >= 0.2"
)
print(page)

# %%
# The scores are a frame, and a picture shows them with their intervals:

scores = page.to_frame()
ForestDisplay(values={"at 1:100": scores}).plot()
plt.show()

# %%
# The whole page:

page  # noqa: B018
