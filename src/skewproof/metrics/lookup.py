"""The search for a metric by its key, a name of the atlas in any spelling, or an abbreviation.

A word is searched for in these places, and the first match decides:

1. the keys of the given registry, a study's own before the declared ones;
2. the keys of the atlas;
3. the rows of ``names.csv`` for the search: common abbreviations, and names of packages' functions;
4. the names of the catalog, and the keys spelled as words.

In 3 and 4 case, punctuation, accents and a possessive s do not count. A word that means several
measures there is refused with a list of them. A word that is found nowhere can be a member of a
family, such as ``robust_mcc(d=0.05)``. The atlas is imported only for a word that is not a
key of the registry.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from skewproof.core.arguments import expect
from skewproof.core.formulas.metrics import SYMBOLS, FormulaError, ParsedFormula, parse_metric
from skewproof.core.messages import shown
from skewproof.core.metric import Declaration, Metric
from skewproof.core.registry import ALIKE, LONGEST_WORD, Registry
from skewproof.metrics.registered import METRICS

if TYPE_CHECKING:
    from skewproof.metrics.atlas.entry import Catalog, Name

Item = TypeVar("Item", bound=Declaration)

Meanings = dict[str, "Name"]
"""Meanings of a word: keys of measures, each with the name that matched the word."""

FORMULA_SIGNS = frozenset("+*/()")
"""Characters that mark a text as a formula unless it is a name."""

EXPECTED = "a metric, its key or name, or a formula; metric(...) makes one of a function"


def get_metric(name: str, *, known: Mapping[str, Metric] = METRICS) -> Metric:
    """Look up a metric by its key or by its name in a field or a package.

    Parameters
    ----------
    name
        A key of :data:`METRICS` or of the atlas, or a name in any spelling: case, punctuation and
        accents do not count. A key comes before a name. A measure with parameters is written as
        ``"robust_mcc(d=0.05)"``; the families are f_beta, tversky, net_benefit, robust_f,
        robust_mcc, general_robust_f and weighted_accuracy.
    known
        Metrics whose keys come before all others, such as a study's own.

    Raises
    ------
    KeyError
        If there is no such metric (the message offers the nearest spelling), or if several metrics
        have the name, as for "Dice" (the message lists them).

    Examples
    --------
    >>> from skewproof import get_metric
    >>> [get_metric(name).key for name in ("f1", "F1 score", "recall_score", "informedness")]
    ['f1', 'f1', 'true_positive_rate', 'youden_j']
    """
    expect(isinstance(known, Mapping), "known", known, "a mapping from keys to metrics")
    metric = _metric_named(name, known)
    if metric is None:
        raise KeyError(f"no metric {shown(name)}{nearest_name(name)}")
    return metric


def as_metric(
    metric: Metric | str,
    *,
    key: str | None = None,
    known: Mapping[str, Metric] = METRICS,
    name: str = "metric",
) -> Metric:
    """Convert a user's argument to a metric: a metric, its key or name, or a formula.

    Parameters
    ----------
    metric
        The metric. A text that can be read as a formula is a formula, unless it is a key. A formula
        may have members of families in it, such as ``robust_mcc(d=0.05)/2``.
    key
        The key of a formula; its text if None.
    known
        As for :func:`get_metric`.
    name
        The argument's name in an error message.

    Raises
    ------
    KeyError
        As :func:`get_metric`, if the text has no characters of a formula.
    FormulaError
        If it has such characters and is not a formula.
    ValueError
        If it is neither a metric nor text.
    """
    if isinstance(metric, Metric):
        return metric
    expect(isinstance(metric, str), name, metric, EXPECTED)
    word = metric.strip()
    fault = None
    if not word.isidentifier() or word in SYMBOLS:
        try:
            ParsedFormula(metric)
        except FormulaError as error:
            fault = error
        else:
            return parse_metric(metric, key=metric if key is None else key)
    named = _metric_named(word, known)
    if named is not None:
        return named
    if fault is not None and "(" in word:
        from skewproof.metrics.atlas.families import written_out  # loads the atlas

        if (formula := written_out(metric)) != metric:
            return parse_metric(formula, key=metric if key is None else key)
    if fault is not None and (FORMULA_SIGNS & set(word) or not simplified(word)):
        raise fault
    raise KeyError(
        f"{shown(metric)} is neither the key or name of a metric nor a formula in"
        f" {', '.join(SYMBOLS)}"
        f"{nearest_name(word)}"
    )


def as_metrics(metrics: Any) -> list[Metric]:
    """Convert one or several arguments of :func:`as_metric` to metrics without repetition.

    Raises
    ------
    KeyError, FormulaError
        As :func:`as_metric`.
    ValueError
        If the list is empty, or an item is neither a metric nor text.
    """
    return each_once(metrics, as_metric, EXPECTED)


def each_once(given: Any, convert: Callable[[Any], Item], expected: str) -> list[Item]:
    """Convert one or several metrics or measures, keys or names, without repetition.

    Parameters
    ----------
    given
        One of them, or several.
    convert
        The conversion of one.
    expected
        What is expected of one, for an error message.

    Raises
    ------
    ValueError
        If it is neither one nor several, or none at all.
    """
    if isinstance(given, str | Declaration):
        return [convert(given)]
    expect(isinstance(given, Iterable), "metrics", given, f"{expected}, or several of these")
    chosen = list(dict.fromkeys(map(convert, given)))
    expect(bool(chosen), "metrics", given, f"at least one: {expected}")
    return chosen


def meanings(word: str) -> Meanings:
    """Find the measures of the atlas that a word means, in the order of the catalog, if any.

    Examples
    --------
    >>> from skewproof.metrics.lookup import meanings
    >>> list(meanings("Peirce skill score")), list(meanings("tss")), list(meanings("Dice"))
    (['youden_j'], ['youden_j'], ['f1', 'twice_jaccard'])
    """
    _, catalog = _atlas()
    if word in catalog:
        return {word: catalog[word].names[0]}
    if len(word) > LONGEST_WORD:
        return {}
    matches = _vocabulary().get(simplified(word), {})
    return {key: matches[key] for key in catalog if key in matches}


def names_with(word: str) -> dict[str, list[str]]:
    """Find the names that contain a word in any spelling, by key in the order of the catalog.

    A measure of which only the key contains the word has its first name in the result.

    Raises
    ------
    KeyError
        If no name contains the word; the message offers the nearest spelling.

    Examples
    --------
    >>> from skewproof.metrics.lookup import names_with
    >>> names_with("bookmaker")
    {'youden_j': ['bookmaker informedness', 'bookmaker']}
    """
    atlas, _ = _atlas()
    part = simplified(word)
    matches: dict[str, list[str]] = {}
    for form, named in chain(_listed().items(), _usual().items()):
        if part and part in form:
            for key, name in named.items():
                shown_name = atlas[key].name if name.name == key else name.name
                known = matches.setdefault(key, [])
                known += [shown_name] if shown_name not in known else []
    if not matches:
        raise KeyError(f"no metric has {shown(word)} in its names{nearest_name(word)}")
    return {key: matches[key] for key in atlas if key in matches}


def nearest_name(word: str) -> str:
    """Write the end of a sentence about a word that is no name: the reason, or the nearest name.

    Nothing is written if there is neither.
    """
    if not isinstance(word, str) or len(word) > LONGEST_WORD:
        return ""
    if reason := _no_row().get(simplified(word)):
        return f": {reason}"
    for form in get_close_matches(simplified(word), _vocabulary(), n=1, cutoff=ALIKE):
        key, name = next(iter(_vocabulary()[form].items()))
        return f"; did you mean {key!r}" + ("?" if simplified(key) == form else f" ({name.name})?")
    return ""


def simplified(text: str) -> str:
    """Remove differences of spelling from a name.

    Examples
    --------
    >>> [simplified(name) for name in ("Youden's J", "youden_j", "Sørensen-Dice", "LR-")]
    ['youdenj', 'youdenj', 'sorensendice', 'lrminus']
    """
    text = unicodedata.normalize("NFKD", text.casefold().replace("ø", "o").replace("’", "'"))
    text = re.sub(r"\b(\w)'(?!\w)", r"\1 prime", text)
    text = re.sub(r"'s\b", "", text).replace("+", "plus")
    text = re.sub(r"(?<=\w)\*(?!\w)", "star", text)
    text = re.sub(r"[-−](?!\w)", "minus", text)
    return re.sub(r"[\W_]+", "", text)


def _atlas() -> tuple[Registry[Metric], Catalog]:
    """Load the atlas and its catalog, which the keys of METRICS do not need."""
    from skewproof.metrics.atlas import ATLAS, CATALOG

    return ATLAS, CATALOG


@cache
def _no_row() -> dict[str, str]:
    """Map the simplified names of proposals that are no measure of the atlas to the reasons."""
    from skewproof.metrics.atlas.entry import read_table  # loads the atlas

    return {
        simplified(name): f"{row['reason']} ({row['source']})"
        for row in read_table("no_row")
        for name in row["names"].split("; ")
    }


@cache
def _vocabulary() -> dict[str, Meanings]:
    """Map each simplified word to its meanings; a word listed for the search has no others."""
    return _listed() | _usual()


@cache
def _usual() -> dict[str, Meanings]:
    """Map the words that are listed for the search to their meanings."""
    from skewproof.metrics.atlas.entry import listed_names  # loads the atlas

    words: dict[str, Meanings] = {}
    for key, name, searched in listed_names():
        if searched:
            words.setdefault(simplified(name.name), {})[key] = name
    return words


@cache
def _listed() -> dict[str, Meanings]:
    """Map the names of the catalog, the aliases of metrics and the keys to their meanings."""
    atlas, catalog = _atlas()
    forms: dict[str, Meanings] = {}
    for key, entry in catalog.items():
        first = entry.names[0]
        others = (first._replace(name=name) for name in (key, *atlas[key].aliases))
        for name in (*entry.names, *others):
            for form in (simplified(name.name), simplified(name.name.replace("'", ""))):
                forms.setdefault(form, {}).setdefault(key, name)
    return forms


def _metric_named(word: str, known: Mapping[str, Metric]) -> Metric | None:
    """Find the metric of a key or name, or return None; an ambiguous name is refused."""
    if not isinstance(word, str) or word in known:
        return known.get(word)
    named = meanings(word)
    if len(named) > 1:
        keys = ", ".join(f"{key} ({name.community})" for key, name in named.items())
        raise KeyError(f"{shown(word)} has {len(named)} meanings: expected one of the keys {keys}")
    for key in named:
        return known.get(key, _atlas()[0][key])
    from skewproof.metrics.atlas.families import family_member  # loads the atlas

    return family_member(word)
