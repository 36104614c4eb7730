import math

import pandas as pd
import pytest

from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS
from skewproof.metrics.atlas import ATLAS
from skewproof.sensitivity.label_errors.indices import RESOLVED
from skewproof_studies.atlas.label_errors import (
    CROSSING_TYPES,
    SHARE_TYPES,
    half_share_table,
    label_error_report,
    scaled,
    share_table,
    wide_shares,
    with_samples,
)
from skewproof_studies.atlas.label_errors_figure import PARTS, label_errors_figure

pytestmark = pytest.mark.slow

LEVELS = Level(1, 1), Level(1, 1000)
EXAMINED = [METRICS[key] for key in ("accuracy", "precision", "true_positive_rate")]
NO_ERRORS = {"largest_false_positive_rate": 0.0, "largest_false_negative_rate": 0.0}


def made_table(*rows):
    """Tabulate given shares of the six inputs and groups, with a row per measure and level."""
    inputs = ["tpr", "fpr", "label_fpr", "label_fnr", "classifier", "labels"]
    columns = ["measure", "level", "input", "s1", "st", "error"]
    table = pd.DataFrame(
        [
            (measure, level, name, share, share, 1e-6)
            for measure, level, shares in rows
            for name, share in zip(inputs, shares, strict=True)
        ],
        columns=columns,
    )
    sampled = {f"{name}_sampled": table[name] for name in ("s1", "st")}
    errors = {f"{name}_standard_error": 0.01 for name in ("s1", "st")}
    return table.assign(**sampled, **errors)


TABLE = made_table(
    ("f1", "1:1", [0.5, 0.4, 0, 0, 0.97, 0.02]),
    ("mcc", "1:1", [0.5, 0.4, 0, 0, 0.95, 0.01]),
    ("true_positive_rate", "1:1", [0.9, 0.0, 0, 0, 0.99, 0.0]),
    ("f1", "1:1000", [0.1, 0.1, 0.6, 0, 0.25, 0.625]),
    ("mcc", "1:1000", [0.2, 0.2, 0.05, 0, 0.45, 0.0625]),
    ("true_positive_rate", "1:1000", [0.02, 0.9, 0, 0, 0.96, 0.0]),
)
CROSSINGS = pd.DataFrame({"measure": ["f1"], "negatives_per_positive": [51.51], "error": [1e-9]})


def report(table=TABLE, crossings=CROSSINGS, levels=("1:1", "1:1000")):
    return label_error_report(
        table,
        crossings,
        levels=levels,
        largest_false_positive_rate=0.1,
        largest_false_negative_rate=0.2,
    )


def test_tables_of_the_same_measures_at_all_levels():
    metrics = scaled(EXAMINED)
    parts = []
    for level in LEVELS:
        exact = share_table(metrics, level, 100)
        options = {"log2_samples": 9, "scrambles": 8, "seed": 1}
        parts.append(with_samples(exact, metrics, level, 100, **options))
    table = pd.concat(parts)
    assert len(table) == len(LEVELS) * len(EXAMINED) * 6
    near = (table["st_sampled"] - table["st"]).abs() <= 6 * table["st_standard_error"] + 0.01
    assert near.all()
    crossing = half_share_table(metrics, 100, *LEVELS)
    assert crossing["measure"].tolist() == ["precision"]
    assert (crossing["error"] <= RESOLVED).all()
    (ratio,) = crossing["negatives_per_positive"]
    sides = share_table([METRICS["precision"]], Level(1, int(ratio)), 100)
    beyond = share_table([METRICS["precision"]], Level(1, int(ratio) + 1), 100)
    assert sides["st"].iloc[-1] < 1 / 2 < beyond["st"].iloc[-1]


def test_a_crossing_that_is_not_resolved_has_a_row_with_its_error():
    metrics = scaled([ATLAS["symmetric_lambda"]])
    found = half_share_table(metrics, 100, Level(1, 50), Level(1, 150))
    assert (found["error"] > RESOLVED).tolist() == [True]
    (ratio,) = found["negatives_per_positive"]
    assert 50 < ratio < 150
    first, last = (share_table(metrics, level, 100)["st"].iloc[-1] for level in LEVELS)
    assert first < 1 / 2 < last


def test_measures_without_bounds_or_variance_are_left_out(caplog):
    half_bounded = Metric("half", "h", "half", "here", lambda c: c.tp, bounds=(5.0, 5.0))
    constant = Metric("constant", "c", "constant", "here", lambda c: 0 * c.tp + 0.3)
    metrics = scaled([half_bounded, constant, METRICS["accuracy"]])
    assert "half has no shares under wrong labels" in caplog.text
    table = share_table(metrics, Level(1, 1), 100, **NO_ERRORS)
    assert set(table["measure"]) == {"accuracy"}


def test_parts_add_up_and_fall_by_the_labels():
    parts = wide_shares(TABLE, "1:1000")
    assert parts.index.tolist() == ["f1", "mcc", "true_positive_rate"]
    assert parts["labels_total"].tolist() == pytest.approx([0.75, 0.55, 0.04])
    assert parts[list(PARTS)].sum(axis=1).tolist() == pytest.approx([1, 1, 1])
    assert parts.loc["f1", "both"] == pytest.approx(0.125)
    assert parts.loc["f1", "rates"] == pytest.approx(0.05)


def test_report_in_numbers():
    text = report()
    assert "labeled positive is uniform from 0 to 0.1, and" in text
    assert "labeled negative is uniform from 0 to 0.2." in text
    assert "contribute to more than half of the variance of 2 of 3 measures" in text
    assert "At 1:1 the largest such share is 5.0 % (`mcc`)." in text
    assert "is the share of the labels alone: `f1` (62.5 %)." in text
    assert "contribute to 4.0 % of the variance of the apparent true positive rate" in text
    assert "The false positive rate alone explains 90.0 %" in text
    assert "| f1        | 1:51.51 |" in text
    assert "not resolved" not in text
    assert "For every other measure of the last table below, the share is on the same side" in text
    assert "72 sampled shares, of which 72 are within" in text


@pytest.mark.parametrize("error", [2 * RESOLVED, math.nan])
def test_a_crossing_that_is_not_resolved_says_so(error):
    crossings = pd.concat([CROSSINGS, CROSSINGS.assign(measure="mcc", error=error)])
    text = report(crossings=crossings)
    assert "| f1        | 1:51.51                |" in text
    assert "| mcc       | 1:51.51 (not resolved) |" in text
    assert f"differs from one half by more than {RESOLVED}." in text


def test_report_of_labels_that_do_no_harm():
    balanced = TABLE[TABLE["measure"] != "true_positive_rate"].query("level == '1:1'")
    text = report(
        pd.concat([balanced, balanced.assign(level="1:2", s1_sampled=9.0)]),
        CROSSINGS.head(0),
        levels=["1:1", "1:2"],
    )
    assert "The labels alone explain more of the variance" in text
    assert "on the same side of one half at all levels examined between 1:1" in text
    assert "apparent true positive rate" not in text
    assert "48 sampled shares, of which 36 are within" in text


def test_without_shares_there_are_empty_tables_and_sentences_that_say_so(tmp_path):
    options = {"log2_samples": 4, "scrambles": 2, "seed": 1}
    exact = share_table([], Level(1, 1), 100, **NO_ERRORS)
    made = {
        "shares": with_samples(exact, [], Level(1, 1), 100, **options, **NO_ERRORS),
        "crossings": half_share_table([], 100, Level(1, 1), Level(1, 2), **NO_ERRORS),
    }
    read = {}
    for (name, table), types in zip(made.items(), (SHARE_TYPES, CROSSING_TYPES), strict=True):
        assert list(table.columns) == list(types)
        table.to_csv(tmp_path / name, index=False)
        read[name] = pd.read_csv(tmp_path / name, dtype=types)
        assert read[name].empty
    text = report(*read.values())
    assert text.endswith("unbounded or not resolved.\n")
    assert "The shares at 1:1000 are not known for any measure: each is constant" in text
    (sentence,) = label_errors_figure(read["shares"], "1:1", "1:1000").texts
    assert sentence.get_text().startswith("No measure has shares under wrong labels both at 1:1 ")


def test_shares_at_the_last_level_alone():
    table = pd.concat([TABLE.head(0), TABLE[TABLE["level"] == "1:1000"]])
    text = report(table)
    assert "of 3 measures. The shares at 1:1 are not known for any measure." in text
    assert label_errors_figure(table, "1:1", "1:1000").texts


def test_bars_end_at_1_in_the_order_of_the_labels():
    figure = label_errors_figure(TABLE, "1:1", "1:1000")
    for axes, level in zip(figure.axes, ("1:1", "1:1000"), strict=True):
        assert axes.get_title() == level
        parts = wide_shares(TABLE, level)
        (*_, of_labels) = axes.containers
        ends = [bar.get_x() + bar.get_width() for bar in of_labels]
        assert ends == pytest.approx([1, 1, 1])
        widths = [bar.get_width() for bar in of_labels]
        order = ["f1", "mcc", "true_positive_rate"]
        assert widths == pytest.approx(parts.loc[order, "labels"].tolist())
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names == ["f1", "mcc", "true_positive_rate"]
