"""Burduk's analysis of HMNC: his three tables, his theorem, and his claim, measured.

R. Burduk, *Classification performance metric for imbalance data based on recall and selectivity
normalized in class labels*, 2020. The majority class is the positive one throughout.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pandas as pd
import sympy

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics import get_metric
from skewproof.reporting.table import Table, metric_label

COMPARED_METRICS = ("hmnc", "accuracy", "balanced_accuracy", "mcc", "f1", "g_mean", "cohen_kappa")
"""Keys of the metrics that he compares, in the column order of his tables."""

SCALED = ("mcc", "cohen_kappa")
"""Metrics in [-1, 1] that he prints so, while their differences are those of the metrics scaled
to [0, 1], as this package has them."""

HIT_RATES = {"psi1": (0.5, 0.5), "psi2": (0.7, 0.5), "psi3": (0.7, 0.7), "psi4": (0.5, 0.7)}
"""True positive and true negative rate of his four classifiers."""

HALF_UNIT = 0.005
"""Half a unit of the last of his two decimals."""

ROUNDING = 1e-12
"""What binary arithmetic adds to a value half way between two decimals."""

PAIRS = [("psi1", "psi2"), ("psi1", "psi3"), ("psi1", "psi4"), ("psi2", "psi3"), ("psi3", "psi4")]

U, V = sympy.symbols("u v", positive=True)
"""Rates of the majority (TP/P) and of the minority class (TN/N)."""


def matrix_of_hits(u: Array, v: Array, *, positives: float, negatives: float) -> ConfusionMatrix:
    """The confusion matrices with the given true positive and true negative rates."""
    fp = negatives * (1 - v)
    return ConfusionMatrix.from_tp_fp(positives * u, fp, positives=positives, negatives=negatives)


def comparison_rows(positives: float, negatives: float) -> pd.DataFrame:
    """His tables' rows: four classifiers, then how far five pairs of them are apart.

    Returns
    -------
    Frame with the columns row, TP, TN (missing in the second part) and a column a metric.
    """
    u, v = np.array(list(HIT_RATES.values())).T
    matrix = matrix_of_hits(u, v, positives=positives, negatives=negatives)
    scaled = pd.DataFrame(
        {key: get_metric(key)(matrix) for key in COMPARED_METRICS}, list(HIT_RATES)
    )
    differences = pd.DataFrame(
        {f"|{one}-{other}|": (scaled.loc[one] - scaled.loc[other]).abs() for one, other in PAIRS}
    ).T
    values = scaled.assign(**{key: 2 * scaled[key] - 1 for key in SCALED})
    hits = pd.DataFrame({"TP": positives * u, "TN": negatives * v}, list(HIT_RATES))
    rows = pd.concat([hits.join(values), differences])
    return rows.rename_axis("row").reset_index()


def comparison_table(rows: pd.DataFrame, *, positives: float, negatives: float) -> Table:
    """One of Tables 1 to 3, to two decimals."""
    numbers = rows[list(COMPARED_METRICS)].map(lambda value: f"{value:.2f}")
    hits = rows[["TP", "TN"]].map(lambda count: "" if np.isnan(count) else f"{count:g}")
    data = pd.concat([rows["row"], hits, numbers], axis=1)
    display = data.rename(
        columns={key: metric_label(key) for key in COMPARED_METRICS} | {"row": "Method"}
    )
    names = display["Method"].str.replace("psi", r"\Psi_")
    names = names.str.replace(r"\|(.*)\|", r"\\lvert \1 \\rvert", regex=True)
    ratio = min(positives, negatives) / max(positives, negatives)
    return Table(
        f"Four classifiers and their differences at IR = {ratio:g}, P = {positives:g},"
        f" N = {negatives:g}.",
        data,
        display.assign(Method="$" + names + "$"),
        notes=("MCC and kappa are in [-1, 1]; their differences are those of values in [0, 1].",),
    )


def compare_burduk(printed: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Every printed entry of his tables beside the computed one.

    Parameters
    ----------
    printed
        Columns positives, negatives, row, metric, printed.
    rows
        The results of :func:`comparison_rows` with the columns positives and negatives.

    Returns
    -------
    Frame with a row a printed entry: the columns of `printed`, computed (missing for class sizes
    that were not asked for) and agrees (whether rounding to two decimals gives what is printed).
    """
    keys = ["positives", "negatives", "row"]
    computed = rows.melt(keys, list(COMPARED_METRICS), "metric", "computed")
    result = printed.merge(computed, how="left", on=[*keys, "metric"])
    distance = (result["computed"] - result["printed"]).abs()
    agrees = (distance <= HALF_UNIT + ROUNDING).astype("boolean")
    return result.assign(agrees=agrees.mask(result["computed"].isna()))


def theorem() -> dict[str, sympy.Expr]:
    """His theorem by SymPy: where TP/P = TN/N = u, HMNC, accuracy, B and G-mean are all u.

    Returns
    -------
    By the metric's key, the simplified formula.
    """
    positives, negatives = sympy.symbols("P N", positive=True)
    matrix = ConfusionMatrix.from_tp_fp(
        positives * U, negatives * (1 - U), positives=positives, negatives=negatives
    )
    keys = ("hmnc", "accuracy", "balanced_accuracy", "g_mean")
    return {key: sympy.simplify(get_metric(key)(matrix)) for key in keys}


def turning_line() -> sympy.Expr:
    """At which u, for given v, HMNC reacts as much to the majority class as to the minority.

    Right of it HMNC reacts less to the majority. He has u = N/P; it is u = v·sqrt(N/P).
    """
    positives, negatives = sympy.symbols("P N", positive=True)
    hmnc = _formula("hmnc", positives, negatives)
    difference = sympy.numer(sympy.together(sympy.diff(hmnc, U) - sympy.diff(hmnc, V)))
    (line,) = sympy.solve(difference, U)
    return sympy.simplify(line)


def _formula(key: str, positives: sympy.Expr, negatives: sympy.Expr) -> sympy.Expr:
    matrix = ConfusionMatrix.from_tp_fp(
        positives * U, negatives * (1 - V), positives=positives, negatives=negatives
    )
    return sympy.sympify(get_metric(key)(matrix))


@cache
def _slopes(key: str) -> Callable[..., tuple[Array, Array]]:
    positives, negatives = sympy.symbols("P N", positive=True)
    formula = _formula(key, positives, negatives)
    return sympy.lambdify(
        (U, V, positives, negatives), (formula.diff(U), formula.diff(V)), cse=True
    )


def slopes(
    key: str, u: Array, v: Array, *, positives: float, negatives: float
) -> tuple[Array, Array]:
    """How much a metric changes with the rate of the majority and with that of the minority.

    Returns
    -------
    Absolute partial derivatives by u = TP/P and by v = TN/N, of the shape of u and v; the metric is
    scaled to [0, 1].
    """
    by_u, by_v = _slopes(key)(u, v, positives, negatives)
    return np.abs(by_u + 0 * u), np.abs(by_v + 0 * v)


def reactions(*, positives: float, negatives: float, grid: int) -> pd.DataFrame:
    """Where HMNC reacts less than another metric to the majority, and more to the minority.

    Parameters
    ----------
    positives, negatives
        Sizes of the majority and of the minority class.
    grid
        Points along each axis of the square of all (u, v), at the middles of as many cells.

    Returns
    -------
    Frame with a row a point and metric: u, v, metric, less_majority, more_minority.
    """
    u, v = square(grid)
    sizes = {"positives": positives, "negatives": negatives}
    own_u, own_v = slopes("hmnc", u, v, **sizes)
    parts = []
    for key in COMPARED_METRICS[1:]:
        by_u, by_v = slopes(key, u, v, **sizes)
        columns = {"u": u, "v": v, "less_majority": own_u < by_u, "more_minority": own_v > by_v}
        parts.append(pd.DataFrame({"metric": key} | {n: x.ravel() for n, x in columns.items()}))
    return pd.concat(parts, ignore_index=True)


def square(grid: int) -> tuple[Array, Array]:
    """The middles of grid x grid cells of the square of all (u, v); rows are v."""
    middles = (np.arange(grid) + 0.5) / grid
    u, v = np.meshgrid(middles, middles)
    return u, v


def claim_shares(reactions: pd.DataFrame, imbalance_ratio: float) -> pd.DataFrame:
    """In what share of the square, and of the parts he speaks of, his claim holds.

    Parameters
    ----------
    reactions
        The result of :func:`reactions`.
    imbalance_ratio
        The IR it was computed for.

    Returns
    -------
    Frame with the columns region, metric ("every" for all six at once), less_majority,
    more_minority, both: shares in [0, 1].
    """
    points = reactions.groupby(["u", "v"], sort=False)[["less_majority", "more_minority"]].all()
    every = points.reset_index().assign(metric="every")
    table = pd.concat([reactions, every], ignore_index=True)
    table["both"] = table["less_majority"] & table["more_minority"]
    regions = {
        "whole": table["u"] > 0,
        "u > IR": table["u"] > imbalance_ratio,
        "u < IR": table["u"] < imbalance_ratio,
        "u > 1/2": table["u"] > 0.5,
        "u > 1/2 and v > 1/2": (table["u"] > 0.5) & (table["v"] > 0.5),
    }
    columns = ["less_majority", "more_minority", "both"]
    parts = [
        table[inside]
        .groupby("metric", sort=False)[columns]
        .mean()
        .reset_index()
        .assign(region=name)
        for name, inside in regions.items()
    ]
    return pd.concat(parts, ignore_index=True)[["region", "metric", *columns]]


def claim_in_the_tables(rows: pd.DataFrame) -> pd.DataFrame:
    """Whether HMNC's difference is the smallest where TP alone changes, the largest where TN does.

    Parameters
    ----------
    rows
        The result of :func:`comparison_rows`.

    Returns
    -------
    Frame with the columns pair, changes (TP or TN), holds.
    """
    table, found = rows.set_index("row"), []
    for one, other in PAIRS:
        same = np.equal(HIT_RATES[one], HIT_RATES[other])
        if same.any():
            pair, changes = f"|{one}-{other}|", "TN" if same[0] else "TP"
            own, others = table.loc[pair, "hmnc"], table.loc[pair, list(COMPARED_METRICS[1:])]
            holds = own < others.min() if changes == "TP" else own > others.max()
            found.append((pair, changes, bool(holds)))
    return pd.DataFrame(found, columns=["pair", "changes", "holds"])


def hmnc_report(comparison: pd.DataFrame, in_tables: pd.DataFrame, shares: pd.DataFrame) -> str:
    """His tables, theorem and claim as Markdown.

    Parameters
    ----------
    comparison
        The result of :func:`compare_burduk`.
    in_tables, shares
        The results of :func:`claim_in_the_tables` and :func:`claim_shares` with a column
        imbalance_ratio.
    """
    judged = comparison.dropna(subset="agrees")
    others = judged[~judged["agrees"].astype(bool)]
    proof = ", ".join(f"{metric_label(key)} = ${sympy.latex(f)}$" for key, f in theorem().items())
    every = shares[shares["metric"] == "every"].drop(columns="metric")
    sections = [
        "# HMNC, printed and measured",
        f"Of the {len(comparison)} printed entries {len(judged)} were computed, and"
        f" {len(judged) - len(others)} agree.",
        others.replace(r"\|", r"\|", regex=True).to_markdown(index=False)
        if len(others)
        else "None disagrees.",
        "## Theorem",
        f"With TP/P = TN/N = $u$: {proof}.",
        "## Does it react least to the majority class and most to the minority class?",
        f"In the tables it does in {in_tables['holds'].sum()} of {len(in_tables)} pairs in which"
        " one of the two counts changes.",
        "Over the square of all (u, v) = (TP/P, TN/N) partial derivatives tell. Shares of the"
        " square, and of parts of it, where HMNC reacts less to the majority (u) than all six other"
        " metrics, more to the minority (v), or both:",
        every[["imbalance_ratio", "region", "less_majority", "more_minority", "both"]].to_markdown(
            index=False, floatfmt=".3f"
        ),
        "By itself, HMNC reacts less to the majority than to the minority where"
        f" u > ${sympy.latex(turning_line())}$; the paper has u > IR. Its border is"
        " therefore not the column at IR but a line through the origin.",
    ]
    return "\n\n".join(sections) + "\n"
