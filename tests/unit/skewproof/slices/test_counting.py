"""Counts of slices, compared with those of pandas."""

import math
import sys
from datetime import date
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest

from skewproof.core.extras import MissingExtraError, _Library
from skewproof.curves.bins import count_scores
from skewproof.decisions.net_benefit import decision_curve
from skewproof.slices import GroupsWarning
from skewproof.slices.counting import LOOKED_AT, count_slices
from written import check_refusals

ROWS = 300


def drawn(labels=(1, 0)):
    """Draw rows with missing keys, labels, predictions and scores."""
    random = np.random.default_rng(1)

    def choose(values):
        return [values[position] for position in random.integers(0, len(values), ROWS)]

    return {
        "country": choose(["at", "be", None, "ch"]),
        "month": choose([1, 2, 11]),
        "y": choose([*labels, *labels, *labels, None]),
        "p": choose([*labels, *labels, None]),
        "s": choose([0.1, 0.3, 0.7, 0.9, None]),
    }


FRAMES = {
    "pandas": pd.DataFrame,
    "pandas, nullable": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "pandas, Arrow": lambda columns: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "pandas, objects": lambda columns: pd.DataFrame(columns, dtype=object).assign(
        s=np.array(columns["s"], dtype=float)
    ),
    "polars": polars.DataFrame,
    "polars, lazy": polars.LazyFrame,
    "PyArrow": pyarrow.table,
    "DuckDB": lambda columns: duckdb.from_arrow(pyarrow.table(columns)),
}
"""Dask's and Spark's, which take long to start, are in tests/reference/slices/test_engines.py."""


SMALL = {"k": ["a", "a", "b", "b"], "y": [1, 0, 1, 0], "p": [1, 0, 0, 1]}


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize(
    "labels",
    [(1, 0), ("yes", "no"), (True, False), (1, 0, 2), ("cat", "dog", "owl", "ant")],
    ids=str,
)
@pytest.mark.slow
def test_rows_are_counted_by_two_keys_on_every_frame(make, labels):
    columns, keys = drawn(labels), ["country", "month"]
    frame, (yes, no) = pd.DataFrame(columns), labels[:2]
    options = {"y_true": "y", "y_pred": "p", "by": keys}
    if len(labels) == 2:
        pairs = {"tp": (yes, yes), "fp": (no, yes), "fn": (yes, no), "tn": (no, no)}
        rows = {name: frame["y"].eq(y) & frame["p"].eq(p) for name, (y, p) in pairs.items()}
        rows["missing"] = frame[["y", "p"]].isna().any(axis=1)
        expected = frame[keys].assign(**rows).groupby(keys, dropna=False).sum().reset_index()
        options["pos_label"] = yes
    else:
        by_pair = frame.groupby([*keys, "y", "p"], dropna=False).size()
        expected = by_pair.rename_axis([*keys, "true", "predicted"]).reset_index(name="count")
    slices = count_slices(make(columns), **options)
    assert list(slices) == list(expected)
    ours, theirs = (table.astype(object).fillna("") for table in (slices, expected))
    assert ours.to_numpy().tolist() == theirs.to_numpy().tolist()
    assert slices[list(rows) if len(labels) == 2 else ["count"]].dtypes.eq("int64").all()


def test_weights_of_pairs():
    columns = {"y": ["a", "a", "b", "c"], "p": ["a", "a", "b", "a"], "w": [0.5, 2, 3, 0]}
    pairs = count_slices(pd.DataFrame(columns), y_true="y", y_pred="p", sample_weight="w")
    assert pairs.to_dict("records") == [
        {"true": "a", "predicted": "a", "count": 2.5, "effective": 2.5**2 / (0.5**2 + 2**2)},
        {"true": "b", "predicted": "b", "count": 3.0, "effective": 1.0},
        {"true": "c", "predicted": "a", "count": 0.0, "effective": 0.0},
    ]


def test_the_text_1_is_the_positive_label_of_two_texts():
    frame = small(y=["1", "0", "1", "0"], p=["1", "0", "0", "1"])
    by_default = count_slices(frame, y_true="y", y_pred="p")
    assert by_default.equals(count_slices(frame, y_true="y", y_pred="p", pos_label="1"))


def small(**columns):
    return pd.DataFrame(SMALL | columns)


def test_weights():
    frame = small(k=list("aaab"), y=[1, 1, 0, 0], p=[1, 0, 1, 0], w=[0.5, 2, 3, 0])
    slices = count_slices(frame, y_true="y", y_pred="p", by="k", sample_weight="w")
    sizes = {"positives_effective": 2.5**2 / (0.5**2 + 2**2), "negatives_effective": 1.0}
    weighted = {"k": "a", "tp": 0.5, "fp": 3.0, "fn": 2.0, "tn": 0.0, "missing": 0, **sizes}
    without_weight = dict.fromkeys(weighted, 0) | {"k": "b"}
    assert slices.to_dict("records") == [weighted, without_weight]


@pytest.mark.parametrize("labels", [[1, 0, 1, 0, None], ["a", "b", "c", "a", None]])
def test_weights_that_are_whole_numbers_are_repeated_rows(labels):
    frame = pd.DataFrame({"y": labels, "p": labels[:1] * 5, "w": [3, 2.0, 1, 4, 5]})
    names = {"y_true": "y", "y_pred": "p"}
    repeated = frame.loc[frame.index.repeat(frame.w.astype(int))]
    weighted = count_slices(frame, **names, sample_weight="w")
    pd.testing.assert_frame_equal(weighted, count_slices(repeated, **names))


@pytest.mark.parametrize("kind", [polars.DataFrame, pyarrow.table])
@pytest.mark.slow
def test_null_and_nan_are_one_missing_key(kind):
    frame = kind({"k": [math.nan, None, 0.5, None], "y": SMALL["y"], "p": SMALL["p"]})
    slices = count_slices(frame, y_true="y", y_pred="p", by="k")
    assert slices.fillna(-1).to_numpy().tolist() == [[0.5, 0, 0, 1, 0, 0], [-1, 1, 1, 0, 1, 0]]


@pytest.mark.parametrize("largest", [2**62, 2**63, 2**64 - 1, 2**70], ids=str)
@pytest.mark.slow
def test_large_whole_numbers_stay_apart_beside_a_missing_one(largest):
    keys = [largest, largest - 1, None, largest]
    if largest < 2**64:
        keys = polars.Series(keys, dtype=polars.UInt64)
    make = polars.DataFrame if largest < 2**64 else pd.DataFrame
    frame = make({"k": keys, "y": SMALL["y"], "p": SMALL["p"]})
    slices = count_slices(frame, y_true="y", y_pred="p", by="k")
    assert [int(key) for key in slices.k.dropna()] == [largest - 1, largest]
    assert (slices[["tp", "fp", "fn", "tn"]].sum(axis=1) == [1, 2, 1]).all()


@pytest.mark.parametrize(
    ("keys", "categories", "ordered", "expected"),
    [
        ("aabb", ["c", "b", "a"], False, ["a", "b"]),
        ("aabb", ["c", "b", "a"], True, ["b", "a"]),
        (["Jan", "Dec"] * 2, ["Dec", "Jan"], True, ["Dec", "Jan"]),
    ],
)
def test_categories_are_sorted_as_what_they_stand_for_but_keep_an_order(
    keys, categories, ordered, expected
):
    frame = small(k=pd.Categorical(list(keys), categories, ordered=ordered))
    assert count_slices(frame, y_true="y", y_pred="p", by="k").k.tolist() == expected


@pytest.mark.slow
def test_keys_of_text_are_sorted_by_their_calendar():
    frame = pd.DataFrame(
        [(k, n, 1, 1) for k in ("Feb", "Apr", None, "Jan") for n in ("10", "9")],
        columns=["k", "n", "y", "p"],
    )
    slices = count_slices(frame, y_true="y", y_pred="p", by=["k", "n"])
    months = ["Jan", "Jan", "Feb", "Feb", "Apr", "Apr"]
    assert slices.k.tolist()[:6] == months
    assert slices.k.isna().tolist() == [False] * 6 + [True] * 2
    assert slices.n.tolist() == ["9", "10"] * 4
    shops = frame.replace({"Feb": "West", "Apr": "North", "Jan": "East"})
    slices = count_slices(shops, y_true="y", y_pred="p", by=["k", "n"])
    assert slices.k.tolist()[:6] == ["East"] * 2 + ["North"] * 2 + ["West"] * 2
    assert slices.n.tolist() == ["9", "10"] * 4


@pytest.mark.parametrize("column", ["k", "y", "p"])
@pytest.mark.parametrize("make", [pd.DataFrame, polars.DataFrame])
def test_floats_that_may_be_other_whole_numbers_are_refused(make, column):
    """A float as pandas makes it from 2^53 + 1 next to a missing value."""
    large = [2.0**53, None, 2.0**53, 2.0**53]
    with pytest.raises(ValueError, match=f"'{column}' has the float 9007199254740992, to which"):
        count_slices(make(SMALL | {column: large}), y_true="y", y_pred="p", by="k", pos_label=1)


@pytest.mark.parametrize("make", [pd.DataFrame, polars.DataFrame, pyarrow.table])
def test_large_labels_that_are_whole_numbers_stay_apart(make):
    labels = {"y": [2**53, 2**53 + 1, 2**53 + 1], "p": [2**53 + 1, 2**53 + 1, 2**53]}
    slices = count_slices(make(labels), y_true="y", y_pred="p", pos_label=2**53)
    assert slices.to_numpy().tolist() == [[0, 1, 1, 1, 0]]


@pytest.mark.parametrize(
    ("true", "predicted", "cells"),
    [
        (["1", "0", "1"], ["1.0", None, "0.0"], [1, 0, 1, 0, 1]),
        (["1.0", None, "1.0"], ["1", "0", "0"], [1, 0, 1, 0, 1]),
        (["1.0", "0.0", "1.0"], ["0.0", "1.0", "1.0"], [1, 1, 1, 0, 0]),
    ],
)
@pytest.mark.slow
def test_whole_numbers_that_pandas_wrote_beside_missing_ones(true, predicted, cells):
    frame = pd.DataFrame({"y": true, "p": predicted})
    slices = count_slices(frame, y_true="y", y_pred="p", pos_label="1")
    assert slices.to_numpy().tolist() == [cells]


def test_dates_are_dates_of_pandas():
    frame = polars.DataFrame(SMALL | {"k": [date(2026, 5, 1), None, date(2026, 4, 1), None]})
    keys = count_slices(frame, y_true="y", y_pred="p", by="k").k
    assert keys.tolist() == [pd.Timestamp("2026-04-01"), pd.Timestamp("2026-05-01"), pd.NaT]


def test_a_column_may_have_two_roles_and_any_name():
    frame = pd.DataFrame({"true": SMALL["y"], "rows": SMALL["p"]})
    slices = count_slices(frame, y_true="true", y_pred="rows", by=["true", "rows"])
    assert slices[["tp", "fp", "fn", "tn"]].sum().tolist() == [1, 1, 1, 1]
    assert list(slices)[:2] == ["true", "rows"]


def test_scores_of_single_precision_are_compared_as_float64():
    """0.7 in single precision is less than the threshold 0.7."""
    frame = small(s=np.array([0.7, 0.3, 0.7, 0.3], dtype=np.float32))
    slices = count_slices(frame, y_true="y", y_score="s", threshold=0.7)
    assert slices[["tp", "fn"]].to_numpy().tolist() == [[0, 2]]


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
@pytest.mark.slow
def test_scores_that_are_nan_are_missing_and_infinite_ones_refused(make):
    columns = {"y": [1, 0, 1, 0], "s": [0.9, math.nan, 0.1, 0.9]}
    options = {"y_true": "y", "y_score": "s", "threshold": 0.9}
    (row,) = count_slices(make(columns), **options).to_dict("records")
    assert row == {"tp": 1, "fp": 1, "fn": 1, "tn": 0, "missing": 1}
    for infinite in (math.inf, -math.inf):
        with pytest.raises(ValueError, match="y_score = 's' has an infinite number: expected fin"):
            count_slices(make(columns | {"s": [0.9, math.nan, 0.1, infinite]}), **options)


def test_a_frame_of_one_class_counts_as_the_labels_do():
    slices = count_slices(small(y=[0] * 4), y_true="y", y_pred="p")
    assert slices[["tp", "fp", "fn", "tn"]].to_numpy().tolist() == [[0, 2, 0, 2]]


LATE = LOOKED_AT + 10
MANY = {"k": ["a"] * LATE, "y": [1, 0] * (LATE // 2), "p": [0, 1] * (LATE // 2)}


def with_last(column, value):
    """Make a frame in which only the last row is invalid; the first rows are checked first."""
    return MANY | {column: [*MANY.get(column, [1.0] * LATE)[:-1], value]}


@pytest.mark.slow
@pytest.mark.parametrize("make", [pd.DataFrame, polars.LazyFrame])
def test_refusals_are_those_that_are_written(make):
    scores = list(np.linspace(0, 1, LATE))
    cases = [
        (SMALL, {"y_true": "yy"}),
        (SMALL, {"by": "kk"}),
        (SMALL, {"sample_weight": "w"}),
        (SMALL, {"y_true": 1}),
        (SMALL, {"by": 1}),
        (SMALL, {"by": ["k", "k"]}),
        (SMALL | {"tp": SMALL["k"]}, {"by": "tp"}),
        ({"y": [], "p": []}, {}),
        (SMALL, {"y_score": "s"}),
        (SMALL, {"y_pred": None}),
        (SMALL, {"threshold": 0.5}),
        (SMALL | {"y": [0, 1, 2, 0]}, {"pos_label": 1}),
        (with_last("y", 2), {"pos_label": 1}),
        (SMALL | {"y": [0, 2, 2, 0], "p": [0, 2, 0, 2]}, {}),
        (SMALL | {"y": [0, 1, 2, 0], "p": [0.5, 1, 2, 0]}, {}),
        ({"count": SMALL["k"], "y": [0, 1, 2, 0], "p": SMALL["p"]}, {"by": "count"}),
        (MANY | {"p": scores}, {}),
        (MANY | {"y": scores}, {}),
        (SMALL, {"pos_label": 2}),
        (SMALL, {"pos_label": "1"}),
        (SMALL | {"y": ["1"] * 4, "p": [1] * 4}, {}),
        (SMALL | {"y": [1] * 4, "p": [0.3] * 4}, {}),
        (SMALL | {"y": ["1", "1.0", "0", "0"], "p": ["1"] * 4}, {"pos_label": "1"}),
        (SMALL, {"pos_label": [1]}),
        (SMALL | {"w": list("abcd")}, {"sample_weight": "w"}),
        (with_last("w", None), {"sample_weight": "w"}),
        (with_last("w", -0.5), {"sample_weight": "w"}),
        (with_last("w", math.inf), {"sample_weight": "w"}),
        (with_last("w", 1e200), {"sample_weight": "w"}),
        (SMALL | {"w": [1e-200] * 4}, {"sample_weight": "w"}),
    ]
    options = {"y_true": "y", "y_pred": "p"}
    calls = [partial(count_slices, make(rows), **options | change) for rows, change in cases]
    of_scores = {"y_true": "y", "y_score": "p"}
    thresholds = (None, math.nan, 10**400)
    calls += [partial(count_slices, make(SMALL), **of_scores, threshold=cut) for cut in thresholds]
    calls.append(partial(count_slices, make(SMALL), y_true="y", y_score="k", threshold=0.5))
    twice = pd.concat([small(), small()[["y"]]], axis=1)
    no_frames = [[1, 2], pd.Series([1]), None, {"y": [1]}, twice]
    calls += [partial(count_slices, some, **options) for some in no_frames]
    check_refusals(Path(__file__).with_name("counting_refusals.txt"), calls)


@pytest.mark.parametrize("column", ["k", "y", "p"])
@pytest.mark.parametrize("make", [pd.DataFrame, polars.DataFrame])
def test_lists_in_a_column(make, column):
    frame = make(SMALL | {column: [[1], [0], [1], [0]]})
    with pytest.raises(ValueError, match=r"can't be grouped|expected single values"):
        count_slices(frame, y_true="y", y_pred="p", by="k")


def test_narwhals_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals.stable.v2", None)
    missing = _Library("narwhals.stable.v2", "a frame")
    monkeypatch.setattr("skewproof.core.data.frames.nw", missing)
    with pytest.raises(MissingExtraError, match=r'count_slices needs narwhals: pip install "skew'):
        count_slices(small(), y_true="y", y_pred="p")


def test_pyarrow_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert len(count_slices(small(), y_true="y", y_pred="p"))
    with pytest.raises(MissingExtraError, match="count_slices needs PyArrow: pip install"):
        count_slices(polars.DataFrame(SMALL), y_true="y", y_pred="p")


def test_labels_and_keys_of_half_precision():
    """pandas does not group rows by them."""
    frame = pd.DataFrame({"k": [1, 1, 2, 2], "y": [1, 0, 1, 0], "p": [1, 1, 0, 0]}, dtype="float16")
    counts = count_slices(frame, y_true="y", y_pred="p", by="k")
    assert counts.to_numpy().tolist() == [[1, 1, 1, 0, 0, 0], [2, 0, 0, 1, 1, 0]]


def with_copies(copies=0, **columns):
    """Return 1000 rows with labels and a feature, the last of which are repeated."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "y": random.integers(0, 2, 1000),
            "p": random.integers(0, 2, 1000),
            "weight": random.random(1000),
        }
    ).assign(**columns)
    return pd.concat([frame, frame[len(frame) - copies :]], ignore_index=True)


IDS = [f"person {number}" for number in range(1000)]


ENGINES = {"pandas": pd.DataFrame, "polars": polars.from_pandas, "DuckDB": duckdb.from_df}
IDENTIFIERS = ["patient_id", "PatientID", "user", "id", "Session", "doc-id", "hashed_user_id"]


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
@pytest.mark.parametrize("columns", [{}, {"id": IDS}, {"score": None, "id": IDS[::-1]}])
@pytest.mark.slow
def test_copies_are_counted(engine, columns):
    with pytest.warns(UserWarning, match=r"equal to others .*: 7 of 1007") as seen:
        count_slices(engine(with_copies(7, **columns)), y_true="y", y_pred="p")
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("engine", "name"),
    [
        *((pd.DataFrame, name) for name in IDENTIFIERS),
        *((engine, "caseId") for engine in ENGINES.values()),
    ],
)
@pytest.mark.slow
def test_identifiers_that_repeat_are_named(engine, name):
    frame = with_copies(**{name: np.arange(1000) // 2 * 1.0}).drop(columns="weight")
    frame.loc[:9, name] = None
    for some in (frame, frame.sample(frac=1, random_state=1)):
        with pytest.warns(GroupsWarning) as seen:
            count_slices(engine(some), y_true="y", y_pred="p")
        (warning,) = seen
        assert str(warning.message) == (
            f"'{name}' has 495 values in 990 rows; if rows belong together, name the column of"
            " their groups (groups=, --groups)"
        )


PATIENT = np.arange(1000) // 2
SILENT = {
    "unique": (with_copies(patient=np.arange(1000)), {}),
    "constant": (with_copies(patient=7), {}),
    "flags": (with_copies(patient=np.arange(1000) % 2 == 0), {}),
    "number": (with_copies(patients=np.arange(1000) % 9), {}),
    "words": (with_copies(idea=np.arange(1000) % 9, case=np.arange(1000) % 9), {}),
    "slices": (with_copies(patient=PATIENT), {"by": "patient"}),
    "groups": (with_copies(patient=PATIENT), {"groups": "patient"}),
    "two": (with_copies(patient=PATIENT, user=PATIENT), {"groups": "patient"}),
    "no copies": (with_copies(), {}),
    "ids": (with_copies(id=IDS), {}),
    "labels": (with_copies(7)[["y", "p"]], {}),
    "other ids": (with_copies(7, id=range(1000)).assign(id=range(1007)), {}),
    "pairs": (with_copies(weight=PATIENT), {}),
    "rounded": (with_copies(weight=np.arange(1000) % 150), {}),
    "nested": (with_copies(7, weight=[[1]] * 1000), {}),
    "constant weight": (with_copies(7, weight=0.5), {}),
}


@pytest.mark.parametrize(("frame", "options"), SILENT.values(), ids=SILENT)
def test_neither_groups_nor_copies_are_seen(frame, options, recwarn):
    count_slices(frame, **{"y_true": "y", "y_pred": "p"} | options)
    assert not recwarn


def test_the_remark_on_groups_and_copies_is_one():
    frame = with_copies(7, patient_id=np.arange(1000) // 2)
    with pytest.warns(GroupsWarning, match=r"'patient_id' has 500 .*; rows that are .*: 7 of 1007"):
        count_slices(frame, y_true="y", y_pred="p")


@pytest.mark.parametrize(
    "count",
    [
        lambda frame: count_scores(frame, y_true="y", y_score="score"),
        lambda frame: decision_curve(frame, y_true="y", y_prob="score", thresholds=[0.5]),
    ],
)
def test_copies_among_scores_are_counted(count, recwarn):
    scores = np.random.default_rng(1).random(1000)
    count(with_copies(score=scores))
    assert not recwarn
    count(with_copies(7, score=scores)[["y", "score"]])
    assert not recwarn
    with pytest.warns(UserWarning, match=r"equal to others .*: 7 of 1007"):
        count(with_copies(7, score=scores))
