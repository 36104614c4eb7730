import re
from pathlib import Path

import pandas as pd
import pytest

from skewproof.metrics import METRICS
from skewproof_studies.van_zyl.discrepancies import equations, tables
from skewproof_studies.van_zyl.discrepancies.report import discrepancies, discrepancy_report
from skewproof_studies.van_zyl.paper import PAPER_METRICS
from written import check_written

pytestmark = pytest.mark.slow  # they wait for tables that take long

RESOURCES = Path(__file__).parents[4] / "resources/van_zyl"
PRINTED = pd.read_csv(RESOURCES / "printed.csv", dtype=str)
REAL_WORLD = pd.read_csv(RESOURCES / "printed_real_world.csv", dtype=str)

WIDTHS = pd.DataFrame({"s1_conf": [7e-3, 8e-3], "error": [2e-6, 3e-6]})
APPENDIX = PRINTED["table"].isin(["a12", "a13", "a14", "a15", "a16"])
digits = tables.printed_digits
ROOTS = ["fowlkes_mallows", "precision_recall_root_mean", "sensitivity_specificity_root_mean"]


@pytest.fixture(scope="module")
def found():
    return discrepancies(PRINTED, WIDTHS, REAL_WORLD)


@pytest.fixture(scope="module")
def exact():
    """Exact scores of the appendix, once for all papers that differ in print only."""
    return tables.exact_scores(METRICS[key] for key in PAPER_METRICS)


def test_the_numbers_show_each(found):
    assert len({one.place for one in found}) == len(found) == 25
    assert all(one.shown for one in found)
    report = re.sub(r"to within \S+", "to within ROUNDING", discrepancy_report(found))
    check_written(Path(__file__).with_name("discrepancies.txt"), report=report)


def printed(own, value):
    """Read the paper with another number where it is printed so."""
    return digits(PRINTED.assign(printed=PRINTED["printed"].mask(own, value)))


def test_a_paper_without_the_error_has_no_discrepancy(exact):
    column, metric = PRINTED["column"], PRINTED["metric"]
    swapped = column.mask(APPENDIX, column.replace({"tp": "fp", "fp": "tp"}))
    assert not tables.swapped_columns(digits(PRINTED.assign(column=swapped)), exact).shown
    of_table_5 = PRINTED["table"] == "5"
    accepted = printed(of_table_5 & (metric == "optimized_precision_i"), "0.9")
    assert not tables.optimized_precision_i_rejected(accepted, exact).shown
    assert not tables.optimized_precision_i_type(accepted).shown
    accepted = printed(of_table_5 & (metric == "gilbert_ratio"), "0.9")
    assert not tables.gilbert_ratio_listed_twice(accepted).shown
    assert not tables.missing_level(digits(PRINTED[~of_table_5 | (column != "1:10")])).shown
    for key in ROOTS:
        neither = printed(APPENDIX & (metric == key) & column.isin(["tp", "fp"]), "0.11")
        assert not getattr(tables, key)(neither, exact).shown
    ones = printed((PRINTED["table"] == "a12") & (metric == "iba") & (column == "fp"), "1.00")
    assert not equations.partial_variance(ones).shown
    assert tables.standard_deviation(WIDTHS).shown
    near = WIDTHS.assign(error=WIDTHS["s1_conf"] / 2)
    assert not tables.standard_deviation(near).shown


def test_scores_rounded_once_are_no_discrepancy(exact):
    """The exact S1(tp) of IBA is 0.6748; the paper prints 0.68 under f_p in all five tables."""
    own = APPENDIX & (PRINTED["metric"] == "iba") & (PRINTED["column"] == "fp")
    own &= PRINTED["printed"] == "0.68"
    assert own.sum() == 5
    assert "iba" not in tables.double_rounding(printed(own, "0.67"), exact).evidence


@pytest.mark.parametrize(
    ("claim", "metric", "dataset", "value"),
    [
        (tables.accuracy_overestimates, "accuracy", "D6", "0.9000"),
        (tables.f1_matches_on_one, "f1", "D2", "0.3027"),
        (tables.f1_matches_on_one, "f1", "D6", "0.8000"),
    ],
)
def test_other_values_of_table_11_are_no_discrepancy(claim, metric, dataset, value):
    own = (REAL_WORLD["row"] == metric) & (REAL_WORLD["column"] == dataset)
    changed = REAL_WORLD.assign(printed=REAL_WORLD["printed"].mask(own, value))
    assert not claim(tables.printed_values(changed)).shown
    five = tables.printed_values(REAL_WORLD).drop(columns="D6")
    assert not tables.number_of_test_sets(five).shown
