"""
A confusion matrix of many classes, and what changed in it
==========================================================

Ten handwritten digits are recognized from small images. The pictures show the rates of each class,
and how they change when the images become noisy. See :class:`skewproof.plot.ClassRatesDisplay` and
:doc:`/guide/many_classes`.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

from skewproof import MulticlassConfusionMatrix, interval
from skewproof.plot import ClassRatesDisplay

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
model = GaussianNB(var_smoothing=1e-2).fit(X_train, y_train)
noise = np.random.default_rng(0).normal(scale=3, size=X_test.shape)

clean = MulticlassConfusionMatrix.from_labels(y_test, model.predict(X_test))
noisy = MulticlassConfusionMatrix.from_labels(y_test, model.predict(X_test + noise))

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
ClassRatesDisplay(matrix=clean).plot(left)
ClassRatesDisplay(matrix=noisy, reference=clean).plot(right)
left.set_title("rates")
right.set_title("their change through noise")
plt.show()

# %%
# A measure of all classes has an interval, too:

print(interval("macro_f1", clean))
print(interval("macro_f1", noisy))
