import re

import pandas as pd
import pytest

from skewproof.core.levels import Level
from skewproof.metrics.atlas import ATLAS, CATALOG
from skewproof_studies.atlas import report
from skewproof_studies.atlas.orderings import order_invariance
from skewproof_studies.atlas.prevalence import COLUMNS
from skewproof_studies.atlas.tables import (
    MEASURE_COLUMNS,
    class_table,
    groups,
    measure_table,
    sources,
)
from skewproof_studies.settings.measures import chosen_measures

pytestmark = pytest.mark.slow

KEYS = ["accuracy", "precision", "f1", "f1_i", "error_rate"]


def rows(key, verdict, ordering, shift, kind):
    common = {"measure": key, "order_invariant": ordering, "type": kind, "reason": None}
    common["order_evidence"] = report.ORDERS_NONE if key == "base_rate" else None
    levels = [("1:1", None, 0.0), ("1:9", verdict, shift)]
    return [
        dict.fromkeys(COLUMNS) | common | {"level": level, "verdict": one, "mean_shift": value}
        for level, one, value in levels
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


def test_rows_are_in_the_order_of_the_atlas(measures):
    assert list(measures.columns) == MEASURE_COLUMNS
    assert MEASURE_COLUMNS[:9] == [
        *("measure", "name", "sources", "verdict", "ordering"),
        *("mean_shift", "s1_tp", "s1_fp", "level"),
    ]
    assert list(measures["measure"].unique()) == [key for key in ATLAS if key in KEYS]
    assert list(measures["level"]) == ["1:1", "1:9"] * 5


def test_sources_have_every_name():
    text = sources(CATALOG["precision"])
    for name in CATALOG["precision"].names:
        assert f"{name.name} ({name.community}: {name.source})" in text


def test_the_table_of_classes(classes):
    assert list(classes.columns) == [
        *("measure", "equal", "affine", "ordering_1_1", "ordering_1_9", "order_invariant"),
        "verdict",
    ]
    verdicts = classes.set_index("measure")["verdict"]
    assert (verdicts["f1"], verdicts["f1_i"]) == ("differs", "same")
    assert groups(classes, "ordering_1_1") == [["accuracy", "error_rate"], ["f1", "f1_i"]]
    assert groups(classes, "equal") == []


def atlas_report(classes, measures, levels=("1:1", "1:9")):
    return report.atlas_report(classes, measures, levels=levels, baseline="1:1", catalog=CATALOG)


def test_what_is_constant_keeps_no_ordering():
    keys = ["precision", "base_rate"]
    table = [
        *rows("precision", "differs", "yes", 0.4, 1),
        *rows("base_rate", "differs", "yes", 0.4, 1),
    ]
    measures = measure_table(pd.DataFrame(table), chosen_measures(keys), CATALOG)
    assert report.kept_orderings(measures) == ["precision"]
    same = pd.DataFrame({"measure": keys, "class": "precision"})
    functions = pd.DataFrame({"measure": keys, "equal": keys, "affine": keys})
    text = atlas_report(class_table(functions, {"1:1": same}, measures), measures)
    assert "they define 1 ordering at 1:1." in text
    assert (
        "1 has a single value for all classifiers at given class sizes and so orders none (`"
        in text
    )
    assert "Made for rare events" not in text


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


def test_what_is_the_same_for_as_many_positives_is_known_by_its_formula(measures):
    assert report.same_for_equal_positives(measures) == []
    changed = measures.copy()
    changed.loc[changed["measure"] == "f1_i", "evidence"] = "Min(50, P*u)/50"
    changed.loc[changed["measure"] == "f1", "evidence"] = "P"
    assert report.same_for_equal_positives(changed) == ["f1_i"]


def test_every_sentence_of_the_report_counts_its_table(measures, classes):
    text = atlas_report(classes, measures)
    names = {(name.community, name.name) for key in KEYS for name in CATALOG[key].names}
    communities = {community for community, _ in names}
    assert f"{len(names)} names, counted once in each of {len(communities)} communities," in text
    assert "stand for 5 declared measures" in text
    assert "- ordering_1_9: `error_rate`" in text
    assert "have 5 different values, and up to a factor and a constant 4 different values." in text
    assert "with rates strictly between 0 and 1 they define 3 orderings at 1:1, and bet" in text
    assert "between 4 and 5 orderings at 1:9." in text
    assert "1 is proved to have the same value at each level. At some of the levels" in text
    assert "3 have other values than at 1:1. This is undecided for 1 (`error_rate`)" in text
    assert "2 are proved to order classifiers with rates strictly between 0 and 1 alike" in text
    assert "2 are proved to order two classifiers differently, or to tie them at only one" in text
    assert "a single value for all classifiers" not in text
    assert "the smallest and the largest mean shifts from 1:1 to 1:9 of measures" in text
    assert "not the ordering of 1 measure that orders some classifiers (`precision`)" in text
    assert "- 2: `accuracy`, `error_rate`" in text
    assert re.search(r"\| f1 +\| differs", text)
    for key in KEYS:
        remark = CATALOG[key].remark
        assert not remark or f"- `{key}`: {remark}" in text
