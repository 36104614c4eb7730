from pathlib import Path

import pandas as pd
import pytest

from figure_text import figure_text
from skewproof_studies.choices.figures import paths_figure, tpr_figure
from skewproof_studies.choices.groups import group_table
from skewproof_studies.choices.report import (
    BETWEEN,
    EVERYTHING,
    NOTHING,
    STAYS,
    choices_report,
    fates,
    missing_table,
)
from written import check_written

LABELS = {"equal": "d = 2, b = 1", "wide": "d = 2, b = 0.7"}


@pytest.fixture(scope="module")
def groups(found, registry, levels):
    return group_table(found.points, registry, levels, positives=100, seed=1)


@pytest.mark.slow
def test_reasons_are_counted_without_the_metrics_name(found):
    reason = found.missing["reason"].str.replace("frequency_bias", "bias_index")
    again = found.missing.assign(metric="bias_index", reason=reason)
    table = missing_table(pd.concat([found.missing, again]))
    assert table["metrics"].to_list() == [2, 2]
    assert table["which"].to_list() == ["`frequency_bias`, `bias_index`"] * 2


@pytest.mark.slow
def test_the_whole_report(found, groups, registry, levels):
    options = {"levels": levels, "positives": 100, "labels": LABELS, "registry": registry}
    check_written(
        Path(__file__).with_name("report.txt"),
        with_tables=choices_report(found, groups, **options, tables=True),
        without=choices_report(found, groups, **options, tables=False),
    )


@pytest.mark.slow
def test_the_figures(found, curves, registry):
    """Precision and F1 have the same points, and share a line."""
    both, nothing = (found.points, found.limits), (found.points[:0], found.limits[:0])
    check_written(
        Path(__file__).with_name("figures.txt"),
        paths=figure_text(paths_figure(*both, curves, registry=registry)),
        tpr=figure_text(tpr_figure(*both, fates(*both), LABELS, registry=registry)),
        no_paths=figure_text(paths_figure(*nothing, curves, registry=registry)),
        no_tpr=figure_text(tpr_figure(*nothing, fates(*nothing), LABELS, registry=registry)),
    )


@pytest.mark.parametrize(
    ("path", "limit", "fate"),
    [
        ([(0.8, 0.1), (0.8, 0.1)], (0.8, 0.1), STAYS),
        ([(0.8, 0.1), (0.8, 0.1)], (0.8, 0.2), BETWEEN),
        ([(0.8, 0.1), (0.1, 0.0)], (0.009, 0.0), NOTHING),
        ([(0.8, 0.1), (0.9, 0.6)], (1.0, 0.999), EVERYTHING),
        ([(0.0, 0.0), (0.0, 0.0)], (0.0, 0.0), STAYS),
    ],
)
@pytest.mark.slow
def test_what_becomes_of_a_point(path, limit, fate):
    points = pd.DataFrame(path, columns=["tpr", "fpr"]).assign(metric="f1", curve="d2")
    limits = pd.DataFrame([limit], columns=["tpr", "fpr"]).assign(metric="f1", curve="d2")
    assert fates(points, limits)["fate"].to_list() == [fate]


def test_a_limit_of_a_metric_without_points_has_no_fate():
    empty = pd.DataFrame(columns=["metric", "curve", "tpr", "fpr"])
    limits = pd.DataFrame({"metric": ["f1"], "curve": "d2", "tpr": 0.0, "fpr": 0.0})
    assert fates(empty, limits).empty
