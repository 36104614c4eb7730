"""The explorer as a single file: template, style, scripts and precomputed facts."""

from __future__ import annotations

import base64
import hashlib
import html
import math
from collections.abc import Mapping
from importlib import resources
from string import Template
from typing import Any

from skewproof.audits.auditing import examined
from skewproof.core.arguments import expect
from skewproof.core.extras import extra
from skewproof.core.formulas import reader
from skewproof.core.formulas.metrics import ROUNDING, ParsedFormula
from skewproof.core.levels import DEFAULT_LEVELS, DEFAULT_POSITIVES, Level
from skewproof.core.metric import Metric
from skewproof.explorer.facts import (
    HIGHEST,
    LOWEST,
    facts_of_measures,
    facts_of_metrics,
    index_levels,
)
from skewproof.explorer.javascript import (
    data_in_javascript,
    formulas_in_javascript,
    lacking_functions,
    scales_in_javascript,
)
from skewproof.metrics import METRICS
from skewproof.metrics.atlas import ATLAS
from skewproof.metrics.lookup import as_metric
from skewproof.operating_points.cutoff_values import FEWEST_FOUND, MOST_CALLED
from skewproof.operating_points.demands import MEAN
from skewproof.prevalence.prevalence import Prevalence
from skewproof.prevalence.projection import stated_prevalence
from skewproof.reporting.style import BLUE, GREEN, VERMILION

SCRIPTS = (
    "fields.js",
    "reader.js",
    "metrics.js",
    "best_point.js",
    "own_metric.js",
    "state.js",
    "classifier.js",
    "bounds.js",
    "scores.js",
    "contours.js",
    "indices.js",
    "table.js",
    "search.js",
    "panels.js",
    "cutoff.js",
    "page.js",
)
"""Scripts of the page, in their order."""

LIBRARY = "window.vegaEmbed = vegaEmbed;"
"""Part of Vega's bundle that the page uses."""

FIRST_METRIC = "f1"
"""Metric that the page shows by default, if it has it."""


def explorer_page(
    metric: str | None = None,
    *,
    at: float | str | Level | Prevalence | None = None,
    metrics: Mapping[str, Metric] = METRICS,
    measures: Mapping[str, Metric] = ATLAS,
) -> str:
    """Build the explorer, an HTML page that needs no network.

    Parameters
    ----------
    metric
        The metric to show first: a key of `metrics`, another key or name as for
        :func:`skewproof.get_metric`, or a formula as for :func:`skewproof.metrics.parse_metric`.
    at
        A stated prevalence of deployment, such as 0.003 or "1:1000". The slider of the page starts
        there, and the table has each metric's value there. By default the slider starts at 1:100,
        and the prevalence of deployment is 0.1 %.
    metrics
        At least one metric, with bounds, by a key that may be any text. A measure of the atlas that
        is shown first is added.
    measures
        Other measures to choose from, with bounds. Those whose key is in `metrics` are left out.
        Those with a function that JavaScript lacks are left out as well, and the page lists them.

    Raises
    ------
    KeyError
        If nothing has the name, or several metrics have it.
    FormulaError
        If the formula is invalid, or unbounded, or undefined on a part of the square.
    ValueError
        If `at` is not a stated prevalence between the ends of the slider, 1:1,000,000 and 1000:1.
    MissingExtraError
        If vl-convert, which contains Vega, is not installed.
    """
    first = None if metric is None else as_metric(metric, known=metrics)
    if first is not None and not isinstance(first.formula, ParsedFormula):
        metrics = {**metrics, first.key: first}
    start = _start(first, metrics) | _deployment(at)
    with extra("the explorer"):
        import vl_convert
    facts, given = facts_of_metrics(metrics), _facts_of_formula(start.get("formula"))
    others = {key: measure for key, measure in measures.items() if key not in metrics}
    lacking = {key: lacking_functions(measure) for key, measure in others.items()}
    offered = {key: measure for key, measure in others.items() if not lacking[key]}
    templates = "\n".join(_template(fact) for fact in [*facts, *given])
    declared = {
        "START": data_in_javascript(start),
        "FACTS": data_in_javascript(
            _known(facts) | {"measures": facts_of_measures(offered), "ofFirstFormula": given}
        ),
        "FORMULAS": formulas_in_javascript({**metrics, **offered}),
        "SCALES": scales_in_javascript({**metrics, **offered}),
    }
    lines = [f"const {name} = {value};" for name, value in declared.items()]
    scripts = "\n".join([*lines, *map(_asset, SCRIPTS)])
    library = vl_convert.javascript_bundle(snippet=LIBRARY)
    parts = {
        "library": library.replace("</script", r"<\/script"),
        "script": f'(() => {{\n"use strict";\n{scripts}\n}})();',
    }
    return Template(_asset("page.html")).substitute(
        parts,
        policy=_policy(parts.values()),
        style=Template(_asset("page.css")).substitute(blue=BLUE, vermilion=VERMILION, green=GREEN),
        templates=templates,
        mean=f"{MEAN:g}",
        offered=html.escape(_what_is_offered(metrics, others, lacking)),
    )


def _what_is_offered(
    metrics: Mapping[str, Metric],
    others: Mapping[str, Metric],
    lacking: Mapping[str, frozenset[str]],
) -> str:
    """State how many measures can be chosen, and which cannot, with the reason."""
    left_out = [others[key].name for key in others if lacking[key]]
    count = len(metrics) + len(others) - len(left_out)
    sentence = f"{count} {'measures' if count > 1 else 'measure'} can be chosen."
    if not left_out:
        return sentence
    functions = ", ".join(sorted(frozenset().union(*lacking.values())))
    verb = "is" if len(left_out) == 1 else "are"
    return (
        f"{sentence} {len(left_out)} of the atlas {verb} left out, because JavaScript lacks a"
        f" function that the formula needs ({functions}): {', '.join(left_out)}."
    )


def _start(metric: Metric | None, metrics: Mapping[str, Metric]) -> dict[str, Any]:
    """Return what the page shows first."""
    if metric is None or metric.key in metrics:
        first = FIRST_METRIC if FIRST_METRIC in metrics else next(iter(metrics))
        key = first if metric is None else metric.key
        return {"metric": key} | ({"second": f"{key}_i"} if f"{key}_i" in metrics else {})
    examined(metric)
    return {"metric": "own", "second": "own_i", "formula": metric.key.strip()}


def _deployment(at: Any) -> dict[str, Any]:
    """Return the first position of the slider, and the prevalence of deployment."""
    if at is None:
        return {}
    share = stated_prevalence(at).share
    rarest, commonest = Level(1, 10**HIGHEST), Level(10**-LOWEST, 1)
    fits = rarest.prevalence <= share <= commonest.prevalence
    expect(fits, "at", at, f"a prevalence from {rarest} to {commonest}")
    level = math.log10((1 - share) / share)
    return {"level": min(max(level, LOWEST), HIGHEST), "deployment": share}


def _facts_of_formula(formula: str | None) -> list[dict[str, Any]]:
    """Collect the facts of a formula that is shown first, unless it is too deep for SymPy."""
    if formula is None:
        return []
    try:
        return facts_of_metrics({"own": examined(formula, key="own")})
    except RecursionError:
        return []


def _known(facts: list[dict[str, Any]]) -> dict[str, Any]:
    """Collect all facts and constants that the scripts read, each from where it is decided."""
    return {
        "metrics": facts,
        "positives": DEFAULT_POSITIVES,
        "curveMean": MEAN,
        "fewestFound": FEWEST_FOUND,
        "mostCalled": MOST_CALLED,
        "lowest": LOWEST,
        "highest": HIGHEST,
        "levels": index_levels(),
        "defaultRatios": [level.negatives(1) for level in DEFAULT_LEVELS],
        "rounding": ROUNDING,
        "reader": {
            "symbols": reader.SYMBOLS,
            "functions": reader.FUNCTIONS,
            "binding": reader.BINDING,
            "longest": reader.LONGEST,
            "largest": reader.LARGEST,
            "highest": reader.HIGHEST,
            "deepest": reader.DEEPEST,
        },
    }


def _template(fact: dict[str, Any]) -> str:
    """Write a metric's formula and proof as templates, which the scripts copy into the page."""
    formula, proof = fact.pop("formulaInMath"), fact.pop("proofInMath")
    key = html.escape(fact["key"])
    parts = [f'<template id="formula-{key}">{formula}</template>']
    if proof is not None:
        parts.append(f'<template id="proof-{key}">{proof}</template>')
    return "\n".join(parts)


def _policy(scripts: Any) -> str:
    """Return a policy under which the browser runs only these scripts and fetches nothing."""
    digests = [
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts
    ]
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )


def _asset(name: str) -> str:
    folder = resources.files("skewproof.explorer") / "assets"
    return (folder / name).read_text(encoding="utf-8")
