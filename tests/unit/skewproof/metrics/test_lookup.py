"""Names that people type, each with the formula that the field means."""

import dataclasses
import subprocess
import sys
from fractions import Fraction

import pytest

from skewproof.core.confusion import matrix_of
from skewproof.core.formulas.metrics import FormulaError, parse_metric
from skewproof.metrics import METRICS, get_metric
from skewproof.metrics.atlas import ATLAS, CATALOG
from skewproof.metrics.atlas.entry import listed_names
from skewproof.metrics.lookup import (
    as_metric,
    as_metrics,
    meanings,
    nearest_name,
    simplified,
)

SEARCHED = [(simplified(row.name.name), row.key) for row in listed_names() if row.searched]

CELLS = [(9, 4, 3, 20), (40, 30, 10, 170), (5, 1, 7, 2), (3, 50, 2, 9)]

FORMULAS = {
    "recall, sensitivity, tpr, POD, recall_score, hit rate": lambda a, b, c, d: a / (a + c),
    "specificity, TNR, selectivity": lambda a, b, c, d: d / (b + d),
    "fpr, POFD, fall-out, false alarm rate": lambda a, b, c, d: b / (b + d),
    "fnr, miss rate": lambda a, b, c, d: c / (a + c),
    "ppv, positive predictive value, precision_score, success ratio": lambda a, b, c, d: (
        a / (a + b)
    ),
    "npv": lambda a, b, c, d: d / (c + d),
    "fdr, false alarm ratio": lambda a, b, c, d: b / (a + b),
    "FOR": lambda a, b, c, d: c / (c + d),
    "F1, f1_score, F1 score, F-measure, Dice coefficient, Sørensen–Dice": lambda a, b, c, d: (
        2 * a / (2 * a + b + c)
    ),
    "informedness, bookmaker, TSS, Youden's J, Youdens index": lambda a, b, c, d: (
        a / (a + c) + d / (b + d) - 1
    ),
    "Hanssen-Kuipers, Peirce skill score": lambda a, b, c, d: a / (a + c) + d / (b + d) - 1,
    "CSI, threat score, Jaccard, jaccard_score, IoU": lambda a, b, c, d: a / (a + b + c),
    "accuracy_score": lambda a, b, c, d: (a + d) / (a + b + c + d),
    "balanced_accuracy_score": lambda a, b, c, d: (a / (a + c) + d / (b + d)) / 2,
    "lift": lambda a, b, c, d: a * (a + b + c + d) / ((a + b) * (a + c)),
    "LR+": lambda a, b, c, d: a / (a + c) / (b / (b + d)),
    "LR-": lambda a, b, c, d: c / (a + c) / (d / (b + d)),
    "odds ratio": lambda a, b, c, d: a * d / (b * c),
    "relative risk": lambda a, b, c, d: a / (a + b) / (c / (c + d)),
    "Yule's Q": lambda a, b, c, d: (a * d - b * c) / (a * d + b * c),
    "chi-square": lambda a, b, c, d: (
        (a + b + c + d) * (a * d - b * c) ** 2 / ((a + b) * (c + d) * (a + c) * (b + d))
    ),
    "PABAK": lambda a, b, c, d: 2 * (a + d) / (a + b + c + d) - 1,
    "ETS": lambda a, b, c, d: (
        (a - (a + b) * (a + c) / (a + b + c + d))
        / (a + b + c - (a + b) * (a + c) / (a + b + c + d))
    ),
}
"""Words with their definition in the cells of the table: hits, false alarms, misses, correct
rejections."""

WORDS = {word: formula for words, formula in FORMULAS.items() for word in words.split(", ")}


@pytest.mark.parametrize("spelling", [str, str.lower, str.upper])
@pytest.mark.slow
def test_a_word_means_its_formula(spelling):
    for cells in CELLS:
        matrix = matrix_of(cells)
        found = {word: float(get_metric(spelling(word))(matrix)) for word in WORDS}
        expected = {word: float(by(*map(Fraction, cells))) for word, by in WORDS.items()}
        assert found == pytest.approx(expected, rel=1e-12)


def test_every_name_of_the_catalog_is_found():
    """A name finds its measure, unless names.csv lists the word for another one."""
    decided = {}
    for key, entry in CATALOG.items():
        for name in (key, *(one.name for one in entry.names), *ATLAS[key].aliases):
            found = meanings(name)
            assert found, name
            if key not in found:
                decided[name] = key
    assert decided == {
        "Cohen Kappa": "f1_of_negatives",
        "Pearson Chi Squared": "signed_phi_squared",
    }


def test_a_name_with_several_meanings_is_refused_with_all_of_them():
    """Names that belong to several measures are counted in the catalog itself."""
    measures = {}
    for key, entry in CATALOG.items():
        for one in entry.names:
            measures.setdefault(one.name, set()).add(key)
    several = {name: keys for name, keys in measures.items() if len(keys) > 1 and name not in ATLAS}
    assert {"Dice", "Tarantula", "mutual information"} <= set(several)
    for name, keys in several.items():
        found = meanings(name)
        if len(found) == 1:
            assert simplified(name) in dict(SEARCHED)
            continue
        assert keys <= set(found)
        with pytest.raises(KeyError, match=f"has {len(found)} meanings") as caught:
            get_metric(name)
        assert all(key in caught.value.args[0] for key in found)


def test_a_word_is_listed_once_for_a_measure():
    assert len(set(SEARCHED)) == len(SEARCHED)


def test_a_key_comes_before_a_name():
    assert "beta" in {one.name for one in CATALOG["beta"].names}
    for key in ATLAS:
        assert get_metric(key) is ATLAS[key]
    assert list(meanings("gilbert_wells")) == ["gilbert_wells"]
    with pytest.raises(KeyError, match="gilbert_wells"):
        get_metric("Gilbert wells")


def test_a_key_of_ones_own_comes_first():
    own = parse_metric("tp/(tp + fp + 1)", key="lift")
    assert get_metric("lift", known=METRICS.extended([own])) is own
    assert get_metric("interest", known=METRICS.extended([own])) is own
    assert get_metric("lift") is ATLAS["lift"]
    assert as_metric("lift", known={"lift": own}) is own
    other = dataclasses.replace(METRICS["f1"], key="precision")
    assert get_metric("PPV", known={"precision": other}) is other


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("acuracy", "; did you mean 'accuracy'?"),
        ("informednes", "; did you mean 'youden_j' (informedness)?"),
        ("sensitivty", "; did you mean 'true_positive_rate' (sensitivity)?"),
        ("positive predictve value", "; did you mean 'precision' (positive predictive value)?"),
        ("Heidkee", "; did you mean 'cohen_kappa' (Heidke)?"),
        ("xyzzy", ""),
        ("f3", ""),
        ("x" * 5000, ""),
        (5, ""),
    ],
)
@pytest.mark.slow
def test_hints_come_from_near_spellings_of_all_names(word, hint):
    assert nearest_name(word) == hint
    with pytest.raises(KeyError) as caught:
        get_metric(word)
    assert caught.value.args[0].startswith("no metric ")
    assert caught.value.args[0].endswith(hint)


def test_a_registry_offers_no_key_that_is_far():
    with pytest.raises(KeyError) as caught:
        METRICS["informedness"]
    assert caught.value.args == ("no metric 'informedness'",)


def test_spellings_that_do_not_count():
    assert simplified("Cramér’s V") == simplified("cramer_v")
    assert simplified("d'") == simplified("d prime") == simplified("D-Prime")
    assert simplified("LR+") != simplified("LR-")
    assert simplified("true T+ for D-") != simplified("true T- for D+")


@pytest.mark.parametrize("symbol", ["tp", "fp", "fn", "tn"])
def test_a_symbol_of_formulas_is_a_formula(symbol):
    found = as_metric(symbol)
    assert (found.key, found.source) == (symbol, symbol)


def test_what_reads_as_a_formula_is_one():
    assert as_metric(" f1 ") is METRICS["f1"]
    assert as_metric("tp/(tp + fp)").key == "tp/(tp + fp)"
    assert as_metric("tp/(tp + fp)", key="own").key == "own"
    assert as_metric("F-measure") is METRICS["f1"]
    with pytest.raises(FormulaError, match="depends on the class sizes alone"):
        as_metric("P")
    with pytest.raises(FormulaError, match="expected one of tp, fp, fn, tn, P, N"):
        as_metric("tp/(tp + fpp)")
    with pytest.raises(
        KeyError, match="is neither the key or name of a metric nor a formula in tp, fp"
    ):
        as_metric("F-measures of all")


def test_one_or_several():
    f1, recall = METRICS["f1"], METRICS["true_positive_rate"]
    assert as_metrics("F1") == as_metrics(f1) == [f1]
    assert as_metrics(["f1", "recall", f1]) == as_metrics(iter(("f1", recall))) == [f1, recall]
    for wrong in ([], (), 5, None):
        with pytest.raises(ValueError, match=r"^metrics = "):
            as_metrics(wrong)
    for wrong in ([None], [["f1"]]):
        with pytest.raises(ValueError, match=r"^metric = "):
            as_metrics(wrong)


@pytest.mark.slow
def test_the_atlas_is_imported_for_a_word_that_is_no_key():
    code = (
        "import sys; from skewproof.metrics import f1;"
        "from skewproof.metrics.lookup import as_metrics;"
        "as_metrics(['f1', 'mcc', 'tp/(tp + fp + 1)']);"
        "print('skewproof.metrics.atlas' in sys.modules);"
        "as_metrics('recall'); print('skewproof.metrics.atlas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
