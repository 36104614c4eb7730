from pathlib import Path

import pandas as pd
import pytest

from skewproof.core.levels import Level
from skewproof.metrics.atlas import ATLAS, CATALOG
from skewproof_studies.atlas import report
from skewproof_studies.atlas.orderings import order_invariance
from skewproof_studies.atlas.prevalence import COLUMNS
from skewproof_studies.atlas.tables import (
    class_table,
    groups,
    measure_table,
)
from skewproof_studies.settings.measures import chosen_measures
from written import check_written

pytestmark = pytest.mark.slow

KEYS = ["accuracy", "precision", "f1", "f1_i", "error_rate"]


def rows(key, verdict, ordering, shift, kind):
    """Make the rows of a measure at 1:1 and at 1:9."""
    common = dict.fromkeys(COLUMNS) | {"measure": key, "order_invariant": ordering, "type": kind}
    common["order_evidence"] = report.ORDERS_NONE if key == "base_rate" else None
    return [
        common | {"level": "1:1", "mean_shift": 0.0},
        common | {"level": "1:9", "verdict": verdict, "mean_shift": shift},
    ]


@pytest.fixture(scope="module")
def measures():
    table = [
        *rows("f1", "differs", "no", 0.3, 1),
        *rows("accuracy", "differs", "no", 0.2, 1),
        *rows("f1_i", "same", "yes", 0.0, 5),
        *rows("precision", "differs", "yes", 0.4, 1),
        *rows("error_rate", "undecided", "undecided", None, None),
    ]
    return measure_table(pd.DataFrame(table), chosen_measures(KEYS), CATALOG)


@pytest.fixture(scope="module")
def classes(measures):
    functions = pd.DataFrame({"measure": KEYS, "equal": KEYS, "affine": [*KEYS[:-1], "accuracy"]})
    orderings = {
        "1:1": pd.DataFrame({"measure": KEYS, "class": [*KEYS[:3], "f1", "accuracy"]}),
        "1:9": pd.DataFrame({"measure": KEYS, "class": [*KEYS[:4], None]}),
    }
    return class_table(functions, orderings, measures)


def test_the_tables(measures, classes):
    check_written(
        Path(__file__).with_name("tables.txt"), measures=measures.to_csv(), classes=classes.to_csv()
    )
    assert groups(classes, "ordering_1_1") == [["accuracy", "error_rate"], ["f1", "f1_i"]]
    assert groups(classes, "equal") == []
    # What is the same for as many positives is known by its formula.
    assert report.same_for_equal_positives(measures) == []
    formulas = measures["measure"].map({"f1_i": "Min(50, P*u)/50", "f1": "P"})
    known = measures.assign(evidence=formulas.fillna(measures["evidence"]))
    assert report.same_for_equal_positives(known) == ["f1_i"]


def test_what_shows_a_measure_to_order_no_classifiers():
    levels = Level(1, 9), Level(1, 1)
    verdict, evidence = order_invariance(ATLAS["base_rate"], *levels, 100, 1)
    assert verdict == "yes"
    assert evidence.startswith(report.ORDERS_NONE)


@pytest.mark.parametrize(
    ("levels", "rarest"),
    [(["1:1", "1:10", "7:3"], "1:10"), (["7:3", "9:1", "1:1"], "7:3"), (["1:9", "1:1"], "1:9")],
)
def test_positives_are_rarest_where_there_are_most_negatives_for_each(levels, rarest):
    assert report.rarest_level(levels, "1:1") == rarest


def test_the_whole_report(measures, classes):
    keys = ["precision", "base_rate"]
    table = [row for key in keys for row in rows(key, "differs", "yes", 0.4, 1)]
    constant = measure_table(pd.DataFrame(table), chosen_measures(keys), CATALOG)
    assert report.kept_orderings(constant) == ["precision"]
    functions = pd.DataFrame({"measure": keys, "equal": keys, "affine": keys})
    same = {"1:1": pd.DataFrame({"measure": keys, "class": "precision"})}
    options = {"levels": ("1:1", "1:9"), "baseline": "1:1", "catalog": CATALOG}
    check_written(
        Path(__file__).with_name("report.txt"),
        five_measures=report.atlas_report(classes, measures, **options),
        one_is_constant=report.atlas_report(
            class_table(functions, same, constant), constant, **options
        ),
    )
