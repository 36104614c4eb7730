"""Metrics and their scales as JavaScript, printed by SymPy from the declarations."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from skewproof.core.extras import sympy
from skewproof.core.formulas.metrics import FormulaError
from skewproof.core.formulas.symbolic import COUNTS, printed_formula
from skewproof.core.metric import Metric
from skewproof.core.scales import scale


def formulas_in_javascript(metrics: Mapping[str, Metric]) -> str:
    """Write an object with a function of (tp, fp, fn, tn) for each metric's key.

    JavaScript divides as :func:`skewproof.core.algebra.ratio` does: 0/0 is NaN.

    Raises
    ------
    FormulaError
        If JavaScript lacks a function of a formula, such as the normal quantile.

    Examples
    --------
    >>> from skewproof.metrics import precision
    >>> print(formulas_in_javascript({"precision": precision}))
    {
      ["precision"]: (t_p, f_p, f_n, t_n) => t_p/(f_p + t_p),
    }
    """
    formulas = {}
    for key, metric in metrics.items():
        try:
            printed = _printed(printed_formula(metric))
        except NotImplementedError:
            raise FormulaError(f"{key} has a function that JavaScript lacks") from None
        formulas[key] = f"({', '.join(COUNTS)}) => {printed}"
    return _object(formulas)


def lacking_functions(metric: Metric) -> frozenset[str]:
    """Return SymPy's names of the functions in a formula that JavaScript lacks.

    Examples
    --------
    >>> from skewproof.metrics.atlas import ATLAS
    >>> sorted(lacking_functions(ATLAS["d_prime"])), sorted(lacking_functions(ATLAS["f1"]))
    (['erfinv'], [])
    """
    lacking = set()
    formula = sympy.sympify(printed_formula(metric))
    for part in formula.atoms(sympy.Function) - formula.atoms(sympy.Piecewise):
        try:
            sympy.jscode(part.func(*sympy.symbols(f"x:{len(part.args)}")))
        except NotImplementedError:
            lacking.add(part.func.__name__)
    return frozenset(lacking)


def scales_in_javascript(metrics: Mapping[str, Metric]) -> str:
    """Write an object with the map to [0, 1] and its inverse for each map that a metric needs.

    Its keys are the maps in words.

    Examples
    --------
    >>> from skewproof.metrics import precision, youden_j
    >>> print(scales_in_javascript({"precision": precision, "youden_j": youden_j}))
    {
      ["linear, (x + 1)/2"]: { to: (x) => (1/2)*x + 1/2, from: (x) => 2*x - 1 },
    }
    """
    x, y = sympy.symbols("x y", real=True)
    maps = {}
    for metric in metrics.values():
        to_unit = scale(metric)
        if to_unit is not None and to_unit.name not in maps:
            scaled = to_unit.apply(x)
            (inverse,) = sympy.solve(scaled - y, x)
            there, back = _printed(scaled), _printed(inverse.subs(y, x))
            maps[to_unit.name] = f"{{ to: (x) => {there}, from: (x) => {back} }}"
    return _object(maps)


def data_in_javascript(value: Any) -> str:
    """Write a value as JSON that cannot end a script, whatever text it contains.

    Examples
    --------
    >>> data_in_javascript("</script>")
    '"\\\\u003c/script>"'
    """
    return json.dumps(value, allow_nan=False, separators=(",", ":")).replace("<", r"\u003c")


def _object(entries: Mapping[str, str]) -> str:
    # Computed keys may be any text: a plain `__proto__` would set the prototype.
    lines = [f"  [{data_in_javascript(key)}]: {value}," for key, value in entries.items()]
    return "\n".join(["{", *lines, "}"])


def _printed(expression: Any) -> str:
    return " ".join(sympy.jscode(expression).split())
