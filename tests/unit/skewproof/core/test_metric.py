"""Declared metrics and measures, which reach another process and have the same values there."""

import copy
import pickle
import subprocess
import sys

import pytest

from skewproof import MulticlassConfusionMatrix, get_scorer, metric, normalized
from skewproof.metrics import METRICS, bounded, f1, parse_metric, youden_j
from skewproof.metrics.atlas import ATLAS
from skewproof.multiclass import MEASURES
from skewproof.multiclass.declaration import of_two_classes
from skewproof.sensitivity.ranges.ranges import with_bounds


@metric(symbol="h", name="share of hits", source="an example")
def hits(c):
    """Hits among all but correct rejections."""
    return c.tp / (c.tp + c.fp + c.fn)


VARIANTS = [
    hits,
    normalized(f1),
    normalized(hits),
    bounded(youden_j),
    bounded(METRICS["diagnostic_odds_ratio"]),
    parse_metric("min(tp/P, tn/N)", key="worst"),
    with_bounds(parse_metric("tp/P - fp/N")),
    normalized(parse_metric("tp/(tp + fp)", key="share")),
    of_two_classes(f1),
]


@pytest.mark.parametrize("copied", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy])
def test_a_copy_is_equal(copied):
    for one in [*VARIANTS, *METRICS.values(), *MEASURES.values()]:
        found = copied(one)
        assert found == one
        assert hash(found) == hash(one)
        assert found.__doc__ == one.__doc__
    for registry in (METRICS, MEASURES, ATLAS):
        assert dict(copied(registry)) == dict(registry)
    matrix = MulticlassConfusionMatrix([[3, 1], [2, 4]])
    assert float(copied(of_two_classes(f1))(matrix)) == 6 / 9


def test_a_scorer_is_pickled_with_its_metric():
    scorer = get_scorer(hits)
    assert pickle.loads(pickle.dumps(scorer))._score_func == scorer._score_func


SCRIPT = """
import joblib
import numpy as np
from skewproof import ConfusionMatrix, Metric, MulticlassConfusionMatrix, metric, normalized
from skewproof.metrics import METRICS, bounded, f1, parse_metric, youden_j
from skewproof.metrics.atlas import ATLAS
from skewproof.multiclass import MEASURES


@metric(symbol="h", name="share of hits", source="an example")
def hits(c):
    return c.tp / (c.tp + c.fp + c.fn)


def values(items):
    random = np.random.default_rng(0)
    tp, fp, fn, tn = random.integers(0, 50, (4, 20)).astype(float)
    of_two = ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)
    of_three = MulticlassConfusionMatrix(random.integers(0, 50, (20, 3, 3)))
    with np.errstate(all="ignore"):
        return [one(of_two if isinstance(one, Metric) else of_three) for one in items]


if __name__ == "__main__":
    variants = [f1, hits, normalized(hits), bounded(youden_j), parse_metric("min(tp/P, tn/N)")]
    tasks = [variants, *(list(registry.values()) for registry in (METRICS, ATLAS, MEASURES))]
    found = joblib.Parallel(n_jobs=2, timeout=60)(map(joblib.delayed(values), tasks))
    np.testing.assert_equal(found, list(map(values, tasks)))
    print("same")
"""


@pytest.mark.slow
def test_processes_that_share_no_memory_compute_the_same_values(tmp_path):
    """Processes of joblib, which run no script again, also take a metric of a user."""
    pytest.importorskip("joblib")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    ran = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=200, check=False
    )
    assert ran.stdout == "same\n", ran.stderr


def test_labels_go_in_directly():
    """Two hits, one miss and one false alarm of three negatives: 2*2/(2*2 + 1 + 1)."""
    y_true, y_pred = [1, 1, 1, 0, 0, 0], [1, 1, 0, 1, 0, 0]
    assert METRICS["f1"](y_true, y_pred) == 4 / 6
    assert METRICS["f1"](y_true, y_pred, pos_label=0) == 4 / 6
    names = ["yes" if label else "no" for label in y_true]
    assert METRICS["precision"](names, names, pos_label="yes") == 1
