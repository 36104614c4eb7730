"""
Is a model worth more than treating all or none?
================================================

A decision curve shows the net benefit of two models over the probability at which you would act.
A model is useful where its curve is above both gray lines. See
:class:`skewproof.plot.DecisionCurveDisplay` and :doc:`/guide/what_a_decision_is_worth`.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import expit

from skewproof import decision_curve
from skewproof.decisions import useful_thresholds
from skewproof.plot import DecisionCurveDisplay

random = np.random.default_rng(0)
logit = random.normal(-2, 1.5, size=2000)
y_true = random.uniform(size=2000) < expit(logit)
models = {
    "sees all": expit(logit),
    "sees a part": expit(0.3 * logit + random.normal(0, 0.5, size=2000) - 1.2),
}

DecisionCurveDisplay.from_predictions(y_true, models)
plt.show()

# %%
# These are the thresholds at which each model is useful:

print(useful_thresholds(decision_curve(y_true, models)))
