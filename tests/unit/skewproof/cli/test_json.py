"""Commands print for machines the results of the functions of the package, for all options."""

import json
import shlex
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from skewproof import (
    ConfusionMatrix,
    choose_threshold,
    compare,
    count_slices,
    decision_curve,
    explain_change,
    score,
    score_unlabeled,
    watch_drift,
)
from skewproof.decisions import implied_thresholds, useful_thresholds
from skewproof.unlabeled.labeled_estimates import estimate_from_labels
from skewproof.unlabeled.labeling import plan_labels

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::skewproof.core.data.frames.GroupsWarning"),
]

LABELS = ["id", "month", "site", "patient", "owner", "y_true", "y_pred", "second"]
"""Columns that commands read as text."""


@pytest.fixture(scope="module")
def frames(files):
    """The files as commands read them; labeled rows are also apart from those without a label."""
    names = ("rows", "new", "some", "pets")
    text = dict.fromkeys(LABELS, str)
    read = {name: pd.read_csv(files / f"{name}.csv", dtype=text) for name in names}
    return SimpleNamespace(**read, labeled=read["rows"].dropna(subset="y_true"))


def rows_of(frame):
    """Convert a frame as JSON does: NaN becomes None."""
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


def counted(frame, **options):
    labels = {} if "y_score" in options else {"y_pred": "y_pred"}
    return count_slices(frame, y_true="y_true", **labels, **options)


def scored(frame, groups=None, **options):
    groups = None if groups is None else frame[groups]
    return rows_of(score(frame["y_true"], frame["y_pred"], groups=groups, **options))


def compared(f, metric, *models, groups=None, **options):
    frame, models = f.labeled, f.labeled[list(models)]
    groups = None if groups is None else frame[groups]
    options |= {"groups": groups, "pos_label": "1"}
    return rows_of(compare(metric, frame["y_true"], models, **options))


def decided(f):
    given = {"at": "30/2000", "confidence": 0.9}
    true, models = f.labeled["y_true"], f.labeled[["y_score", "other"]]
    more = {"trained": "1:4", "groups": f.labeled["patient"], "simultaneous": True}
    curve = decision_curve(true, models, thresholds=[0.1, 0.5], pos_label="1", **given, **more)
    called = np.where(models["y_score"] >= 0.2, "1", "0")
    matrix = ConfusionMatrix.from_labels(true, called, pos_label="1")
    implied = implied_thresholds(matrix, metrics=["f1", "mcc"], at="30/2000")
    tables = {"curve": curve, "useful": useful_thresholds(curve), "implied": implied}
    return given | {name: rows_of(table) for name, table in tables.items()}


def promised(f, require, groups=None, **options):
    groups = None if groups is None else f.labeled[groups]
    options |= {"require": require, "groups": groups, "pos_label": "1"}
    threshold = choose_threshold(f.labeled["y_true"], f.labeled["y_score"], **options)
    return threshold.to_dict() | {"positives_needed": None}


def explained(counts, metrics, **options):
    return rows_of(explain_change(counts, metrics=metrics, **options))


def watched(counts, tpr, fpr, **options):
    """Return all tables, and the power for changes of TPR and FPR."""
    drift = watch_drift(counts, time="month", **options)
    tables = {name: getattr(drift, name) for name in ("changes", "effects", "scans", "table")}
    recall = tpr if "macro_f1" in options["metrics"] else {"positive": tpr, "negative": -fpr}
    power = {"tpr": tpr, "fpr": fpr, "probability": drift.power(recall=recall)}
    data = {"verdict": drift.verdict, "alpha": drift.alpha, "power": [power]}
    return data | {name: rows_of(table) for name, table in tables.items()}


def planned(f):
    columns = {"row_id": "id", "y_score": "other", "threshold": 0.3, "pos_label": "1"}
    labeled = {"reference": f.labeled, "y_true": "y_true"}
    plan = plan_labels("recall", f.new, labels=120, rng=2, strata=2, **columns, **labeled)
    names = ("metric", "sentence", "value", "width", "random_width", "confidence")
    tables = {"strata": rows_of(plan.strata), "rows": rows_of(plan.to_frame("id"))}
    return [{name: getattr(plan, name) for name in names} | tables]


def labeled_in_part(f):
    known = f.some.dropna(subset="site")
    columns = [known[name] for name in ("y_true", "y_pred", "site")]
    metrics = ["f1", "precision", "recall"]
    return rows_of(estimate_from_labels(metrics, *columns, at=0.02, pos_label="1"))


def unlabeled(frame, reference, metrics, **options):
    return rows_of(score_unlabeled(frame, reference, y_true="y_true", metrics=metrics, **options))


def as_reference(frame):
    labels = frame["y_true"], frame["y_pred"]
    return ConfusionMatrix.from_labels(*labels, pos_label="1", groups=frame["patient"])


CASES = {
    "score rows.csv --groups patient --at 1:10 --confidence 0.5 --metrics precision f1_i": (
        lambda f: scored(
            f.labeled,
            "patient",
            metrics=["precision", "f1_i"],
            at="1:10",
            confidence=0.5,
            pos_label="1",
        )
    ),
    "score rows.parquet --groups patient --metrics mcc": lambda f: scored(
        f.labeled.astype({"y_true": int, "y_pred": int}), "patient", metrics=["mcc"]
    ),
    "score pets.csv --at cat=0.5,dog=0.25,owl=0.25 --metrics macro_f1 precision": lambda f: scored(
        f.pets, metrics=["macro_f1", "precision"], at={"cat": 0.5, "dog": 0.25, "owl": 0.25}
    ),
    "score new.csv --reference rows.csv --metrics f1 --confidence 0.9 --these-instances": (
        lambda f: unlabeled(
            f.new, f.rows, ["f1"], y_pred="y_pred", confidence=0.9, of_instances=True
        )
    ),
    "score new.csv --reference rows.csv --score y_score --threshold 0.4 --by month --metrics f1": (
        lambda f: unlabeled(f.new, f.rows, ["f1"], y_score="y_score", threshold=0.4, by="month")
    ),
    "score pets.csv --reference pets.csv --metrics macro_f1": lambda f: unlabeled(
        f.pets, f.pets, "macro_f1", y_pred="y_pred"
    ),
    "score-labels some.csv --predicted y_pred --strata site --at 0.02": labeled_in_part,
    "score-labels some.parquet --predicted y_pred --strata site --at 0.02": labeled_in_part,
    "plan-labels recall new.csv --row-id id --labels 120 --score other --threshold 0.3 --seed 2"
    " --strata 2 --reference rows.csv": planned,
    "threshold rows.csv --require 'precision >= 0.5' --at 0.1..0.2 --start 0.75 --maximize mcc"
    " --confidence 0.8": lambda f: promised(
        f, "precision >= 0.5", at="0.1..0.2", start=0.75, maximize="mcc", confidence=0.8
    ),
    "threshold rows.csv --require 'alarms <= 30' --per 100 --start everywhere --groups patient": (
        lambda f: promised(
            f, "alarms <= 30", "patient", at="population", per=100, start="everywhere"
        )
    ),
    "decide rows.csv --score y_score other --threshold 0.1 0.5 --trained 1:4 --confidence 0.9"
    " --groups patient --simultaneous --cutoff 0.2 --at 30/2000 --metrics f1 mcc": decided,
    "compare rows.csv --models y_score other --at 0.1 --groups patient --confidence 0.9": (
        lambda f: compared(f, "auc", "y_score", "other", at=0.1, groups="patient", confidence=0.9)
    ),
    "compare rows.csv --models y_pred second --metrics f1 --at 1:9": lambda f: compared(
        f, "f1", "y_pred", "second", at="1:9"
    ),
    "compare rows.csv --models y_score other --metrics net_benefit brier --threshold 0.6": (
        lambda f: [
            *compared(f, "net_benefit", "y_score", "other", threshold=0.6),
            *compared(f, "brier", "y_score", "other"),
        ]
    ),
    "explain-change rows.csv --by month --metrics f1 'tp/(tp+fp)' --reference month=1 --at 12/4000"
    " --class-sizes fixed --confidence 0.9 --negligible 0.9 --adjustment benjamini-hochberg": (
        lambda f: explained(
            counted(f.rows, by="month"),
            ["f1", "tp/(tp+fp)"],
            reference={"month": "1"},
            at="12/4000",
            class_sizes="fixed",
            confidence=0.9,
            negligible=0.9,
            adjustment="benjamini-hochberg",
        )
    ),
    "explain-change rows.csv --by site --score y_score --threshold 0.6 --weight weight": (
        lambda f: explained(
            counted(f.rows, by="site", y_score="y_score", threshold=0.6, sample_weight="weight"),
            ["f1", "f1_i"],
        )
    ),
    "explain-change rows.csv --by month --order 4 3 2 1 --groups patient --metrics f1": lambda f: (
        explained(counted(f.rows, by="month", groups="patient"), "f1", groups="patient")[::-1]
    ),
    "explain-change pets.csv --by month --groups owner --reference 5": lambda f: explained(
        counted(f.pets, by="month", groups="owner"),
        ["macro_f1", "acsa"],
        reference={"month": "5"},
        groups="owner",
    ),
    "watch rows.csv --time month --planned 12 --alpha 0.1 --reference 1 2 --power tpr=-0.2": (
        lambda f: watched(
            counted(f.rows, by="month"),
            -0.2,
            0.0,
            metrics=["f1"],
            planned=12,
            alpha=0.1,
            reference={"month": ["1", "2"]},
        )
    ),
    "watch pets.csv --time month --power tpr=-0.1": lambda f: watched(
        counted(f.pets, by="month"), -0.1, 0.0, metrics=["macro_f1"]
    ),
    "watch rows.csv --time month --groups patient --reference-file rows.csv --power fpr=0.1": (
        lambda f: watched(
            counted(f.rows, by="month", groups="patient"),
            0.0,
            0.1,
            metrics=["f1"],
            reference=as_reference(f.labeled),
            groups="patient",
        )
    ),
}


@pytest.mark.parametrize(("line", "expected"), CASES.items(), ids=CASES)
def test_a_command_prints_what_functions_return(run, files, frames, monkeypatch, line, expected):
    monkeypatch.chdir(files)
    code, output, errors = run(*shlex.split(line), "--json")
    assert code in (0, 3), errors
    assert json.loads(output) == expected(frames)
