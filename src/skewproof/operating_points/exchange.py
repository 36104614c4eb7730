"""Exchange rate that a metric implies: how many false alarms it trades for one hit."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.extras import sympy
from skewproof.core.levels import DEFAULT_POSITIVES
from skewproof.core.metric import Metric
from skewproof.metrics.lookup import as_metric
from skewproof.operating_points.derivatives import Derivatives, derivatives
from skewproof.prevalence.prevalence import Prevalence
from skewproof.prevalence.projection import project
from skewproof.reporting.summary import Summarized, Summary
from skewproof.sensitivity.proofs.identities import definite_sign

DIGITS = 50
"""Decimal digits with which exchange rates are evaluated."""

MOST_TERMS = 4
"""Most terms of a sum that names a cut-off."""

LARGEST_DENOMINATOR = 30
"""Largest denominator of a coefficient of such a term."""

ROUNDED = 1e-9
"""Tolerance of a coefficient for rounding."""

NOWHERE, EVERYWHERE = "nowhere", "everywhere"

LONGEST_CONDITION = 120
"""Most characters of a condition that states a region."""

MOST_TERMS_OF_A_PROOF = 40
"""Most terms of a polynomial whose sign is proved; with more it takes seconds."""

GRID = 60
"""Number of rates along each axis at which a sign is sought if none is proved."""


@dataclass(frozen=True, repr=False)
class ExchangeRate(Summarized):
    """Number of false alarms that a metric trades for a hit; ``rate(matrix)`` evaluates it.

    The formulas hold for classifiers that fill all four cells. A monotone function of the
    metric has the same rate, since the rate depends only on the order of classifiers.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix
    >>> from skewproof.operating_points import exchange_rate
    >>> rate = exchange_rate("g_mean")
    >>> matrix = ConfusionMatrix(tp=[8, 4], fp=[10, 1], fn=[2, 6], tn=[90, 99])
    >>> rate.formula, rate(matrix).tolist()
    (tn/tp, [11.25, 24.75])
    """

    metric: str
    """Key of the metric."""

    formula: Any
    """The rate c as a SymPy expression in tp, fp, fn and tn; nan for a metric that depends on the
    class sizes alone."""

    cutoff: Any
    """The cut-off 1/(1 + c) of calibrated scores that the metric implies, likewise."""

    cutoff_in_words: str
    """The cut-off in terms of the field if it is a short sum of them, such as "F1/2" or "PPV/2 +
    FOR/2"; else the formula."""

    negative: str
    """Region where the rate is negative, so that the metric rewards a false alarm or punishes a
    hit: "nowhere" if this is proved; else a condition on u = TPR, v = FPR and r = N/P, and on P if
    the number of instances matters; or the result on a grid of classifiers, which is not a
    proof."""

    _derivatives: Derivatives = field(compare=False)

    def summary(self) -> Summary:
        """Return the summary of the rate."""
        return Summary(
            f"Exchange rate of {self.metric}",
            facts=[
                ("False alarms for a hit", str(self.formula)),
                ("Cut-off", f"{self.cutoff_in_words}, of calibrated scores"),
                ("Negative", self.negative),
            ],
        )

    def __call__(
        self, matrix: ConfusionMatrix, *, at: float | str | Prevalence = "test set"
    ) -> Array:
        """Evaluate the rate for classifiers.

        Parameters
        ----------
        matrix
            Their confusion matrices.
        at
            A stated prevalence at which the classifiers keep their rates, as for
            :func:`skewproof.project`; by default that of the matrix.

        Returns
        -------
        The rate, with the matrix's shape: inf where the metric ignores false alarms; NaN at a kink
        and where the rate is 0/0.
        """
        there = Prevalence.given(at)
        matrix = project(matrix, at=there) if there.elsewhere else matrix
        cells = np.broadcast_arrays(matrix.tp, matrix.fp, matrix.fn, matrix.tn)
        flat = zip(*(cell.ravel().tolist() for cell in cells), strict=True)
        return np.array([self._at(row) for row in flat], dtype=float).reshape(matrix.shape)

    def cutoff_at(
        self, matrix: ConfusionMatrix, *, at: float | str | Prevalence = "test set"
    ) -> Array:
        """Return the cut-off 1/(1 + c) for classifiers; the parameters are those of a call."""
        with np.errstate(divide="ignore"):
            return np.asarray(1 / (1 + self(matrix, at=at)))

    def rewards_false_alarm(
        self, matrix: ConfusionMatrix, *, at: float | str | Prevalence = "test set"
    ) -> Array:
        """Return whether the rate is negative for classifiers; parameters are those of a call."""
        return np.asarray(self(matrix, at=at) < 0)

    @cached_property
    def _parts(self) -> Callable[..., Any]:
        parts = (*self.formula.as_numer_denom(), *self._derivatives.switches)
        return self._derivatives.compiled(parts, "mpmath")

    def _at(self, cells: tuple[float, ...]) -> float:
        with mpmath.workdps(DIGITS):
            try:
                upper, lower, *switches = self._parts(*map(mpmath.mpf, cells))
            except (ZeroDivisionError, ValueError):
                return np.nan
            if any(switch == 0 for switch in switches) or not (upper or lower):
                return np.nan
            if not lower:
                return float("inf")
            return float(mpmath.re(upper / lower))


def exchange_rate(metric: Metric | str) -> ExchangeRate:
    """Compute the number of false alarms that a metric trades for a hit.

    The rate is c = (∂m/∂tp)/(-∂m/∂fp) with fixed class sizes: the metric keeps its value if there
    are c more false alarms and one miss less. To maximize it with calibrated scores, call positive
    what has a probability of at least 1/(1 + c).

    Parameters
    ----------
    metric
        A metric, a key or name as for :func:`skewproof.get_metric`, or a formula as for
        :func:`skewproof.metrics.parse_metric`.

    Returns
    -------
    The rate as a formula, and as a function of confusion matrices.

    Raises
    ------
    KeyError, FormulaError
        As for :func:`skewproof.audit`; also if SymPy cannot read the metric.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix
    >>> from skewproof.operating_points import exchange_rate
    >>> rate = exchange_rate("f1")
    >>> rate.formula, rate.cutoff_in_words, rate.negative
    ((fn + fp + tp)/tp, 'F1/2', 'nowhere')
    >>> classifier = ConfusionMatrix.from_rates(0.8, 0.1, positives=100, negatives=100)
    >>> float(rate(classifier).round(3)), float(rate(classifier, at="1:1000").round(3))
    (1.375, 126.25)
    >>> exchange_rate("mcc").cutoff_in_words
    'PPV/2 + FOR/2'
    >>> exchange_rate("iba").negative
    'u + 2*v < 1'
    """
    return _exchange_rate(as_metric(metric))


@lru_cache(maxsize=1024)
def _exchange_rate(metric: Metric) -> ExchangeRate:
    derived = derivatives(metric)
    cases = _cases(derived)
    rational = [_rational_gradient(derived, value) for value, _ in cases]
    gradients = [gradient for gradient in rational if gradient is not None]
    if len(gradients) < len(cases):
        by_hit, by_alarm = derived.gradient
        if by_alarm == 0:
            return ExchangeRate(metric.key, sympy.oo, sympy.S.Zero, "0", NOWHERE, derived)
        rate, cutoff = -by_hit / by_alarm, by_alarm / (by_alarm - by_hit)
        return ExchangeRate(
            metric.key, rate, cutoff, str(cutoff), _negative_on_grid(derived), derived
        )
    rates = [_factored(upper, lower) for upper, lower in gradients]
    cutoffs = [_factored(lower, upper + lower) for upper, lower in gradients]
    words = [
        (lower and upper + lower and _in_field_terms(metric, derived, lower / (upper + lower)))
        or ("no cut-off" if cutoff in (sympy.oo, sympy.nan) else str(cutoff))
        for cutoff, (upper, lower) in zip(cutoffs, gradients, strict=True)
    ]
    negative = [_where_negative(rate, derived) for rate in rates]
    wheres = [where for _, where in cases]
    texts = [_where_in_rates(where, derived) for where in wheres]
    return ExchangeRate(
        metric.key,
        sympy.Piecewise(*zip(rates, wheres, strict=True)),
        sympy.Piecewise(*zip(cutoffs, wheres, strict=True)),
        _by_case(words, texts),
        _by_case(negative, texts),
        derived,
    )


def _cases(derived: Derivatives) -> list[tuple[Any, Any]]:
    """Return the formulas of the metric, each with its condition."""
    if not derived.in_pieces.has(sympy.Piecewise):
        return [(derived.in_pieces, sympy.true)]
    folded = sympy.piecewise_fold(derived.in_pieces)
    return list(folded.args) if isinstance(folded, sympy.Piecewise) else [(folded, sympy.true)]


def _by_case(texts: list[str], wheres: list[str]) -> str:
    """Join texts case by case, unless they are the same in all cases."""
    if len(set(texts)) == 1:
        return texts[0]
    cases = [f"{text} where {where}" for text, where in zip(texts, wheres, strict=True)]
    return "; ".join([*cases[:-1], f"{texts[-1]} elsewhere"])


def _where_in_rates(where: Any, derived: Derivatives) -> str:
    """Write a condition in terms of the rates."""
    if not isinstance(where, sympy.core.relational.Relational):
        return sympy.sstr(where.subs(of_rates(derived)))
    difference = sympy.factor((where.lhs - where.rhs).subs(of_rates(derived)))
    kept = [part for part in sympy.Mul.make_args(difference) if not part.is_positive]
    return f"{sympy.sstr(sympy.Mul(*kept))} {where.rel_op} 0"


def of_rates(derived: Derivatives) -> dict[Any, Any]:
    """Return the cells in terms of the rates u and v, the number P of positives and r = N/P."""
    u, v, r, positives = sympy.symbols("u v r P", positive=True)
    negatives = r * positives
    cells = (positives * u, negatives * v, positives * (1 - u), negatives * (1 - v))
    return dict(zip(derived.cells, cells, strict=True))


def _rational_gradient(derived: Derivatives, formula: Any) -> tuple[Any, Any] | None:
    """Return the derivatives by tp and by -fp of a formula with the same order of classifiers.

    The order may also be the reverse of the given formula's. The derivatives are quotients of
    polynomials in the cells; None if no such formula is found.
    """
    inner = _without_outer(formula)
    # The derivatives of the logarithm of a product have no roots if its factors have none.
    powers = [part.as_base_exp() for part in sympy.Mul.make_args(inner)]
    if not all(exponent.is_Rational for _, exponent in powers):
        return None
    quotients = _field(derived.cells)
    upper = lower = quotients.zero
    for base, exponent in powers:
        factor = _quotient(base, derived)
        if factor is None:
            return None
        tp, fp, fn, tn = quotients.gens
        if not factor:
            return quotients.zero, quotients.zero
        weight = quotients.domain.from_sympy(exponent)
        upper += weight * (factor.diff(tp) - factor.diff(fn)) / factor
        lower -= weight * (factor.diff(fp) - factor.diff(tn)) / factor
    return upper, lower


@lru_cache(maxsize=1)
def _field(cells: tuple[Any, ...]) -> Any:
    """Return the field of quotients of polynomials in the cells."""
    return sympy.polys.fields.FracField(cells, sympy.QQ, sympy.lex)


def _quotient(formula: Any, derived: Derivatives) -> Any:
    """Return a formula as a quotient of polynomials in the cells, or None if it is not one."""
    if formula.has(sympy.Float):
        formula = sympy.nsimplify(formula, rational=True)
    numbers = formula.atoms(sympy.Number, sympy.NumberSymbol)
    if not (formula.is_rational_function() and all(number.is_Rational for number in numbers)):
        return None
    try:
        return _field(derived.cells).from_expr(formula)
    except ValueError:  # a root of a number
        return None


def _factored(upper: Any, lower: Any) -> Any:
    """Return a quotient in factors: oo if the divisor is 0, nan for 0/0."""
    if not lower:
        return sympy.oo if upper else sympy.nan
    quotient = upper / lower
    return _product(quotient.numer) / _product(quotient.denom)


def _product(polynomial: Any) -> Any:
    number, factors = polynomial.factor_list()
    powers = (factor.as_expr() ** power for factor, power in factors)
    return sympy.Mul(polynomial.ring.domain.to_sympy(number), *powers)


def _without_outer(formula: Any) -> Any:
    """Strip the outermost strictly monotone functions from a formula."""
    while True:
        if formula.is_Add or formula.is_Mul:
            number, rest = formula.as_independent(*formula.free_symbols, as_Add=formula.is_Add)
            if number == (0 if formula.is_Add else 1):
                return formula
            formula = rest
        elif isinstance(formula, sympy.exp | sympy.log | sympy.asin | sympy.erf | sympy.erfinv):
            formula = formula.args[0]
        else:
            return formula


def _terms(metric: Metric, derived: Derivatives) -> dict[str, tuple[int, Any]]:
    """Return the terms that may name a cut-off, each with a cost that is higher for unusual terms.

    They are rates and shares that a field has names for, and the metric itself.
    """
    quotients = _field(derived.cells)
    tp, fp, fn, tn = quotients.gens
    total = tp + fp + fn + tn
    share, called = (tp + fn) / total, (tp + fp) / total
    terms = {
        "1": (1, quotients.one),
        "PPV": (1, tp / (tp + fp)),
        "FOR": (1, fn / (fn + tn)),
        "π": (1, share),
        "q": (1, called),
    }
    value = _quotient(derived.formula, derived)
    if value is not None and all(value != known for _, known in terms.values()):
        name = NAMES.get(metric.key, metric.key if metric.key.isidentifier() else "m")
        terms[name] = 1, value
        terms |= {f"π·{name}": (3, share * value), f"q·{name}": (3, called * value)}
    if metric.key != "f1":
        terms["F1"] = 1, 2 * tp / (2 * tp + fp + fn)
    return terms


NAMES = {"f1": "F1", "cohen_kappa": "κ", "scott_pi": "S", "f2": "F2", "f0_5": "F0.5"}
"""Short names of metrics in a cut-off."""

MATRICES = (
    (3, 5, 7, 11),
    (13, 2, 5, 17),
    (7, 19, 2, 3),
    (29, 3, 11, 5),
    (2, 23, 31, 7),
    (5, 8, 3, 2),
)
"""Cells at which sums of terms are compared with a cut-off."""


def _in_field_terms(metric: Metric, derived: Derivatives, cutoff: Any) -> str:
    """Return the shortest sum of the field's terms that is proved equal to the cut-off, or ""."""
    terms = _terms(metric, derived)
    target = _values(cutoff)
    basis = np.array([_values(value) for _, value in terms.values()])
    names = list(terms)
    costs = [cost for cost, _ in terms.values()]
    sets = itertools.chain.from_iterable(
        itertools.combinations(range(len(names)), size) for size in range(1, MOST_TERMS + 1)
    )
    for chosen in sorted(sets, key=lambda indices: sum(costs[index] for index in indices)):
        rows = basis[list(chosen)]
        weights, _, rank, _ = np.linalg.lstsq(rows.T, target)
        near = np.abs(weights @ rows - target).max() < ROUNDED * np.abs(target).max()
        if not near or rank < len(chosen):
            continue
        exact = [Fraction(x).limit_denominator(LARGEST_DENOMINATOR) for x in weights.tolist()]
        parts = {names[index]: x for index, x in zip(chosen, exact, strict=True) if x}
        number = _field(derived.cells).domain
        total = sum(
            number(x.numerator, x.denominator) * terms[name][1] for name, x in parts.items()
        )
        if total == cutoff:
            return _sum_in_words(parts)
    return ""


def _values(quotient: Any) -> Array:
    """Evaluate a quotient of polynomials at `MATRICES`, with exact integers above and below."""
    return np.array(
        [float(quotient.numer(*cells)) / float(quotient.denom(*cells)) for cells in MATRICES]
    )


def _sum_in_words(parts: Mapping[str, Fraction]) -> str:
    """Write a sum, its positive terms first.

    Examples
    --------
    >>> _sum_in_words({"1": Fraction(-1), "FOR": Fraction(1, 2), "PPV": Fraction(3)})
    'FOR/2 + 3·PPV - 1'
    """
    text = ""
    for name, weight in sorted(parts.items(), key=lambda part: part[1] < 0):
        size = abs(weight)
        times = f"{size.numerator}·" if size.numerator > 1 else ""
        over = f"/{size.denominator}" if size.denominator > 1 else ""
        written = str(size) if name == "1" else f"{times}{name}{over}"
        sign = "-" if weight < 0 else "+"
        text += f" {sign} {written}" if text else written if weight > 0 else f"-{written}"
    return text


def _where_negative(rate: Any, derived: Derivatives) -> str:
    """State where a quotient of polynomials in factors is negative."""
    if rate in (sympy.S.Zero, sympy.oo, sympy.nan):
        return NOWHERE
    sign, kept = 1, []
    for factor in sympy.Mul.make_args(rate):
        base, exponent = factor.as_base_exp()
        if exponent.is_even or base.is_positive:
            continue
        known = _sign(base)
        if known is not None:
            sign *= known
            continue
        for part in sympy.Mul.make_args(sympy.factor(base.subs(of_rates(derived)))):
            inner, power = part.as_base_exp()
            if inner.is_negative:
                sign = -sign
            elif not (power.is_even or inner.is_positive):
                kept.append(inner)
    if not kept:
        return NOWHERE if sign > 0 else EVERYWHERE
    text = _inequality(sympy.Mul(*kept), sign)
    return text if len(text) <= LONGEST_CONDITION else _negative_on_grid(derived)


def _sign(formula: Any) -> int | None:
    """Return the sign that a polynomial has for all positive cells, or None if none is proved."""
    terms = sympy.Add.make_args(formula)
    if len(terms) > MOST_TERMS_OF_A_PROOF:
        return None
    shown = definite_sign(formula)
    return None if shown is None or not shown[0] else shown[0]


def _negative_on_grid(derived: Derivatives) -> str:
    """State how many classifiers of a grid have a negative rate."""
    share = (np.arange(GRID) + 0.5) / GRID
    sizes = np.array([1.0, 10.0, 100.0, 1000.0]) * DEFAULT_POSITIVES
    u, v, negatives = np.meshgrid(share, share, sizes, indexing="ij")
    with np.errstate(all="ignore"):
        _, by_hit, by_alarm = derived.in_floats(
            DEFAULT_POSITIVES * u, negatives * v, DEFAULT_POSITIVES * (1 - u), negatives * (1 - v)
        )
        negative = np.broadcast_to(by_hit * by_alarm > 0, u.shape)
    if not negative.any():
        return "nowhere on a grid"
    first = tuple(np.argwhere(negative)[0])
    ratio = negatives[first] / DEFAULT_POSITIVES
    there = f"u = {u[first]:g}, v = {v[first]:g}, r = {ratio:g}"
    return f"at {negative.mean():.1%} of a grid, as at {there}"


def _inequality(formula: Any, sign: int) -> str:
    """Write the condition that a formula has the sign opposite to the given one."""
    if formula.is_Add and formula.is_polynomial():
        constant, rest = formula.as_independent(*formula.free_symbols, as_Add=True)
        if constant:
            text = sympy.sstr(rest if sign > 0 else -rest)
            return f"{text} < {-constant if sign > 0 else constant}"
    return f"{sympy.sstr(formula)} {'<' if sign > 0 else '>'} 0"
