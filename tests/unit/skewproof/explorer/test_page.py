"""The explorer as a file, with a stand-in for Vega."""

import base64
import hashlib
import json
import math
import re
import sys
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

from skewproof.core.formulas.metrics import FormulaError
from skewproof.core.levels import Level
from skewproof.explorer import page
from skewproof.explorer.page import explorer_page
from skewproof.metrics import METRICS

FEW = {key: METRICS[key] for key in ("f1", "f1_i")}


@pytest.fixture
def build(monkeypatch):
    """Build a page of two metrics."""
    bundle = SimpleNamespace(javascript_bundle=lambda snippet: f'"</script>"; {snippet}')
    monkeypatch.setitem(sys.modules, "vl_convert", bundle)

    def build(metric=None, metrics=FEW, measures=None, **at):
        return explorer_page(metric, metrics=metrics, measures=measures or {}, **at)

    return build


def start(html):
    return json.loads(re.search(r"^const START = (.*);$", html, re.MULTILINE)[1])


@pytest.mark.slow
def test_the_policy_allows_the_scripts_that_are_there_and_no_others(build):
    html = build()
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    assert len(scripts) == html.count("<script") == 2
    digests = [
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts
    ]
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)[1]
    expected = " ".join(f"'sha256-{digest}'" for digest in digests)
    assert f"script-src {expected};" in policy
    assert policy.startswith("default-src 'none';")
    assert "connect-src" not in policy


@pytest.mark.slow
def test_formulas_and_proofs_are_in_templates(build):
    html = build()
    assert '<template id="formula-f1"><math' in html
    assert '<template id="proof-f1_i"><math' in html
    assert 'proof-f1"' not in html
    assert "$" not in re.sub(r"<script>.*?</script>", "", html, flags=re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (None, {"metric": "f1", "second": "f1_i"}),
        ("f1_i", {"metric": "f1_i"}),
        (" tp/P + 0 ", {"metric": "own", "second": "own_i", "formula": "tp/P + 0"}),
        ("F1 score", {"metric": "f1", "second": "f1_i"}),
        ("lift", {"metric": "lift"}),
        ("base rate", {"metric": "base_rate"}),
        ("a_prime", {"metric": "a_prime"}),
    ],
)
def test_what_is_shown_first(build, metric, expected):
    assert start(build(metric)) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("at", "level", "deployment"),
    [
        ("1:1000", 3, 1 / 1001),
        (0.2, math.log10(4), 0.2),
        (Level(1000, 1), -3, 1000 / 1001),
        ("1:1000000", 6, 1 / 1000001),
    ],
)
def test_a_page_opens_at_a_prevalence(build, at, level, deployment):
    shown = start(build(at=at))
    assert {"metric": "f1", "second": "f1_i"}.items() <= shown.items()
    assert shown["level"] == pytest.approx(level, abs=1e-12)
    assert shown["deployment"] == deployment
    assert -3 <= shown["level"] <= 6


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("1:1000001", "at = '1:1000001': expected a prevalence from 1:1000000 to 1000:1"),
        (0.9999, "at = 0.9999: expected a prevalence from 1:1000000 to 1000:1"),
        ("12/4000", "at = '12/4000': expected a stated prevalence"),
    ],
)
def test_a_prevalence_at_which_no_page_opens(build, monkeypatch, at, message):
    monkeypatch.setattr(page, "facts_of_metrics", lambda metrics: pytest.fail("work was begun"))
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        build(at=at)


def test_what_is_no_metric_is_refused_before_any_work(build, monkeypatch):
    monkeypatch.setattr(page, "facts_of_metrics", lambda metrics: pytest.fail("work was begun"))
    with pytest.raises(FormulaError, match="expected one of tp, fp, fn, tn, P, N"):
        build("tpr/2")
    with pytest.raises(KeyError, match="'Dice' has 2 meanings"):
        build("Dice")


@pytest.mark.slow
def test_a_measure_that_javascript_does_not_have(build):
    with pytest.raises(FormulaError, match="d_prime has a function that JavaScript lacks"):
        build("d_prime")


@pytest.mark.parametrize("name", page.SCRIPTS)
def test_no_script_takes_text_for_code_or_markup(name):
    text = page._asset(name)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b", text)
    assert not re.search(r"\bFunction\(|fetch\(|XMLHttpRequest|https?:", text)
    assert len(text.splitlines()) <= 400


@pytest.mark.slow
def test_what_is_too_deep_for_sympy_is_left_to_the_page(build, monkeypatch):
    facts = page.facts_of_metrics

    def too_deep(metrics):
        if "own" in metrics:
            raise RecursionError
        return facts(metrics)

    monkeypatch.setattr(page, "facts_of_metrics", too_deep)
    assert '"ofFirstFormula":[]' in build("tp/P")


class Ids(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.scripts = [], 0

    def handle_starttag(self, tag, attributes):
        self.scripts += tag == "script"
        self.found += [dict(attributes).get("id")] if tag == "template" else []


@pytest.mark.slow
@pytest.mark.parametrize("key", ['"><script>alert(1)</script>', "__proto__", "a b'", "F₁ & co"])
def test_keys_may_be_any_text(build, key):
    text = build(metrics={key: METRICS["f1_i"]})
    ids = Ids()
    ids.feed(text)
    assert ids.found == ["panel", f"formula-{key}", f"proof-{key}"]
    assert ids.scripts == 2
    [line] = re.findall(r"^const FORMULAS = \{\n  \[(.*)\]: \(t_p", text, re.MULTILINE)
    assert json.loads(line) == key
    assert start(text) == {"metric": key}
