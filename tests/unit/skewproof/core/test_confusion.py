import re
from pathlib import Path

import numpy as np
import pytest
import sympy

from skewproof.core.algebra import ratio
from skewproof.core.confusion import CELLS, ConfusionMatrix
from skewproof.prevalence.projection import project
from written import check_written, refusals

MATRIX = ConfusionMatrix(tp=9, fp=4, fn=3, tn=20)


def test_sums_and_rates():
    assert (MATRIX.positives, MATRIX.negatives, MATRIX.total) == (12, 24, 36)
    assert (MATRIX.predicted_positives, MATRIX.predicted_negatives) == (13, 23)
    assert (MATRIX.tpr, MATRIX.fnr) == (9 / 12, 3 / 12)
    assert (MATRIX.fpr, MATRIX.tnr) == (4 / 24, 20 / 24)
    assert (MATRIX.ppv, MATRIX.npv) == (9 / 13, 20 / 23)


def test_zero_by_zero_is_nan_without_a_warning(recwarn):
    assert np.isnan(ratio(0.0, 0.0))
    assert np.isnan(ConfusionMatrix(tp=0, fp=0, fn=3, tn=20).ppv)
    assert not recwarn.list


RATES, COUNTS, SIZES = (
    {"tpr": 0.5, "fpr": 0.25},
    {"tp": 5, "fp": 5},
    {"positives": 10, "negatives": 20},
)

BY = {
    "rates": lambda **given: ConfusionMatrix.from_rates(**RATES | SIZES | given),
    "tp and fp": lambda **given: ConfusionMatrix.from_tp_fp(**COUNTS | SIZES | given),
}

STRUCTURED = np.zeros(2, dtype=[("a", int)])
NO_COUNTS = [
    *(-1, np.inf, [3, -0.5], 1e51, "3", 1j, np.array([1j, 2]), [[1], [1, 2]], {}, None, 10**400),
    *(STRUCTURED, np.ones(3)),
]
NO_SIZES = [
    *((name, value) for name in SIZES for value in (None, "0.5", 1j, [[1], [1, 2]], -1)),
    *(("positives", value) for value in (np.nan, np.inf, True, 10**400)),
]
NO_RATES = [(name, value) for name in (*RATES, "fnr", "tnr") for value in ([[1], [1, 2]], {}, -0.5)]
NO_RATES += [("tpr", None), ("tpr", 1.5), ("fpr", np.inf), ("tnr", np.inf)]
NO_CELLS = [(name, value) for name in COUNTS for value in ([[1], [1, 2]], {}, None)]
NO_CELLS += [("tp", 10.5), ("tp", -0.5), ("tp", np.inf), ("fp", 20.5)]


def test_the_argument_at_fault_is_named():
    def counts(count):
        ConfusionMatrix(tp=1, fp=np.ones(2), fn=count, tn=1)

    written = {
        name.replace(" ", "_"): refusals(lambda case, call=call: call(**dict([case])), cases)
        for (name, call), cases in zip(BY.items(), (NO_RATES, NO_CELLS), strict=True)
    }
    sizes = [
        refusals(lambda case, call=call: call(**dict([case])), NO_SIZES) for call in BY.values()
    ]
    assert sizes[0] == sizes[1]
    path = Path(__file__).with_name("no_counts.txt")
    check_written(path, counts=refusals(counts, NO_COUNTS), sizes=sizes[0], **written)


@pytest.mark.parametrize("call", BY.values(), ids=BY)
def test_of_several_the_first_at_fault_is_shown(call):
    for sizes in ([-1.0, 3], [np.inf, 3]):
        with pytest.raises(ValueError, match=f"^negatives = {sizes[0]}: expected finite numbers"):
            call(negatives=np.array(sizes))
    with pytest.raises(ValueError, match=r"^tp = 7\.0: expected a number from 0 to 6$"):
        BY["tp and fp"](tp=[[4], [7]], positives=np.array([9, 6]))


@pytest.mark.parametrize("empty", [0, 0.0, np.float64(0), [0, 0]], ids=repr)
def test_an_empty_class_has_no_rates_and_no_counts(empty):
    matrix = BY["rates"](positives=empty)
    assert not matrix.tp.any()
    assert not matrix.fn.any()
    assert np.isnan(matrix.tpr).all()
    with pytest.raises(ValueError, match=r"^tp = 5\.0: expected a number from 0 to 0$"):
        BY["tp and fp"](positives=empty)


def test_an_array_of_class_sizes_may_have_empty_and_unknown_ones():
    matrix = ConfusionMatrix.from_rates(0.5, 0.25, positives=np.array([0, 8, np.nan]), negatives=4)
    np.testing.assert_array_equal(matrix.tp, [0, 4, np.nan])
    np.testing.assert_array_equal(matrix.fn, [0, 4, np.nan])


@pytest.mark.parametrize("kind", [np.uint8, np.uint64, np.int8])
def test_whole_numbers_do_not_wrap_around(kind):
    with pytest.raises(ValueError, match=r"^tp = 120\.0: expected a number from 0 to 100$"):
        BY["tp and fp"](tp=np.array([50, 120], dtype=kind), positives=100)
    assert BY["tp and fp"](tp=kind(120), positives=300).fn == 180
    assert BY["rates"](positives=kind(120), tpr=np.array([1], dtype=kind)).tp == 120


def test_lists_are_arrays():
    np.testing.assert_array_equal(BY["rates"](tpr=[0.5, 1]).fn, [5, 0])
    np.testing.assert_array_equal(BY["tp and fp"](positives=[5, 7]).fn, [0, 2])


@pytest.mark.parametrize("call", BY.values(), ids=BY)
def test_class_sizes_that_do_not_broadcast_are_refused(call):
    expected = r"positives \(2,\), negatives \(3,\): expected shapes that broadcast"
    with pytest.raises(ValueError, match=expected):
        call(positives=np.array([6, 7]), negatives=np.array([6, 7, 8]))


def test_symbols_are_no_numbers_and_taken():
    size, rate = sympy.symbols("P u")
    assert BY["rates"](tpr=rate, positives=size).fn == size - size * rate
    assert BY["tp and fp"](positives=size).fn == size - 5


def test_one_matrix_is_shown_as_a_table():
    matrix = ConfusionMatrix(tp=80, fp=30, fn=20, tn=970)
    assert repr(matrix).splitlines() == [
        "ConfusionMatrix",
        "          called positive  called negative",
        "positive               80               20",
        "negative               30              970",
    ]
    cells = re.findall(r"<td>([^<]*)</td>", matrix._repr_html_())
    assert cells == ["positive", "80", "20", "negative", "30", "970"]
    assert repr(project(matrix, at="1:1000")).startswith("ConfusionMatrix, projected to 1:1000\n")


def test_many_matrices_are_shown_by_their_counts():
    matrix = ConfusionMatrix(tp=[1, 2], fp=0, fn=1, tn=3)
    assert repr(matrix) == "ConfusionMatrix(tp=[1. 2.], fp=0.0, fn=1.0, tn=3.0)"
    assert matrix._repr_html_() is None


def test_scikit_learns_array_is_taken():
    sklearn = pytest.importorskip("sklearn.metrics")
    true, predicted = [1, 1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 1, 0, 0]
    matrix = ConfusionMatrix.from_array(sklearn.confusion_matrix(true, predicted))
    expected = ConfusionMatrix.from_labels(true, predicted)
    for cell in ("tp", "fp", "fn", "tn"):
        assert getattr(matrix, cell) == getattr(expected, cell)
    two = ConfusionMatrix.from_array([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
    assert two.tp.tolist() == [4, 8]
    assert two.fn.tolist() == [3, 7]


def test_an_array_of_more_classes_is_refused():
    with pytest.raises(ValueError, match=r"matrix has the shape \(3, 3\): expected \(..., 2, 2\)"):
        ConfusionMatrix.from_array([[1, 2, 3]] * 3)


@pytest.mark.parametrize("cells", [(0.8, 0.1, 0.2, 0.9), (0.04, 0.01, 0.05, 0.9), (1, 0, 0, 0.5)])
def test_rates_and_shares_in_place_of_counts_are_refused(cells):
    with pytest.raises(ValueError, match=r"tp = .*: expected counts; ConfusionMatrix\.from_rates"):
        ConfusionMatrix(**dict(zip(CELLS, cells, strict=True)))
    tp, fp, fn, tn = cells
    with pytest.raises(ValueError, match=r"ConfusionMatrix\.from_rates"):
        ConfusionMatrix.from_array(np.array([[tn, fp], [fn, tp]], dtype=float))


def test_a_metric_may_build_a_matrix_of_rates():
    """Swap the classes in a matrix of rates, as a metric does that takes the mean over both."""
    rates = ConfusionMatrix(tp=80, fp=10, fn=20, tn=90).rates
    swapped = ConfusionMatrix(tp=rates.tn, fp=rates.fn, fn=rates.fp, tn=rates.tp)
    assert float(swapped.tpr) == 0.9
