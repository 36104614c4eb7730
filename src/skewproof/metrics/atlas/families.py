"""Families of measures: formulas with parameters, which are rows of families.csv.

A member is written as text, ``robust_mcc(d=0.05)``. Its key is ``robust_mcc_0_05``, which is read
too: the values of the parameters that differ from their defaults, each after the parameter's name
except that of the first parameter. A value is written as a decimal number with "_" for the point,
or as ``1_over_3``. A member that is a measure of the atlas has the key of that measure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import NamedTuple

from skewproof.core.algebra import Value, is_symbolic
from skewproof.core.arguments import expect_number
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.extras import sympy
from skewproof.core.formulas import reader
from skewproof.core.formulas.metrics import (
    FormulaError,
    evaluated,
    has_symbols,
    refuse_constant,
)
from skewproof.core.messages import shown
from skewproof.core.metric import Formula, Metric
from skewproof.metrics.atlas import ATLAS
from skewproof.metrics.atlas.entry import Name, read_table
from skewproof.metrics.atlas.measures import FUNCTIONS, NAMES, OPERATIONS

_PARAMETER = re.compile(r"(\w+)(?:=(\S+))? (>=?)0(?: (<=?)1)?")
_MEMBER = re.compile(r"\b(\w+)\s*\(([^()]*)\)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE]-?\d{1,2})?|\.\d+|\d+/0*[1-9]\d*")
_IN_KEY = r"\d+(?:_(?:over_)?\d+)?"


class Parameter(NamedTuple):
    """A parameter of a family."""

    name: str

    latex: str
    """Symbol in LaTeX, without dollar signs."""

    default: Fraction | None
    """The authors' default, or None where they state no value."""

    limits: Mapping[str, float]
    """Limits of its values, as arguments of :func:`skewproof.core.arguments.expect_number`."""


@dataclass(frozen=True, eq=False)
class Family:
    """A formula with parameters.

    Attributes
    ----------
    key, name, symbol, description
        Key, name in words, symbol in LaTeX without dollar signs, and the family in a sentence.
    text, bounds
        Formula, in the grammar of measures.csv, of the parameters too, and formulas of the smallest
        and the largest value, of the parameters alone.
    parameters
        The parameters, in their order.
    names
        The names that communities use.
    members
        Parameters of the measures of the atlas that are members, by key.
    """

    key: str
    name: str
    symbol: str
    description: str
    text: str
    bounds: tuple[str, str]
    parameters: tuple[Parameter, ...]
    names: tuple[Name, ...]
    members: Mapping[str, tuple[Fraction, ...]]

    def function(self, matrix: ConfusionMatrix, *values: Value) -> Value:
        """Evaluate the formula at values of the parameters: fractions, or symbols of SymPy."""
        return self.evaluated(self.text, matrix, values)

    def evaluated(self, text: str, matrix: ConfusionMatrix, values: tuple[Value, ...]) -> Value:
        """Evaluate a formula of the matrix and the parameters."""
        terms: dict[str, Formula] = {
            parameter.name: partial(_constant, value)
            for parameter, value in zip(self.parameters, values, strict=True)
        }
        return evaluated(_steps(text, tuple(terms)), matrix, NAMES | terms, OPERATIONS)

    def member(self, given: Mapping[str, Fraction]) -> Metric:
        """Build the member with the given parameters and the defaults of the others.

        Raises
        ------
        ValueError
            If a parameter is unknown, has no value, or has one outside its limits.
        FormulaError
            If all classifiers have the same value.
        """
        form = ", ".join(
            f"{name}=..." if default is None else f"{name}={default}"
            for name, _, default, _ in self.parameters
        )
        expected = f"expected parameters as in {self.key}({form})"
        if wrong := given.keys() - {parameter.name for parameter in self.parameters}:
            raise FormulaError(f"{self.key} has no parameter {shown(min(wrong))}: {expected}")
        values = []
        for name, _, default, limits in self.parameters:
            value = given.get(name, default)
            if value is None:
                raise FormulaError(f"{self.key} lacks its parameter {name!r}: {expected}")
            expect_number(name, float(value), **limits)
            values.append(value)
        return _member(self.key, tuple(values))


@dataclass(frozen=True)
class FamilyFormula:
    """The formula of a family at values of its parameters, which can be pickled."""

    family: str
    values: tuple[Fraction, ...]

    @property
    def description(self) -> str:
        """The family in a sentence."""
        return FAMILIES[self.family].description

    def __call__(self, matrix: ConfusionMatrix) -> Value:
        """Evaluate the formula."""
        return FAMILIES[self.family].function(matrix, *self.values)


def family_member(word: str) -> Metric | None:
    """Read a member of a family from its text or its key; None if the word is neither.

    Raises
    ------
    FormulaError, ValueError
        As :meth:`Family.member`, and if a parameter is not written as ``name=number``.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, get_metric
    >>> robust = get_metric("robust_mcc(d=0.05)")
    >>> robust.key, get_metric("robust_mcc_0_05") == robust, get_metric("f_beta(beta=2)").key
    ('robust_mcc_0_05', True, 'f2')
    >>> round(float(robust(ConfusionMatrix(tp=4, fp=1, fn=2, tn=3))), 7)
    0.4096634
    """
    written = _MEMBER.fullmatch("".join(word.split()))
    if written is not None and written[1] in FAMILIES:
        given: dict[str, Fraction] = {}
        for part in filter(None, written[2].split(",")):
            name, _, number = part.partition("=")
            if name in given or not _NUMBER.fullmatch(number):
                expected = "a number or a fraction, once for each parameter, such as 'd=0.05'"
                raise FormulaError(f"{shown(word)}, {shown(part)}: expected {expected}")
            given[name] = Fraction(number)
        return FAMILIES[written[1]].member(given)
    for family in FAMILIES.values():
        first, *others = (parameter.name for parameter in family.parameters)
        parts = [rf"(?:_({_IN_KEY}))?", *(rf"(?:_{name}_({_IN_KEY}))?" for name in others)]
        if match := re.fullmatch(family.key + "".join(parts), word):
            given = {
                name: Fraction(text.replace("_over_", "/").replace("_", "."))
                for name, text in zip((first, *others), match.groups(), strict=True)
                if text is not None
            }
            required = {name for name, _, default, _ in family.parameters if default is None}
            if required <= given.keys():
                member = family.member(given)
                return member if member.key == word or word == family.key else None
    return None


def written_out(formula: str) -> str:
    """Replace the members of families in a formula with their own formulas, in parentheses.

    Raises
    ------
    FormulaError, ValueError
        As :func:`family_member`.

    Examples
    --------
    >>> written_out("1 - tversky(alpha=1, beta=1/2)/2")
    '1 - (tp/(tp + (1)*fp + (1/2)*fn))/2'
    """
    return _MEMBER.sub(_formula_of_call, formula)


def _formula_of_call(call: re.Match[str]) -> str:
    family, member = FAMILIES.get(call[1]), family_member(call[0])
    if family is None or member is None:
        return call[0]
    values = parameters_of(member, family.key) or ()
    numbers = {p.name: f"({value})" for p, value in zip(family.parameters, values, strict=True)}
    own_formula = re.sub(r"\w+", lambda word: numbers.get(word[0], word[0]), family.text)
    return f"({own_formula})"


def parameters_of(metric: Metric, family: str) -> tuple[Fraction, ...] | None:
    """Return the parameters of a member of a family; None if the metric is none.

    Examples
    --------
    >>> from skewproof import get_metric
    >>> parameters_of(get_metric("robust_mcc"), "robust_mcc")
    (Fraction(1, 10),)
    """
    formula = metric.formula
    if isinstance(formula, FamilyFormula):
        return formula.values if formula.family == family else None
    declared = metric.key in ATLAS and ATLAS[metric.key].formula == formula
    return FAMILIES[family].members.get(metric.key) if declared else None


@cache
def _steps(text: str, parameters: tuple[str, ...]) -> tuple[reader.Step, ...]:
    return reader.read_steps(text, (*NAMES, *parameters), FUNCTIONS)


@cache
def _member(family_key: str, values: tuple[Fraction, ...]) -> Metric:
    family = FAMILIES[family_key]
    for key, parameters in family.members.items():
        if parameters == values:
            return ATLAS[key]
    parts, shown_values = [family.key], []
    for place, (parameter, value) in enumerate(zip(family.parameters, values, strict=True)):
        if value != parameter.default:
            parts += [parameter.name] * (place > 0) + [_text(value).replace(".", "_")]
            shown_values.append((parameter, value))
    equations = ", ".join(f"{p.name} = {_text(v, '/')}" for p, v in shown_values)
    latex = ", ".join(f"{p.latex} = {_text(v, '/')}" for p, v in shown_values)
    sizes = ConfusionMatrix(tp=1, fp=1, fn=1, tn=1)
    low, high = (float(family.evaluated(text, sizes, values)) for text in family.bounds)
    member = Metric(
        key="_".join(parts),
        symbol=f"{family.symbol}_{{{latex}}}",
        name=f"{family.name} with {equations}",
        source=family.names[0].source,
        formula=FamilyFormula(family.key, values),
        bounds=(low, high),
        community=family.names[0].community,
    )
    refuse_constant(member, f"{family.key}({equations})")
    return member


def _text(value: Fraction, over: str = "_over_") -> str:
    """Write a value as a decimal number if that is exact with at most 12 digits, or as a
    fraction."""
    decimal = f"{float(value):.12f}".rstrip("0").rstrip(".")
    whole = Fraction(decimal) == value
    return decimal if whole else f"{value.numerator}{over}{value.denominator}"


def _constant(value: Value, matrix: ConfusionMatrix) -> Value:
    if is_symbolic(value):
        return value
    return sympy.Rational(value) if has_symbols(matrix) else float(value)


def _family(row: Mapping[str, str]) -> Family:
    parameters = []
    texts = row["parameters"].split("; ")
    for text, latex in zip(texts, row["latex"].split(" "), strict=True):
        name, default, low, high = _PARAMETER.fullmatch(text).groups()  # type: ignore[union-attr]
        limits = {"least" if low == ">=" else "above": 0.0}
        limits |= {"most" if high == "<=" else "below": 1.0} if high else {}
        parameters.append(Parameter(name, latex, Fraction(default) if default else None, limits))
    return Family(
        key=row["key"],
        name=row["name"],
        symbol=row["symbol"],
        description=row["description"],
        text=row["formula"],
        bounds=(row["lower"], row["upper"]),
        parameters=tuple(parameters),
        names=(Name(row["community"], row["name"], row["source"]),),
        members={
            key: tuple(map(Fraction, values.split()))
            for key, values in _MEMBER.findall(row["members"])
        },
    )


FAMILIES = {row["key"]: _family(row) for row in read_table("families")}
"""The families by key, those of families.csv in its order."""
