"""The meaning of a classification score under class imbalance, and its value at other prevalences.

What a file or frame of predictions can answer
    inspect_predictions
Matrices and metrics
    ConfusionMatrix, MulticlassConfusionMatrix, Prevalence, Level, Metric, metric, get_metric,
    normalized
What imbalance does to a metric
    audit, find, choose
A score where the classifier will run
    project, interval, area_interval, compare, score, get_scorer, plan, printed, report
Slices and changes
    count_slices, explain_change, watch_drift
Instances without labels
    estimate_prevalence, check_fit, score_unlabeled, plan_labels, estimate_from_labels
Cut-offs and decisions
    choose_threshold, best_threshold, decision_curve, expected_cost
Probabilities
    probability_scores, adjust_probabilities, reliability_curve, calibration_error
Namespaces with the rest
    metrics, atlas, sensitivity, curves, operating_points, slices, unlabeled, decisions,
    probabilities, plot

Start with a score where one instance in 1001 is positive:

>>> from skewproof import ConfusionMatrix, interval
>>> print(interval("f1", ConfusionMatrix(tp=80, fp=30, fn=20, tn=970), at="1:1000"))
f1 = 0.050 (0.036 to 0.072) at 1:1000, 95 %, if instances are independent and the classifier keeps
its rates

A name of a namespace is ``skewproof.metrics.f1`` or ``from skewproof.curves import area``.
"""

from importlib import import_module as _import_module
from pathlib import Path as _Path
from typing import Any as _Any

from skewproof.core.namespace import lazy_names as _lazy_names

_load, __dir__, __all__ = _lazy_names(__name__, __file__)
__version__ = "0.1.0"


def __getattr__(name: str) -> _Any:
    try:
        return _load(name)
    except AttributeError as error:
        if name in __all__ or name.startswith("_"):
            raise
        raise AttributeError(f"{error}{_suggestion(name)}") from None


def _suggestion(name: str) -> str:
    """Write the end of a sentence that says where a name is, or which name is meant, if any."""
    from skewproof.core.registry import nearest  # only a wrong name needs these two
    from skewproof.metrics.lookup import meanings

    for stub in sorted(_Path(__file__).parent.glob("*/__init__.pyi")):
        room = _import_module(f"{__name__}.{stub.parent.name}")
        if name in room.__all__:
            return f"; did you mean {room.__name__}.{name}?"
    for key in meanings(name):
        declared = key in _load("metrics").__all__
        return f"; did you mean {__name__}." + (
            f"metrics.{key}?" if declared else f"get_metric({key!r})?"
        )
    return nearest(name, __all__)
