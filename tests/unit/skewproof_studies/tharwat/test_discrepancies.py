import math

import pytest

from skewproof_studies.tharwat import discrepancies as known
from skewproof_studies.tharwat.discrepancies import discrepancies
from skewproof_studies.tharwat.examples import FIRST_IRIS_CLASS

pytestmark = pytest.mark.slow  # they wait for tables that take long


@pytest.fixture(scope="module")
def found(comparison):
    return discrepancies(comparison)


@pytest.fixture
def evidence(found):
    return lambda place: next(one.evidence for one in found if one.place.startswith(place))


def test_the_numbers_show_each(found):
    assert len({one.place for one in found}) == len(found) == 14
    assert all(one.shown is True for one in found)


def test_the_second_form_of_mcc_by_hand(evidence):
    """TP, TN, FP, FN = 70, 80, 20, 30."""
    tpr, ppv = 70 / 100, 70 / 90
    first = (70 * 80 - 20 * 30) / math.sqrt(90 * 100 * 100 * 110)
    second = (70 / 100 - tpr * ppv) / math.sqrt(ppv * tpr * (1 - tpr) * (1 - ppv))
    share, called = 100 / 200, 90 / 200
    corrected = (70 / 200 - share * called) / math.sqrt(share * called * (1 - share) * (1 - called))
    assert corrected == pytest.approx(first, rel=1e-14)
    text = evidence("Eq. 11")
    assert text.endswith(f"gives {first:.4f}, the second {second:.4f}, corrected {corrected:.4f}.")
    assert "0.5025, the second 0.8165, corrected 0.5025" in text


def test_the_f_measure_and_agm_by_hand(evidence):
    """140/(140 + 200 + 30), and 140/(140 + 200 + 300) by the formula; the limit of AGM without
    hits, all negatives right, is N/(1 + N), from N = P to 1000 P."""
    text = evidence("Section 2.8: the F-measure")
    assert f"has {140 / 370:.3f}" in text
    assert f"gives {140 / 640:.3f}" in text
    text = evidence("Section 2.8: AGM")
    for size in (1, 5, 20, 100, 1000):
        largest = 1000 * size / (1 + 1000 * size) - size / (1 + size)
        assert f"{largest:.4f} with P = {size}" in text


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
