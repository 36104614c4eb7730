"""The same counts, estimates and plans from six engines, on up to a million rows with missing keys,
labels and scores."""

import importlib
import os
import sys

import numpy as np
import pandas as pd
import pytest
from needs import needs
from sklearn.metrics import confusion_matrix

from skewproof import (
    ConfusionMatrix,
    Prevalence,
    check_fit,
    choose_threshold,
    decision_curve,
    interval,
    plan_labels,
    score_unlabeled,
)
from skewproof.slices.counting import count_slices

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:Dask support is moving"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas"),
]

ROWS = 1_000_000
KEYS = ["month", "country"]
CELLS = ["tp", "fp", "fn", "tn"]
THRESHOLD = 0.25
QUESTIONS = {
    "labels": {"y_pred": "p"},
    "weights": {"y_pred": "p", "sample_weight": "w"},
    "scores": {"y_score": "s", "threshold": THRESHOLD},
}


def installed(module):
    """Import an engine's library; without it skip the test, or fail it where all are required."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        reason = f"{module} is not installed: pip install {module.partition('.')[0]}"
        (pytest.fail if os.environ.get("SKEWPROOF_CI") else pytest.skip)(reason)


@pytest.fixture(scope="module")
def rows():
    """Rows of 10 months and 10 countries, where a month, a country, labels and scores are missing.

    Scores and weights are fractions of powers of 2: scores are equal to the threshold, and sums of
    weights have no rounding.
    """
    random = np.random.default_rng(1)
    positive, called = random.random(ROWS) < 0.1, random.random(ROWS) < 0.2
    frame = pd.DataFrame(
        {
            "month": random.integers(1, 11, ROWS),
            "country": np.array(list("abcdefghij"))[random.integers(0, 10, ROWS)],
            "y": np.where(positive, "late", "in time"),
            "p": np.where(called, "late", "in time"),
            "s": random.integers(0, 64, ROWS) / 64,
            "w": random.integers(1, 9, ROWS) / 4,
        }
    )
    frame["month"] = frame.month.where(frame.month < 10)
    frame["country"] = frame.country.where(frame.country < "j")
    for column in ("y", "p", "s"):
        frame[column] = frame[column].where(random.random(ROWS) > 0.02)
    return frame


@pytest.fixture(scope="module")
def expected(rows):
    """Cells, rows left out and effective sizes by scikit-learn's confusion matrix of each slice."""
    return {
        name: {
            tuple(None if pd.isna(key) else key for key in keys): of_slice(rows_of, options)
            for keys, rows_of in rows.groupby(KEYS, dropna=False)
        }
        for name, options in QUESTIONS.items()
    }


def of_slice(rows, options):
    predicted = rows.p if "y_pred" in options else rows.s
    left = rows[rows.y.notna() & predicted.notna()]
    true, weights = left.y == "late", left.w if "sample_weight" in options else None
    called = left.p == "late" if "y_pred" in options else left.s >= THRESHOLD
    (tn, fp), (fn, tp) = confusion_matrix(true, called, sample_weight=weights)
    found = [tp, fp, fn, tn, len(rows) - len(left)]
    if weights is not None:
        classes = (weights[true], weights[~true])
        found += [pytest.approx(of.sum() ** 2 / (of**2).sum(), rel=1e-14) for of in classes]
    return found


def of_pandas(rows, folder):
    return rows


def of_polars(rows, folder):
    return installed("polars").from_pandas(rows).lazy()


def of_pyarrow(rows, folder):
    return installed("pyarrow").Table.from_pandas(rows, preserve_index=False)


def of_duckdb(rows, folder):
    return installed("duckdb").from_df(rows)


def of_dask(rows, folder):
    return installed("dask.dataframe").from_pandas(rows, npartitions=4)


def of_pyspark(rows, folder):
    needs("java", "default-jre-headless")
    sql = installed("pyspark.sql")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "512m",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "1",
    }
    builder = sql.SparkSession.builder.master("local[1]")
    for setting, value in settings.items():
        builder = builder.config(setting, value)
    rows.to_parquet(folder / "rows.parquet", index=False)
    return builder.getOrCreate().read.parquet(str(folder / "rows.parquet"))


ENGINES = [of_pandas, of_polars, of_pyarrow, of_duckdb, of_dask, of_pyspark]


@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_counts_from_every_engine(rows, expected, engine, tmp_path):
    frame = engine(rows, tmp_path)
    for name, options in QUESTIONS.items():
        slices = count_slices(frame, y_true="y", by=KEYS, pos_label="late", **options)
        keys = [
            tuple(None if pd.isna(key) else key for key in row)
            for row in slices[KEYS].itertuples(index=False)
        ]
        found = dict(zip(keys, slices.drop(columns=KEYS).to_numpy().tolist(), strict=True))
        assert found == expected[name]
        assert len(slices) == 100


LABELED = pd.DataFrame(
    {
        "y": ["late"] * 60 + ["in time"] * 940,
        "p": (["late"] * 48 + ["in time"] * 12) + (["late"] * 19 + ["in time"] * 921),
        "s": [*np.linspace(0.125, 0.875, 60), *np.linspace(0, 0.3125, 940)],
    }
)
"""A reference with labels, of which about a fifth and a twentieth are called late."""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("question", ["labels", "scores"])
def test_the_same_estimates_without_labels_from_every_engine(rows, engine, question, tmp_path):
    """The number of instances in every bin of the score is that of each slice's own scores."""
    few = rows[rows["country"].isin(["a", "b"])].drop(columns="y")
    scores = LABELED["s"].sample(len(few), replace=True, random_state=1).to_numpy()
    few = few.assign(s=np.where(few["s"].isna(), np.nan, scores))
    options = {"y_true": "y", "pos_label": "late", "metrics": "f1", **QUESTIONS[question]}
    found = score_unlabeled(engine(few, tmp_path), LABELED, by="country", **options)
    for country, some in few.groupby("country"):
        estimates = found[found["country"] == country].set_index("metric")
        column = "p" if question == "labels" else "s"
        known = some[column].dropna()
        called = int(((known == "late") if question == "labels" else known >= THRESHOLD).sum())
        row = estimates.loc["prevalence"]
        sizes = (called, len(known), len(some) - len(known))
        assert tuple(row[["called", "instances", "missing"]]) == sizes
        if question == "labels":
            matrix = ConfusionMatrix.from_labels(LABELED["y"], LABELED["p"], pos_label="late")
            at = Prevalence.from_predictions(matrix, called=called, total=len(known))
        else:
            reference = LABELED["y"], LABELED["s"]
            at = Prevalence.from_scores(*reference, known, threshold=THRESHOLD, pos_label="late")
            assert row["fit_p"] == check_fit(at).p
        expected = interval("f1", at.reference.pair, at=at)
        numbers = (expected.value, expected.low, expected.high)
        assert tuple(estimates.loc["f1", ["value", "low", "high"]]) == numbers


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("question", ["labels", "scores"])
def test_the_same_rows_to_label_from_every_engine(rows, engine, question, tmp_path):
    few = rows[:20_000].assign(id=[f"t{place % 1000:03d}{place}" for place in range(20_000)])
    options = {"row_id": "id", "labels": 200, "pos_label": "late", **QUESTIONS[question]}
    without = int(few["p" if question == "labels" else "s"].isna().sum())
    with pytest.warns(UserWarning, match=f"left out: {without}"):
        found = plan_labels("f1", engine(few, tmp_path), **options)
    with pytest.warns(UserWarning, match="left out"):
        expected = plan_labels("f1", few, **options)
    assert found.rows.tolist() == expected.rows.tolist() == sorted(found.rows)
    assert found.stratum.tolist() == expected.stratum.tolist()
    assert found.strata["size"].sum() == 20_000 - without


@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_decisions_from_every_engine(rows, engine, tmp_path):
    """Scores have 64 values, which bins tell apart: nothing is lost."""
    random, late = np.random.default_rng(2), (rows["y"] == "late").to_numpy()
    drawn = random.binomial(63, np.where(late, 0.6, 0.4)) / 64
    scored = rows.assign(s=np.where(rows["s"].isna(), np.nan, drawn))
    frame, known = engine(scored, tmp_path), scored.dropna(subset=["y", "s"])
    wanted = {"at": "1:100", "require": "precision >= 0.3", "pos_label": "late"}
    found = choose_threshold(frame, y_true="y", y_score="s", **wanted)
    expected = choose_threshold(known["y"], known["s"], **wanted)
    assert found.promised
    assert found.threshold == expected.threshold
    pd.testing.assert_frame_equal(found.tested, expected.tested, check_exact=True)
    options = {"at": "1:1000", "trained": "1:9", "pos_label": "late"}
    curve = decision_curve(frame, y_true="y", y_prob="s", **options)
    expected = decision_curve(known["y"], known[["s"]], **options)
    pd.testing.assert_frame_equal(curve, expected, check_exact=True)
