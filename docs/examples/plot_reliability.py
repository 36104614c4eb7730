"""
Probabilities of a model trained on balanced data
=================================================

A model was trained with as many positives as negatives, and one instance in 21 is positive where
it runs. Its probabilities are far too high there. ``trained`` says at which prevalence they were
made, and adjusts them. See :class:`skewproof.plot.ReliabilityDisplay`,
:func:`skewproof.adjust_probabilities` and :doc:`/guide/trained_on_balanced_data`.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import expit

from skewproof.plot import ReliabilityDisplay

random = np.random.default_rng(0)
y_true = np.repeat([1, 0], [300, 6000])
x = random.normal(1.5 * y_true)
p = expit(1.5 * (x - 0.75))  # the probability where both classes are equally frequent

figure, axes = plt.subplots(figsize=(5, 4.2), layout="constrained")
ReliabilityDisplay.from_predictions(y_true, p, name="as trained", ax=axes)
ReliabilityDisplay.from_predictions(y_true, p, trained="1:1", name="adjusted", ax=axes, color="C1")
plt.show()
