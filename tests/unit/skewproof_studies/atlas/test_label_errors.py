import math
from pathlib import Path

import pandas as pd
import pytest

from figure_text import figure_text
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
from written import check_written

pytestmark = pytest.mark.slow

LEVELS = Level(1, 1), Level(1, 1000)
EXAMINED = [METRICS[key] for key in ("accuracy", "precision", "true_positive_rate")]
NO_ERRORS = {"largest_false_positive_rate": 0.0, "largest_false_negative_rate": 0.0}


def made_table(*rows):
    """Tabulate given shares of the six inputs and groups, with a row per measure and level."""
    inputs = ["tpr", "fpr", "label_fpr", "label_fnr", "classifier", "labels"]
    columns = ["measure", "level", *inputs]
    wide = pd.DataFrame([(*row[:2], *row[2]) for row in rows], columns=columns)
    table = wide.melt(["measure", "level"], var_name="input", value_name="s1")
    table = table.sort_values(["measure", "level"], kind="stable", ignore_index=True)
    shares = dict.fromkeys(("st", "s1_sampled", "st_sampled"), table["s1"])
    errors = dict.fromkeys(("s1_standard_error", "st_standard_error"), 0.01)
    return table.assign(**shares, error=1e-6, **errors)


TABLE = made_table(
    ("f1", "1:1", [0.5, 0.4, 0, 0, 0.97, 0.02]),
    ("mcc", "1:1", [0.5, 0.4, 0, 0, 0.95, 0.01]),
    ("true_positive_rate", "1:1", [0.9, 0.0, 0, 0, 0.99, 0.0]),
    ("f1", "1:1000", [0.1, 0.1, 0.6, 0, 0.25, 0.625]),
    ("mcc", "1:1000", [0.2, 0.2, 0.05, 0, 0.45, 0.0625]),
    ("true_positive_rate", "1:1000", [0.02, 0.9, 0, 0, 0.96, 0.0]),
)
CROSSINGS = pd.DataFrame({"measure": ["f1"], "negatives_per_positive": [51.51], "error": [1e-9]})


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
    assert found["negatives_per_positive"].between(50, 150).all()


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


def test_without_shares_there_are_empty_tables_and_sentences_that_say_so(tmp_path):
    options = {"log2_samples": 4, "scrambles": 2, "seed": 1}
    exact = share_table([], Level(1, 1), 100, **NO_ERRORS)
    made = {
        "shares": with_samples(exact, [], Level(1, 1), 100, **options, **NO_ERRORS),
        "crossings": half_share_table([], 100, Level(1, 1), Level(1, 2), **NO_ERRORS),
    }
    for (name, table), types in zip(made.items(), (SHARE_TYPES, CROSSING_TYPES), strict=True):
        assert list(table.columns) == list(types)
        table.to_csv(tmp_path / name, index=False)
        assert pd.read_csv(tmp_path / name, dtype=types).empty
    (sentence,) = label_errors_figure(made["shares"], "1:1", "1:1000").texts
    assert sentence.get_text().startswith("No measure has shares under wrong labels both at 1:1 ")
    assert label_errors_figure(TABLE[TABLE["level"] == "1:1000"], "1:1", "1:1000").texts


def test_the_whole_report():
    unresolved = [CROSSINGS.assign(measure="mcc", error=error) for error in (1.0, math.nan)]
    harmless = TABLE[TABLE["measure"] != "true_positive_rate"].query("level == '1:1'")
    harmless = pd.concat([harmless, harmless.assign(level="1:2", s1_sampled=9.0)])
    none = TABLE.head(0), CROSSINGS.head(0)
    cases = {
        "all_known": (TABLE, CROSSINGS),
        "not_resolved": (TABLE, pd.concat([CROSSINGS, *unresolved])),
        "no_harm": (harmless, none[1]),
        "the_last_level_alone": (TABLE[TABLE["level"] == "1:1000"], CROSSINGS),
        "nothing_known": none,
    }
    rates = {"largest_false_positive_rate": 0.1, "largest_false_negative_rate": 0.2}
    check_written(
        Path(__file__).with_name("label_errors.txt"),
        **{
            name: label_error_report(
                *tables, levels=["1:1", "1:2" if name == "no_harm" else "1:1000"], **rates
            )
            for name, tables in cases.items()
        },
        figure=figure_text(label_errors_figure(TABLE, "1:1", "1:1000")),
    )
