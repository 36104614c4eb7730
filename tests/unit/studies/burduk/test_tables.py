from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics import get_metric
from skewproof.reporting.table import to_markdown
from skewproof.studies.burduk.figures import claim_figure, heat_map_figure
from skewproof.studies.burduk.hmnc import (
    COMPARED_METRICS,
    claim_in_the_tables,
    claim_shares,
    compare_burduk,
    comparison_rows,
    comparison_table,
    hmnc_report,
    matrix_of_hits,
    reactions,
    slopes,
    theorem,
    turning_line,
)

PROJECT = Path(__file__).parents[4]
PRINTED = pd.read_csv(PROJECT / "resources/burduk/printed.csv")
SIZES = [(1000, 10), (1000, 100), (1000, 250)]


def all_rows(sizes=SIZES):
    return pd.concat(
        comparison_rows(positives, negatives).assign(positives=positives, negatives=negatives)
        for positives, negatives in sizes
    )


def test_every_printed_entry_comes_out_but_the_one_misprint():
    comparison = compare_burduk(PRINTED, all_rows())
    assert len(comparison) == 3 * 9 * 7
    (misprint,) = comparison[~comparison["agrees"].astype(bool)].itertuples()
    assert (misprint.negatives, misprint.row, misprint.metric) == (10, "|psi1-psi3|", "g_mean")
    assert (misprint.printed, round(misprint.computed, 10)) == (0.09, 0.2)


def test_other_class_sizes_are_not_compared():
    comparison = compare_burduk(PRINTED, all_rows([(1000, 10), (1000, 20)]))
    assert comparison.groupby("negatives")["agrees"].count().to_dict() == {10: 63, 100: 0, 250: 0}


def test_differences_of_mcc_and_kappa_are_halved():
    rows = comparison_rows(1000, 100).set_index("row")
    for metric in ("mcc", "cohen_kappa"):
        apart = abs(rows.loc["psi1", metric] - rows.loc["psi3", metric])
        assert rows.loc["|psi1-psi3|", metric] == pytest.approx(apart / 2)
    assert rows.loc["psi1", "mcc"] == pytest.approx(0, abs=1e-15)


def test_hmnc_is_the_harmonic_mean_of_hits_by_that_of_the_classes():
    tp, tn, positives, negatives = 700, 70, 1000, 100
    total = positives + negatives
    hits, classes = ([a / total, b / total] for a, b in ((tp, tn), (positives, negatives)))
    (one, other), (first, second) = hits, classes
    expected = (2 * one * other / (one + other)) / (2 * first * second / (first + second))
    matrix = ConfusionMatrix(tp=tp, fp=negatives - tn, fn=positives - tp, tn=tn)
    assert get_metric("hmnc")(matrix) == pytest.approx(expected, rel=1e-15)


def test_imbalance_ratio_takes_no_side():
    sizes = {"positives": np.array([1000, 10, 5]), "negatives": np.array([10, 1000, 5])}
    matrix = ConfusionMatrix.from_tp_fp(0, 0, **sizes)
    np.testing.assert_array_equal(matrix.imbalance_ratio, [0.01, 0.01, 1])


def test_theorem():
    assert set(map(str, theorem().values())) == {"u"}


@given(rate=st.floats(0.001, 1), positives=st.floats(1, 1e6), negatives=st.floats(1, 1e6))
def test_theorem_in_numbers(rate, positives, negatives):
    matrix = matrix_of_hits(rate, rate, positives=positives, negatives=negatives)
    for key in ("hmnc", "accuracy", "balanced_accuracy", "g_mean"):
        assert get_metric(key)(matrix) == pytest.approx(rate, rel=1e-9)


def test_normalized_it_is_the_harmonic_mean_of_both_rates():
    u, v = np.random.default_rng(1).random((2, 50))
    matrix = matrix_of_hits(u, v, positives=7, negatives=900)
    harmonic = get_metric("sensitivity_specificity_harmonic_mean")(matrix)
    np.testing.assert_allclose(get_metric("hmnc")(matrix.rates), harmonic, rtol=1e-14)


@pytest.mark.parametrize("key", COMPARED_METRICS)
def test_slopes_are_the_differences_of_near_values(key):
    u, v, step, sizes = 0.6, 0.3, 1e-6, {"positives": 1000, "negatives": 100}
    value = {
        (du, dv): get_metric(key)(matrix_of_hits(u + du * step, v + dv * step, **sizes))
        for du, dv in ((1, 0), (-1, 0), (0, 1), (0, -1))
    }
    by_u, by_v = slopes(key, np.array(u), np.array(v), **sizes)
    assert by_u == pytest.approx(abs(value[1, 0] - value[-1, 0]) / (2 * step), rel=1e-6)
    assert by_v == pytest.approx(abs(value[0, 1] - value[0, -1]) / (2 * step), rel=1e-6)


def test_the_claim_holds_in_every_pair_of_the_tables():
    for positives, negatives in SIZES:
        pairs = claim_in_the_tables(comparison_rows(positives, negatives))
        assert list(pairs["changes"]) == ["TP", "TN", "TN", "TP"]
        assert pairs["holds"].all()


def test_the_claim_does_not_hold_in_a_tenth_of_his_region():
    shares = claim_shares(reactions(positives=1000, negatives=100, grid=60), 0.1)
    every = shares[shares["metric"] == "every"].set_index("region")["both"]
    assert every["u > 1/2 and v > 1/2"] > 0.98
    assert every["u > 1/2"] < 0.9  # "similar results apply to any TN"
    assert every["u > IR"] < 0.7
    assert every["whole"] == pytest.approx(every["u > IR"] * 0.9 + every["u < IR"] * 0.1)


def test_shares_converge_with_the_grid():
    coarse, fine = (
        claim_shares(reactions(positives=1000, negatives=250, grid=grid), 0.25)["both"]
        for grid in (100, 400)
    )
    assert (coarse - fine).abs().max() < 0.01


def test_hmnc_turns_at_a_line_and_not_at_a_column():
    v, (positives, negatives) = (
        sympy.Symbol("v", positive=True),
        sympy.symbols("P N", positive=True),
    )
    assert turning_line().equals(v * sympy.sqrt(negatives / positives))
    for height in (0.2, 0.9):
        border = height * np.sqrt(0.1)
        for place, less in ((border * 1.01, True), (border * 0.99, False)):
            by_u, by_v = slopes(
                "hmnc", np.array(place), np.array(height), positives=1000, negatives=100
            )
            assert (by_u < by_v) == less


def test_table_and_report_for_the_eye():
    rows = comparison_rows(1000, 10)
    table = to_markdown(comparison_table(rows, positives=1000, negatives=10))
    assert r"| $\lvert \Psi_1-\Psi_2 \rvert$ |" in table
    shares = claim_shares(reactions(positives=1000, negatives=10, grid=20), 0.01)
    text = hmnc_report(
        compare_burduk(PRINTED, all_rows()),
        claim_in_the_tables(rows),
        shares.assign(imbalance_ratio=0.01),
    )
    assert "Of the 189 printed entries 189 were computed, and 188 agree." in text
    assert "In the tables it does in 4 of 4 pairs" in text


def test_figures():
    figure = heat_map_figure(positives=1000, negatives=10, grid=21)
    titles = [axes.get_title() for axes in figure.axes[:7]]
    assert titles == [f"${get_metric(key).symbol}$" for key in COMPARED_METRICS]
    compared = {0.1: reactions(positives=1000, negatives=100, grid=20)}
    (panel,) = claim_figure(compared).axes
    assert panel.get_title() == "IR = 0.1"
