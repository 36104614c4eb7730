"""Places where Burduk's text and tables contradict each other or the mathematics, with evidence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import sympy

from skewproof.core.confusion import ConfusionMatrix
from skewproof.curves.areas.area import area
from skewproof.metrics import get_metric
from skewproof_studies.burduk.tables import (
    HIT_RATES,
    HMNC,
    PAIRS,
    PRINTED_FROM_MINUS_1,
)
from skewproof_studies.burduk.theorem_and_slopes import (
    SCALES,
    N,
    P,
    border_shares,
    turning_line,
    turning_rate,
)
from skewproof_studies.reporting.discrepancies import Discrepancy, report_of_discrepancies
from skewproof_studies.reporting.printed import printed_once, rounds_to

HALF_OF_BOTH = "u > 1/2 and v > 1/2"
"""Region of the square that the article's tables cover, as :func:`claim_shares` names it."""


def discrepancies(
    printed: pd.DataFrame, comparison: pd.DataFrame, shares: pd.DataFrame
) -> list[Discrepancy]:
    """Check every known discrepancy.

    Parameters
    ----------
    printed
        Printed entries with the columns positives, negatives, row, metric, printed.
    comparison
        Result of :func:`skewproof_studies.burduk.tables.compare_with_printed`.
    shares
        Results of :func:`skewproof_studies.burduk.claim.claim_shares` with a column
        imbalance_ratio.
    """
    # With classes of equal size nothing lies right of IR.
    ratios = sorted(ratio for ratio in shares["imbalance_ratio"].unique() if ratio < 1)
    return [
        misprints(comparison),
        halved_differences(printed),
        classifiers_of_the_tables(),
        any_tn(shares),
        *([border(ratios), isoline_turn(ratios)] if ratios else []),
        zero_means_all_wrong(),
        auc_is_balanced_accuracy(),
    ]


def misprints(comparison: pd.DataFrame) -> Discrepancy:
    """Check the entries of the tables against their own counts."""
    wrong = comparison[comparison["agrees"].notna() & ~comparison["agrees"].fillna(True)]
    entries = [
        f"{entry.metric} in the row {entry.row} at N = {entry.negatives}: printed"
        f" {entry.printed:g}, computed {entry.computed:.4f}"
        for entry in wrong.itertuples()
    ]
    return Discrepancy(
        place="Tables 1 to 3: misprints",
        printed="values and differences of seven metrics, to two decimals.",
        meant="the computed value.",
        evidence=f"of {int(comparison['agrees'].notna().sum())} entries {len(wrong)} do not"
        f" follow from their counts. {'; '.join(entries)}.",
        shown=not wrong.empty,
    )


def halved_differences(printed: pd.DataFrame) -> Discrepancy:
    """Check whether printed differences of MCC and kappa are half of those between the printed
    values."""
    digits = printed.set_index(["positives", "negatives", "metric", "row"])["printed"].sort_index()
    apart, halved = 0, 0
    for positives, negatives in digits.index.droplevel(["metric", "row"]).unique():
        for key in PRINTED_FROM_MINUS_1:
            rows = digits[positives, negatives, key]
            for pair in PAIRS:
                difference = _exact_difference(key, pair.first, pair.second, positives, negatives)
                entry = printed_once(rows[pair.row])
                apart += rounds_to(difference, entry)
                halved += rounds_to(difference / 2, entry)
    number = sum(digits.index.get_level_values("metric").isin(PRINTED_FROM_MINUS_1))
    number = number * len(PAIRS) // (len(PAIRS) + len(HIT_RATES))
    return Discrepancy(
        place="Tables 1 to 3: differences of MCC and kappa",
        printed='"absolute value of the difference in measures", of values in [-1, 1].',
        meant="half of that value: the difference of the metrics scaled to [0, 1].",
        evidence=f"of the {number} printed differences {halved} are half of the difference and"
        f" {apart} the difference itself, to two decimals.",
        shown=halved > apart,
    )


def _exact_difference(
    key: str, first: str, second: str, positives: float, negatives: float
) -> float:
    """Return the distance between two of the article's classifiers by MCC or kappa, in [0, 2]."""
    rates = (HIT_RATES[first], HIT_RATES[second])
    first_value, second_value = (
        get_metric(key)(
            ConfusionMatrix.from_rates(
                rate.tpr, 1 - rate.tnr, positives=positives, negatives=negatives
            )
        )
        for rate in rates
    )
    return abs(float(first_value) - float(second_value))


def classifiers_of_the_tables() -> Discrepancy:
    """Check whether the classifiers of the tables are in the region that the article names."""
    inside = [name for name, (tpr, tnr) in HIT_RATES.items() if tpr > 0.5 and tnr > 0.5]
    return Discrepancy(
        place="Section 4: the classifiers of Tables 1 to 3",
        printed="TP > 0.5·P and TN > 0.5·N.",
        meant="TP >= 0.5·P and TN >= 0.5·N.",
        evidence=f"{len(inside)} of {len(HIT_RATES)} classifiers ({', '.join(inside)}) is above"
        " one half in both classes; the others have exactly one half in one class or both.",
        shown=len(inside) < len(HIT_RATES)
        and all(min(rates) >= 0.5 for rates in HIT_RATES.values()),
    )


def any_tn(shares: pd.DataFrame) -> Discrepancy:
    """Check whether the result of the tables holds for any TN."""
    every = shares[shares["metric"] == "every"]
    both = every.set_index(["region", "imbalance_ratio"])["both"]
    parts = [
        f"{both['u > 1/2', ratio]:.4f} of TP > 0.5·P at IR = {ratio:g}"
        f" ({both[HALF_OF_BOTH, ratio]:.4f} where TN > 0.5·N, too)"
        for ratio in both["u > 1/2"].index
    ]
    return Discrepancy(
        place='Section 4: "similar results apply to TP > 0.5·P and any TN value"',
        printed="HMNC changes least of all seven metrics with TP and most with TN there.",
        meant="this holds in most of that region. Where few of the minority are recognized, another"
        " metric changes more with TN.",
        evidence="by partial derivatives, at the centers of equal cells of the region, against all"
        f" six others at once: in {'; '.join(parts)}.",
        shown=bool((both["u > 1/2"] < 1).all()),
    )


def border(ratios: list[float]) -> Discrepancy:
    """Check the border at TP/P = IR."""
    rates, counts = (f"${sympy.latex(turning_line(HMNC, scale))}$" for scale in SCALES)
    parts, failing = [], []
    for ratio in ratios:
        holds = border_shares(ratio).set_index(["scale", "region"])["holds"]
        failing.append(holds.drop(("counts", "u > IR")).min() < 1)
        parts.append(
            f"IR = {ratio:g}: of TP/P > IR {holds['rates', 'u > IR']:.3f} by rates and"
            f" {holds['counts', 'u > IR']:.3f} by counts, of TP/P < IR"
            f" {holds['rates', 'u < IR']:.3f} and {holds['counts', 'u < IR']:.3f}"
        )
    return Discrepancy(
        place="Section 4: the border at TP/P = IR",
        printed="HMNC is less sensitive to the majority class and more to the minority where"
        " TP/P > IR, and the other way round where TP/P < IR.",
        meant=f"with u = TP/P and v = TN/N the border is u = {rates} if equal shares of both"
        f" classes are compared, and u = {counts}, that is TP = TN, if single instances are. By"
        " single instances the first half of the claim holds on all of its region.",
        evidence=f"the claim on HMNC by itself holds in these shares, in closed form."
        f" {'; '.join(parts)}.",
        shown=all(failing),
    )


def isoline_turn(ratios: list[float]) -> Discrepancy:
    """Check where isolines of HMNC turn: right of IR between axes of rates, except for small
    values."""
    per_value = {scale: turning_rate(scale) for scale in SCALES}
    parts, right = [], []
    for ratio in ratios:
        sizes = {P: 1, N: sympy.nsimplify(ratio, rational=True)}
        rates, counts = (float(per_value[scale].subs(sizes)) for scale in ("rates", "counts"))
        # The last isoline that turns in the square does so at v = 1: at u = √IR and at u = IR.
        from_value, to_value = ratio / rates, float(np.sqrt(ratio)) / rates
        right.append(from_value < to_value)
        parts.append(
            f"IR = {ratio:g}: those of HMNC from {from_value:.4f} to {to_value:.4f} turn right of"
            f" IR by rates, at TP/P = {rates:.4f} times HMNC; by counts, at {counts:.4f} times"
            f" HMNC, all of the values to {ratio / counts:.4f} left of it"
        )
    return Discrepancy(
        place="Section 4: where isolines of HMNC turn",
        printed="at TP/P < IR.",
        meant="they do so by counts, at TP = TN. Between axes of rates only those of small values"
        " do. A heat map that draws both classes at the same length has such axes.",
        evidence=f"an isoline turns where its slope is -1. {'; '.join(parts)}. Those of larger"
        " values do not turn.",
        shown=all(right),
    )


def zero_means_all_wrong() -> Discrepancy:
    """Check the meaning of 0: HMNC is 0 if one class is missed, and undefined if both are."""
    half_right = ConfusionMatrix(tp=0, fp=0, fn=1, tn=1)
    all_wrong = ConfusionMatrix(tp=0, fp=1, fn=1, tn=0)
    values = {
        key: [float(get_metric(key)(matrix)) for matrix in (half_right, all_wrong)]
        for key in (HMNC, "accuracy", "g_mean", "f1")
    }
    first, second = values[HMNC]
    return Discrepancy(
        place='Section 3: "If the value is 0, each object is incorrectly classified"',
        printed="said of HMNC, accuracy, F1 and G-mean.",
        meant="true of accuracy only. HMNC and G-mean are 0 if all of one class are missed, F1 if"
        " all positives are. HMNC is undefined if all objects are wrong.",
        evidence="a classifier that calls everything negative is right on all negatives:"
        f" {', '.join(f'{key} {pair[0]:g}' for key, pair in values.items())} at 1:1. If each"
        f" object is wrong, HMNC is {second:g} (0/0) and accuracy {values['accuracy'][1]:g}.",
        shown=first == 0 and np.isnan(second) and values["accuracy"] == [0.5, 0],
    )


def auc_is_balanced_accuracy() -> Discrepancy:
    """Check AUC against balanced accuracy: they are equal for calls, not for real-valued
    outputs."""
    true, scores, threshold = np.array([1, 1, 0, 0]), np.array([0.9, 0.4, 0.3, 0.1]), 0.5
    calls = (scores >= threshold).astype(int)
    balanced = float(
        get_metric("balanced_accuracy")(ConfusionMatrix.from_labels(true, calls, pos_label=1))
    )
    of_scores, of_calls = area("auc", true, scores), area("auc", true, calls)
    return Discrepancy(
        place='Section 2: "for the real-valued output of the classifier AUC and BACC are equal"',
        printed="AUC = BACC for real-valued outputs.",
        meant="for calls of one threshold, whose ROC curve has one point between its ends.",
        evidence=f"positives that score {scores[0]:g} and {scores[1]:g} and negatives that score"
        f" {scores[2]:g} and {scores[3]:g} have AUC {of_scores:g}; at the threshold {threshold:g}"
        f" balanced accuracy is {balanced:g}, and so is the AUC of the calls, {of_calls:g}.",
        shown=of_scores != balanced and of_calls == balanced,
    )


def discrepancy_report(checks: list[Discrepancy]) -> str:
    """Write the discrepancies that the evidence shows as Markdown."""
    return report_of_discrepancies(
        checks,
        title="Burduk",
        kind="the article's text and tables contradict each other or the mathematics",
        sources=", from the printed digits in resources/burduk/printed.csv and from the"
        " definitions, for the class sizes of the configuration",
    )
