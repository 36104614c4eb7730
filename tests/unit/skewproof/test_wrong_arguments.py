"""Every public function refuses wrong values with an error that names the argument."""

import inspect
import re
from functools import cache
from operator import attrgetter
from types import SimpleNamespace

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import skewproof
from namespaces import namespaces
from skewproof import (
    ConfusionMatrix,
    Level,
    Metric,
    MulticlassConfusionMatrix,
    Prevalence,
    compare,
    count_slices,
    decision_curve,
    explain_change,
    interval,
    reliability_curve,
    score,
    score_unlabeled,
)
from skewproof.core.messages import shown
from skewproof.curves import count_scores
from skewproof.metrics import METRICS, FormulaError, f1
from skewproof.multiclass import MEASURES
from skewproof.operating_points import BinormalCurve

matplotlib.use("agg")

TRUE = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
SCORES = [0.9, 0.8, 0.7, 0.3, 0.6, 0.4, 0.3, 0.2, 0.1, 0.1]
CALLS = [1, 1, 1, 0, 1, 0, 0, 0, 0, 0]
MATRIX = ConfusionMatrix(tp=80, fp=30, fn=20, tn=870)
PETS = MulticlassConfusionMatrix([[80, 15, 5], [10, 80, 10], [0, 10, 90]], labels=list("abc"))
FRAME = pd.DataFrame({"y": TRUE, "s": SCORES, "p": CALLS, "month": [1, 2] * 5, "id": range(10)})
MANY = pd.concat([FRAME] * 9).assign(id=range(90))
MONTH = {"tp": 160, "fp": 250, "fn": 40, "tn": 4750}
COUNTS = pd.DataFrame([MONTH] * 6).assign(month=range(6))

LABELS = {"y_true": TRUE, "y_score": SCORES}
COLUMNS = {"frame": FRAME, "y_true": "y", "y_score": "s"}
LEVELS = {"metric": f1, "level": Level(1, 2), "positives": 100}
SEVERAL = {"metrics": [f1], "positives": 100, "negatives": 200}
DECLARED = {"symbol": "s", "name": "n", "source": "o"}
METRIC = {"key": "k", **DECLARED, "formula": lambda c: c.tp}
FEW = {"draws": 50}
GROUPED = {"y_true": TRUE, "y_pred": CALLS, "groups": [1, 2] * 5}


@cache
def inputs():
    """Return inputs that functions of the package make."""
    calls = FRAME[["y", "p"]]
    said = score_unlabeled(calls, calls, y_true="y", y_pred="p", metrics="f1")
    return {
        "counts": count_scores(FRAME, y_true="y", y_score="s", bins=2),
        "slices": count_slices(calls, y_true="y", y_pred="p"),
        "estimates": said,
        "changes": explain_change(COUNTS, metrics=["f1"], reference={"month": 1}),
        "pairs": compare("f1", TRUE, {"a": CALLS, "b": TRUE}),
        "values": {"a": interval("f1", TRUE, CALLS), "b": interval("f1", TRUE, TRUE)},
        "decisions": decision_curve(TRUE, SCORES, thresholds=[0.25, 0.5]),
        "scores": score(TRUE, CALLS, metrics=["f1"]),
        "reliability": reliability_curve(TRUE, SCORES, bins=2),
        "sampled": Prevalence.from_predictions(MATRIX, called=900, total=20_000),
        "scored": Prevalence.from_scores(TRUE, SCORES, SCORES, threshold=0.5),
    }


def valid():
    """Return the arguments of a valid call of each public function."""
    made = inputs()
    areas = "equal_error_rate mcc_f1_curve mcc_f1_score precision_recall_curve threshold_matrices"
    return dict.fromkeys([*areas.split(), "EmpiricalCurve"], LABELS) | {
        "BibetaCurve": {"positives": (2, 1), "negatives": (1, 2)},
        "BinormalCurve": {"mean": 2},
        "ClassRatesDisplay": {"matrix": PETS},
        "ConfusionMatrix": {"tp": 1, "fp": 2, "fn": 3, "tn": 4},
        "Level": {"positive_part": 1, "negative_part": 2},
        "Metric": METRIC,
        "Measure": METRIC,
        "MulticlassConfusionMatrix": {"counts": [[1, 2], [3, 4]]},
        "PowerLawCurve": {"a": 0.5},
        "DifferencesDisplay": {"differences": made["pairs"], "values": made["values"]},
        "ForestDisplay": {"values": {"here": made["scores"]}},
        "FunnelDisplay": {"hits": [1, 2], "sizes": [4, 6], "names": ["a", "b"]},
        "PrevalenceDisplay": {"metric": "f1", "matrix": MATRIX},
        "Registry": {"kind": "metric", "items": [f1]},
        "ReliabilityDisplay": {"curve": made["reliability"]},
        "CurveDisplay": {"bands": skewproof.curves.curve_bands(TRUE, SCORES)},
        "DecisionCurveDisplay": {"curve": made["decisions"]},
        "adjust_probabilities": {"y_prob": SCORES, "trained": "1:1", "at": "1:10"},
        "area": {"kind": "auc", **LABELS},
        "area_bounds": {"counts": made["counts"]},
        "area_interval": {"kind": "auc", **LABELS, **FEW},
        "audit": {"metric": "tp/P - fp/N"},
        "behavior_type": {"rejected": [True, False, True, True]},
        "best_point": {"metric": "f1", "curve": BinormalCurve(2), "at": "1:2"},
        "best_points": {"metric": "f1", "curve": BinormalCurve(2), "levels": ["1:1"]},
        "best_threshold": {**LABELS, "metric": "f1"},
        "binormal_area": {"kind": "auc", "level": "1:2", "mean": 2},
        "binormal_score": {"score": "brier", "at": "1:2", "mean": 2},
        "bounded": {"metric": METRICS["youden_j"]},
        "calibration_error": {"y_true": TRUE, "y_prob": SCORES, **FEW},
        "chance_area": {"kind": "auc", "positives": 2, "negatives": 3},
        "plot_changes": {"changes": made["changes"]},
        "check_estimates": {"estimates": made["estimates"], "counts": made["slices"]},
        "check_fit": {"at": made["scored"]},
        "choose_threshold": {**LABELS, "at": "1:2", "require": "precision >= 0.5"},
        "compare": {"metric": "f1", "y_true": TRUE, "first": CALLS, "second": TRUE},
        "condition_1": {"measure": MEASURES["acsa"], "classes": 3},
        "condition_2": {"measure": MEASURES["acsa"], "classes": [2]},
        "condition_3": {"measure": MEASURES["acsa"], "classes": 3, "lower_bound": 0},
        "cost_curve": {"matrices": {"a": MATRIX}},
        "count_scores": COLUMNS,
        "count_slices": {"frame": FRAME, "y_true": "y", "y_pred": "p"},
        "curve_bands": LABELS,
        "cutoffs": {**LABELS, "metrics": "f1"},
        "decision_curve": {"y_true": TRUE, "y_prob": SCORES},
        "describe": {"metric": f1},
        "design_effect": GROUPED,
        "deviation": {"values": np.zeros(2), "reference": np.ones(2), "undefined": "omit"},
        "estimate_from_labels": {"metric": "f1", "y_true": [1, 0] * 15, "y_pred": [1, 1, 0] * 10},
        "estimate_prevalence": {"at": made["sampled"]},
        "exact_indices": SEVERAL,
        "exchange_rate": {"metric": "f1"},
        "expected_cost": {"y_true": TRUE, "y_pred": {"a": CALLS}, "threshold": 0.1, **FEW},
        "explain_change": {"counts": COUNTS, "metrics": "f1", "reference": {"month": 1}},
        "f_beta": {"c": MATRIX, "beta": 2},
        "find": {"name": "f1"},
        "get_metric": {"name": "f1"},
        "get_scorer": {"metric": "f1"},
        "implied_thresholds": {"matrix": MATRIX, "metrics": "f1"},
        "interpolated_precision": {**LABELS, "recall": 0.5},
        "inspect_predictions": {"frame": MANY, "y_true": "y", "y_pred": "p", "y_score": "s"},
        "interval": {"metric": "f1", "y_true": TRUE, "y_pred": CALLS},
        "intraclass_correlation": GROUPED,
        "invariance": LEVELS | {"baseline": Level(1, 1)},
        "label_error_indices": SEVERAL,
        "mean_shift": LEVELS | {"baseline": Level(1, 1)},
        "measure": DECLARED,
        "metric": DECLARED,
        "metrics_by_worth": {"worth": 20, "at": "1:2", "metrics": "f1", "rates": (0.5, 0.1)},
        "multiclass_auc": {"y_true": [0, 1, 1], "y_score": [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]},
        "normalized": {"metric": f1},
        "parse_metric": {"text": "tp/P"},
        "plan_labels": {"metric": "f1", "predictions": np.linspace(0, 1, 40), "labels": 30},
        "plan_scores": {"what": "auc", "auc": 0.8, "at": "1:10", "width": 0.1},
        "printed": {"scores": {"accuracy": "0.9"}, "positives": 10, "negatives": 20},
        "printed_means": {"scores": {"recall": "0.41"}, "positives": 10, "negatives": 20},
        "plan": {"metric": "f1", "tpr": 0.7, "fpr": 0.1, "at": "1:10", "width": 0.1}
        | {"total": 30},
        "choose": {"problem": "ranking", "goal": "false-negatives"},
        "probability_scores": {"y_true": TRUE, "y_prob": SCORES, "scores": "brier", **FEW},
        "project": {"matrix": MATRIX, "at": "1:10"},
        "rare_limit": {"metric": "f1", "curve": BinormalCurve(2)},
        "reliability_curve": {"y_true": TRUE, "y_prob": SCORES, "bins": 2},
        "report": {"y_true": TRUE, "y_pred": CALLS, "metrics": ["f1"]},
        "score": {"y_true": TRUE, "y_pred": CALLS, "metrics": "f1"},
        "score_unlabeled": {"frame": FRAME, "reference": FRAME, "y_true": "y", "y_pred": "p"},
        "sobol_indices": {"metrics": [f1], "level": Level(1, 2), "positives": 100}
        | {"log2_samples": 6, "resamples": 5, "seed": 1},
        "surface": LEVELS | {"grid": 3},
        "undefined_cells": {"metric": f1},
        "plot_estimates": {"estimates": made["estimates"]},
        "useful_thresholds": {"curve": made["decisions"]},
        "watch_drift": {"counts": COUNTS, "time": "month", "metrics": "f1"},
        "with_label_errors": {"matrix": MATRIX}
        | dict.fromkeys(["false_positive_rate", "false_negative_rate"], 0.1),
    }


def methods():
    """Return the arguments of a valid call of class methods."""
    made, counted = inputs(), {"y_true": TRUE, "y_pred": CALLS}
    fixed = {"positives": 10, "negatives": 20}
    return {
        "Classifiers.beta": {"tpr": (2, 1), "fpr": (1, 2)},
        "Classifiers.binormal": {"auc": (0.6, 0.9), "threshold": (-1, 1)},
        "Classifiers.box": {"tpr": (0.5, 1), "fpr": (0, 0.5)},
        "ClassRatesDisplay.from_predictions": counted,
        "ConfusionMatrix.from_array": {"matrix": [[1, 2], [3, 4]]},
        "ConfusionMatrix.from_groups": {"tp": [1, 2], "fp": [0, 1], "fn": [1, 0], "tn": [5, 6]},
        "ConfusionMatrix.from_labels": counted,
        "ConfusionMatrix.from_rates": {"tpr": 0.5, "fpr": 0.1, **fixed},
        "ConfusionMatrix.from_tp_fp": {"tp": 5, "fp": 1, **fixed},
        "CurveDisplay.from_predictions": LABELS,
        "DecisionCurveDisplay.from_predictions": {"y_true": TRUE, "y_prob": SCORES}
        | {"metrics": "f1", "thresholds": [0.25, 0.5]},
        "FunnelDisplay.from_predictions": GROUPED,
        "Level.of_prevalence": {"share": 0.25, "name": "share"},
        "MeasuredClassifiers.from_frame": {"frame": {"tpr": [0.5], "fpr": [0.1]}},
        "MulticlassConfusionMatrix.from_labels": counted,
        "MulticlassConfusionMatrix.from_rates": {"rates": [[0.9, 0.1], [0.2, 0.8]]}
        | {"sizes": [5, 9]},
        "Prevalence.believed": {"a": 2, "b": 3},
        "Prevalence.between": {"low": 0.1, "high": 0.2},
        "Prevalence.from_bins": {"bins": made["scored"].bins},
        "Prevalence.from_predictions": {"reference": MATRIX, "called": 9, "total": 20},
        "Prevalence.from_scores": {"reference_true": TRUE, "reference_scores": SCORES}
        | {"scores": SCORES, "threshold": 0.5},
        "Prevalence.of": {"labels": TRUE},
        "Prevalence.sampled": {"positives": 1, "total": 5},
        "ReliabilityDisplay.from_predictions": {"y_true": TRUE, "y_prob": SCORES, "bins": 2},
    }


THINGS = {
    name: getattr(module, name)
    for module in (skewproof, *namespaces())
    for name in module.__all__
    if not inspect.ismodule(getattr(module, name))
}
"""Everything public, by its name, which no two namespaces use for different things."""

RESULTS = {
    *("Card", "Difference", "Finding", "Inspection", "Interval", "Plan", "ScorePlan"),
    *("BestPoint", "BestThreshold", "Drift", "ExchangeRate", "PromisedThreshold", "Report"),
    *("Classifiers", "MeasuredClassifiers", "Prevalence", "ContourDisplay"),
    *("Explanation", "PrintedMeans", "PrintedScores"),
    *("FormulaError", "GroupsWarning", "UndefinedMetricWarning"),
}
"""Classes of results and errors, and those that are made by their class methods."""

PUBLIC = [
    name
    for name, thing in THINGS.items()
    if callable(thing) and not isinstance(thing, Metric) and name not in RESULTS
]

METHODS = [
    f"{name}.{method}"
    for name, thing in THINGS.items()
    if inspect.isclass(thing)
    for method, function in vars(thing).items()
    if isinstance(function, classmethod) and not method.startswith("_")
    if method not in ("from_estimator", "uniform", "given", "parse")
]
"""Class methods, but those that read the value of another argument or have none."""

OTHER_NAMES = {"reference_true": "y_true", "sample_weight": "matrix"}
"""Names in messages of the functions that take an argument under another name."""

FREE = {"ax", "name"}
"""Arguments of class methods that are Matplotlib's, or the name of another argument."""

WRONG = [
    None,
    "",
    "x",
    b"x",
    True,
    -1,
    1.5,
    float("nan"),
    float("inf"),
    2**63,
    1j,
    [],
    {},
    (),
    [None],
    ["x", "y"],
    object(),
    np.array([]),
    np.array([1.0, 0.5, 0.5]),
    np.array([0.5] * 10, dtype=np.float16),
    np.array([1] * 4 + [0] * 6, dtype=np.float16),
    np.array([[1.0, 2.0]] * 10),
    pd.DataFrame(),
    pd.DataFrame({"x": [1]}),
]


def accepted(error, name, wrong, parameters):
    """Return whether an error is of a documented kind and names the argument.

    It may instead name another argument that does not fit it, or quote a key or formula.
    """
    raw = isinstance(error, UnicodeError | np.linalg.LinAlgError)
    if raw or not isinstance(error, ValueError | TypeError | KeyError):
        return False
    message = str(error.args[0])
    quoted = shown(wrong) in message or (isinstance(wrong, str) and not wrong)
    if isinstance(error, KeyError | FormulaError) and quoted:
        return True
    own = rf"\b({name}|{name.removesuffix('s')}|{OTHER_NAMES.get(name, name)})\b"
    other = rf"\b({'|'.join(parameters)}) (=|has|have|is|and) "
    return bool(re.search(own, message) or re.search(other, message))


def called(name, given):
    """Call a function, and what a decorator returns."""
    result = attrgetter(name)(SimpleNamespace(**THINGS))(**given)
    return result(called) if name in ("metric", "measure") else result


@pytest.mark.slow
def test_every_function_has_a_valid_call():
    assert set(PUBLIC) == set(valid())
    assert set(METHODS) == set(methods())


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PUBLIC, *METHODS])
@pytest.mark.filterwarnings("ignore")
def test_wrong_values_are_refused_with_the_arguments_name(name):
    """Some of the values are right for some arguments, but never all of them."""
    given = (valid() | methods())[name]
    called(name, given)
    parameters = inspect.signature(attrgetter(name)(SimpleNamespace(**THINGS))).parameters.values()
    names = [one.name for one in parameters if one.kind != one.VAR_KEYWORD]
    for argument in names:
        if "." in name and argument in FREE:
            continue
        taken = 0
        for wrong in WRONG:
            try:
                called(name, given | {argument: wrong})
            except Exception as error:
                if not accepted(error, argument, wrong, names):
                    pytest.fail(f"{argument} = {shown(wrong)}: {error!r}")
            else:
                taken += 1
        assert taken < len(WRONG), f"{argument} takes anything"
    plt.close("all")


@pytest.mark.parametrize("wrong", [*WRONG[:-2], PETS, MATRIX])
def test_metrics_and_measures_refuse_what_is_not_their_matrix(wrong):
    for one, right in ((f1, ConfusionMatrix), (MEASURES["acsa"], MulticlassConfusionMatrix)):
        if not isinstance(wrong, right):
            with pytest.raises(ValueError, match=f"matrix = .*: expected a {right.__name__}"):
                one(wrong)
