from pathlib import Path

import pytest

from skewproof_studies.tharwat import discrepancies as known
from skewproof_studies.tharwat.discrepancies import discrepancies, discrepancy_report
from skewproof_studies.tharwat.examples import FIRST_IRIS_CLASS
from written import check_written

pytestmark = pytest.mark.slow  # they wait for tables that take long


@pytest.fixture(scope="module")
def found(comparison):
    return discrepancies(comparison)


def test_the_numbers_show_each(found):
    assert len({one.place for one in found}) == len(found) == 14
    assert all(one.shown is True for one in found)
    check_written(Path(__file__).with_name("discrepancies.txt"), report=discrepancy_report(found))


def test_corrected_numbers_are_no_discrepancy(comparison):
    entries = comparison.set_index(["section", "item"])
    places = [("2.9.1 imbalanced", "OP"), ("3", "negatives at 1000:10000")]
    for place, look in zip(
        places, (known.optimized_precision, known.number_of_negatives), strict=True
    ):
        corrected = entries.copy()
        digits = f"{corrected.loc[place, 'computed']:.3f}"
        corrected.loc[[place], ["printed", "agrees"]] = [digits, True]
        assert look(entries).shown
        assert not look(corrected).shown


def test_results_of_the_first_class_alone_are_no_discrepancy(comparison):
    """50 positives, all found, and one false alarm: PPV 50/51, TNR 99/100, accuracy 149/150."""
    own = {"Acc": "99.33", "TPR": "100", "TNR": "99.0", "PPV": "98.04", "NPV": "100"}
    items = {f"{name} of the first class in %": digits for name, digits in own.items()}
    printed = comparison["item"].map(items).fillna(comparison["printed"])
    assert not known.first_iris_class(comparison.assign(printed=printed)).shown
    tp, fp, fn, tn = (float(getattr(FIRST_IRIS_CLASS, cell)) for cell in ("tp", "fp", "fn", "tn"))
    shares = [(tp + tn) / 150, tp / (tp + fn), tn / (tn + fp), tp / (tp + fp), tn / (tn + fn)]
    assert [round(100 * share, 2) for share in shares] == [99.33, 100, 98.0, 99.01, 100]
