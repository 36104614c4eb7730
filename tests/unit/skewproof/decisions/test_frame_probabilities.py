"""Cut-offs and net benefits of frames of several engines, beside those of arrays."""

import functools
import re

import dask.dataframe
import duckdb
import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest

from skewproof import choose_threshold, decision_curve

ENGINES = {
    "pandas": lambda frame: frame,
    "polars": polars.from_pandas,
    "polars lazy": lambda frame: polars.from_pandas(frame).lazy(),
    "PyArrow": pyarrow.Table.from_pandas,
    "DuckDB": duckdb.from_df,
    "Dask": lambda frame: dask.dataframe.from_pandas(frame, npartitions=2),
}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:Dask support is moving"),
]

RANDOM = np.random.default_rng(6)
TRUE = RANDOM.random(3000) < 0.1
SCORES = RANDOM.normal(3 * TRUE)
KNOWN = pd.DataFrame(
    {
        "y": np.where(TRUE, "late", "in time"),
        "score": SCORES,
        "forest": np.round(1 / (1 + np.exp(4 - SCORES)), 2),
        "net": np.round(1 / (1 + np.exp(3 - 2 * SCORES)), 3),
    }
)
"""Probabilities are rounded so that many are equal to a threshold."""

LACKING = pd.concat([KNOWN[:3]] * 3, ignore_index=True)
for row, name in enumerate(["y", "score", "forest", "net"]):
    LACKING.loc[row, name] = None
LACKING = LACKING[:4]

COLUMNS = {"y_true": "y", "y_score": "score", "pos_label": "late"}
MODELS = {"y_true": "y", "y_prob": ["forest", "net"], "pos_label": "late"}
WANTED = {"at": "1:100", "require": "precision >= 0.3"}


def alike(result, expected):
    """Return whether two results have the same cut-off, for the same reasons."""
    assert result.threshold == pytest.approx(expected.threshold, abs=0, nan_ok=True)
    pd.testing.assert_frame_equal(result.tested, expected.tested, check_exact=True)
    pd.testing.assert_frame_equal(result.rates, expected.rates, check_exact=True)


def lowered(scores, bins):
    """Replace each score by the smallest of its bin."""
    width = (scores.max() - scores.min()) / bins
    return scores.groupby(((scores - scores.min()) / width).round()).transform("min")


@functools.cache
def chosen_of_lowered(bins):
    return choose_threshold(TRUE, lowered(KNOWN.score, bins), pos_label=True, **WANTED)


@pytest.mark.parametrize(
    ("engine", "bins"), [*((engine, 400) for engine in ENGINES), ("DuckDB", 25)]
)
def test_the_cut_off_is_that_of_scores_lowered_to_their_bins(engine, bins):
    frame = pd.concat([LACKING[:2], KNOWN], ignore_index=True)
    chosen = choose_threshold(ENGINES[engine](frame), bins=bins, **COLUMNS, **WANTED)
    assert chosen.promised
    alike(chosen, chosen_of_lowered(bins))


@pytest.mark.parametrize(
    "wanted",
    [
        WANTED,
        WANTED | {"require": ["precision >= 0.2", "recall >= 0.5"], "maximize": "f1"},
        {"at": "1:1000", "require": "alarms <= 10", "per": 1000, "confidence": 0.8},
        WANTED | {"start": 2.5},
        WANTED | {"start": "everywhere"},
        WANTED | {"require": "precision >= 0.999"},
    ],
)
def test_many_bins_have_the_cut_off_of_the_array(wanted):
    counted = 10_000_000  # so many that each has one score
    chosen = choose_threshold(KNOWN, bins=counted, **COLUMNS, **wanted)
    expected = choose_threshold(TRUE, SCORES, pos_label=True, **wanted)
    alike(chosen, expected)
    assert chosen.sentence == expected.sentence


def test_a_wide_bin_at_the_cut_off_is_told():
    wanted = WANTED | {"require": "precision >= 0.1"}
    chosen = choose_threshold(KNOWN, bins=8, **COLUMNS, **wanted)
    same = KNOWN.score[lowered(KNOWN.score, 8) == chosen.threshold]
    end = f"from it to {same.max():.4g}, among which no cut-off was tested."
    tied = f"{len(same)} of 3000 instances have scores {end}"
    assert chosen.sentence.endswith(tied)


OPTIONS = {
    "default": {},
    "elsewhere": {"at": "1:200", "trained": "1:9"},
    "three thresholds": {"thresholds": [0.5, 0.2, 0.5], "confidence": 0.8},
}


@functools.cache
def curve_of_arrays(name):
    return decision_curve(KNOWN.y, KNOWN[["forest", "net"]], pos_label="late", **OPTIONS[name])


@pytest.mark.parametrize(
    ("engine", "name"),
    [*((engine, "elsewhere") for engine in ENGINES), *(("pandas", name) for name in OPTIONS)],
)
def test_the_curve_is_that_of_the_arrays(engine, name):
    frame = pd.concat([LACKING.drop(index=1), KNOWN], ignore_index=True)
    curve = decision_curve(ENGINES[engine](frame), **MODELS, **OPTIONS[name])
    pd.testing.assert_frame_equal(curve, curve_of_arrays(name), check_exact=True)


def test_a_thousand_thresholds_are_not_too_many():
    thresholds = np.arange(1, 1000) / 1000
    options = {"thresholds": thresholds, "pos_label": "late"}
    curve = decision_curve(ENGINES["DuckDB"](KNOWN), y_true="y", y_prob="net", **options)
    expected = decision_curve(KNOWN.y, KNOWN[["net"]], **options)
    pd.testing.assert_frame_equal(curve, expected, check_exact=True)


@pytest.mark.parametrize(
    ("frame", "changes", "message"),
    [
        (KNOWN, {"y_prob": "score"}, "y_prob['score'] = -"),
        (KNOWN.assign(net=1.5), {}, "y_prob['net'] = 1.5: expected probabilities from 0 to 1"),
        (KNOWN.assign(net=np.inf), {}, "y_prob['net'] = inf: expected probabilities from 0 to 1"),
        (KNOWN, {"y_prob": []}, "y_prob = []: expected one or several different columns"),
        (KNOWN, {"y_prob": ["net", "net"]}, "expected one or several different"),
        (KNOWN, {"y_prob": "nett"}, "y_prob = 'nett': expected one of the columns"),
        (KNOWN, {"y_prob": "y"}, "y_prob = 'y' is of the type String: expected numbers"),
        (KNOWN[TRUE], {}, "the rows with a score have one class"),
        (KNOWN[:0], {}, "the rows with a score have no labels"),
        (KNOWN.assign(**{"treat all": 0.5}), {"y_prob": "treat all"}, "another name for a model"),
    ],
)
def test_refused_curves(frame, changes, message):
    with pytest.raises((KeyError, ValueError), match=re.escape(message)):
        decision_curve(frame, **MODELS | changes)


@pytest.mark.parametrize(
    ("frame", "changes", "message"),
    [
        (KNOWN.assign(score=-SCORES), {}, "y_score is higher for negatives than for positives"),
        (KNOWN.assign(score=2.0), {}, "y_score is 2 everywhere: expected scores that differ"),
        (KNOWN, {"bins": 0}, "bins = 0: expected"),
        (KNOWN, {"start": 99}, "start = 99: expected a cut-off that scores reach"),
    ],
)
def test_refused_cut_offs(frame, changes, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        choose_threshold(frame, **COLUMNS | WANTED | changes)
