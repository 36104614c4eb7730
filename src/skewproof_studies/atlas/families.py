"""Families of measures: formulas with parameters, and the measures that are their members."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from skewproof.core.algebra import Value, is_symbolic, ratio
from skewproof.core.arguments import expect_number
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.entry import Name
from skewproof.metrics.precision_recall import f_beta

Parameter = float | Fraction


def tversky(
    c: ConfusionMatrix, false_positive_weight: Parameter, false_negative_weight: Parameter
) -> Value:
    """Compute the Tversky index, hits over hits and weighted errors (Tversky 1977), in [0, 1].

    Parameters
    ----------
    c
        The matrix.
    false_positive_weight, false_negative_weight
        Weights of a false alarm and of a miss relative to a hit, 0 or above and finite. SymPy
        symbols, with a symbolic matrix, result in the formula of the family.

    Raises
    ------
    ValueError
        If a weight is anything else.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix
    >>> from skewproof_studies.atlas.families import tversky
    >>> round(float(tversky(ConfusionMatrix(tp=9, fp=4, fn=3, tn=20), 0.3, 0.7)), 4)
    0.7317
    """
    weights = [
        _checked(name, weight)
        for name, weight in (
            ("false_positive_weight", false_positive_weight),
            ("false_negative_weight", false_negative_weight),
        )
    ]
    return ratio(c.tp, c.tp + _times(weights[0], c.fp) + _times(weights[1], c.fn))


def net_benefit_at(c: ConfusionMatrix, threshold: Parameter) -> Value:
    """Compute the net benefit at a threshold probability (Vickers and Elkin 2006).

    Values are from -threshold/(1 - threshold) to 1.

    Parameters
    ----------
    c
        The matrix.
    threshold
        Probability of the positive class at which a positive and a negative call are worth the
        same, at least 0 and below 1. A SymPy symbol, with a symbolic matrix, results in the formula
        of the family.

    Raises
    ------
    ValueError
        If the threshold is anything else.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix
    >>> from skewproof_studies.atlas.families import net_benefit_at
    >>> round(float(net_benefit_at(ConfusionMatrix(tp=9, fp=4, fn=3, tn=20), 0.1)), 4)
    0.2377
    """
    threshold = _checked("threshold", threshold, below=1)
    return ratio(c.tp - _times(threshold / (1 - threshold), c.fp), c.total)


def _checked(name: str, value: Parameter, below: float | None = None) -> Parameter:
    if is_symbolic(value):
        return value
    expect_number(name, value, 0, below=below)
    return Fraction(value)


def _times(factor: Parameter, count: Value) -> Value:
    """Multiply a factor and a count, exactly if the count is a symbol."""
    if isinstance(factor, Fraction) and is_symbolic(count):
        numerator, denominator = factor.as_integer_ratio()
        return numerator * count / denominator
    return (factor if is_symbolic(factor) else float(factor)) * count


@dataclass(frozen=True)
class Family:
    """A formula with parameters.

    Attributes
    ----------
    name, symbol
        Name in words, and symbol in LaTeX without dollar signs.
    function
        Function of a matrix and of the parameters in their order.
    parameters
        Symbols of the parameters in LaTeX, without dollar signs.
    names
        The names that communities use.
    members
        Parameters of the measures of the atlas that are members, by key.
    """

    name: str
    symbol: str
    function: Callable[..., Value]
    parameters: tuple[str, ...]
    names: tuple[Name, ...]
    members: Mapping[str, tuple[Fraction, ...]]


def _members(**parameters: tuple[float | str, ...]) -> dict[str, tuple[Fraction, ...]]:
    return {key: tuple(map(Fraction, values)) for key, values in parameters.items()}


FAMILIES = (
    Family(
        "F-measure",
        r"F_\beta",
        f_beta,
        (r"\beta",),
        (
            Name(
                "machine learning", "F-beta score", "van Rijsbergen 1975; Tharwat 2021, his Eq. 13"
            ),
        ),
        _members(f0_5=("1/2",), f1=(1,), f2=(2,)),
    ),
    Family(
        "Tversky index",
        r"T_{\alpha,\beta}",
        tversky,
        (r"\alpha", r"\beta"),
        (
            Name("similarity", "Tversky index", "Tversky 1977"),
            Name("machine learning", "Tversky index", "Salehi et al. 2017"),
        ),
        _members(
            precision=(1, 0),
            f0_5=("4/5", "1/5"),
            f1=("1/2", "1/2"),
            tversky_0_3=("3/10", "7/10"),
            f2=("1/5", "4/5"),
            true_positive_rate=(0, 1),
            jaccard_3w=("1/3", "1/3"),
            gilbert_ratio=(1, 1),
            sokal_sneath_i=(2, 2),
        ),
    ),
    Family(
        "Net benefit",
        r"\mathrm{NB}_{p_t}",
        net_benefit_at,
        ("p_t",),
        (Name("diagnostic tests", "net benefit", "Vickers and Elkin 2006"),),
        _members(support=(0,), net_benefit_0_1=("1/10",), net_benefit=("1/2",)),
    ),
)
"""The declared families."""
