"""Measures and their registry."""

import numpy as np
import pytest

from skewproof.core.metric import UndefinedMetricWarning
from skewproof.metrics import METRICS, parse_metric
from skewproof.metrics.precision_recall import f1
from skewproof.multiclass.declaration import of_two_classes, total_matters
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measures import acsa


def test_a_metric_of_two_classes_as_a_measure():
    as_measure = of_two_classes(f1)
    assert (as_measure.key, as_measure.name) == ("f1", f1.name)
    assert as_measure(MulticlassConfusionMatrix([[9, 3], [4, 20]])) == 18 / (18 + 3 + 4)
    with pytest.raises(ValueError, match="3 classes: expected 2"):
        as_measure(MulticlassConfusionMatrix(np.ones((3, 3))))


def test_which_metrics_depend_on_how_many_instances_there_are():
    found = {key for key, metric in METRICS.items() if total_matters(metric)}
    assert found == {"laplace", "adjusted_g_mean"}
    assert total_matters(parse_metric("tp/(P + 1)"))


def test_labels_go_in_directly():
    """Recalls of 1/2, 1 and 0."""
    assert float(acsa(["a", "a", "b", "c"], ["a", "b", "b", "a"])) == 0.5


def test_an_undefined_score_obeys_the_policy():
    """No instance is of the class c, so that its recall is 0/0."""
    true, predicted = ["a", "b"], ["a", "c"]
    with pytest.warns(UndefinedMetricWarning, match="0 divided by 0: acsa"):
        assert np.isnan(acsa.score(true, predicted))
    assert acsa.score(true, predicted, undefined=0.25) == 0.25
    with pytest.raises(ValueError, match="undefined on these labels, 0 divided by 0: acsa"):
        acsa(true, predicted, undefined="error")
