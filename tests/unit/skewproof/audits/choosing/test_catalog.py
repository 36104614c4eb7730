"""The survey's measures as data."""

import re
import sys
from importlib import resources

import numpy as np
import pytest

from skewproof.audits.choosing.catalog import (
    SECTIONS,
    load_catalog,
    resolve,
)
from skewproof.audits.choosing.poisson_lists import RANKING_MEASURES
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.extras import MissingExtraError
from skewproof.multiclass.matrix import MulticlassConfusionMatrix

CATALOG = load_catalog()

TRUE = np.array([1, 0, 1, 1, 0, 0])
SCORES = np.array([6.0, 5, 4, 3, 2, 1])
OF_CLASSES = np.eye(3, dtype=int)[[0, 1, 2, 0, 1, 2]]

TOYS = {
    "two-class matrix": (ConfusionMatrix(tp=9, fp=4, fn=3, tn=20),),
    "multi-class matrix": (MulticlassConfusionMatrix([[5, 1, 0], [2, 7, 1], [0, 1, 3]]),),
    "labels": (TRUE, (SCORES > 3).astype(int)),
    "scores": {"y_true": TRUE, "y_score": SCORES},
    "class scores": (OF_CLASSES, np.array([SCORES, SCORES[::-1], SCORES * 0]).T),
    "clusters": (TRUE, [0, 0, 1, 1, 2, 2]),
    "instances and clusters": (SCORES[:, np.newaxis], TRUE),
    "ranked list": (TRUE, SCORES),
    "ranked lists": ([TRUE, 1 - TRUE], [SCORES, SCORES]),
    "masks": (TRUE == 1, SCORES > 3),
    "texts": (["a b", "c"], ["a b", "d"]),
}

CHOICES = {
    "problem": ("classification", "clustering", "ranking", "images", "text", "graphs"),
    "balance": ("balanced", "imbalanced", None),
    "classes": ("two", "many", None),
    "chance_corrected": (True, False),
    "error_type": ("type 1", "type 2", "both", "adjustable", None),
    "input": tuple(TOYS),
}


def test_every_section_and_equation_is_there():
    assert {measure.section for measure in CATALOG.values()} == set(SECTIONS)
    references = "; ".join(measure.reference for measure in CATALOG.values())
    for equation in [*range(3, 17), *range(18, 27), *range(29, 38)]:
        assert f"Eq. {equation}" in references or f", {equation}" in references, equation


@pytest.mark.slow
def test_every_function_computes_on_a_toy_example(subtests):
    for key, measure in CATALOG.items():
        if not measure.function:
            continue
        with subtests.test(key):
            function, toy = resolve(measure.function), TOYS[measure.input]
            if measure.input == "scores":
                value = function(**toy, **measure.options)
            else:
                value = function(*toy, **measure.options)
            if measure.range is None:
                assert (key, len(value)) == ("det_curve", 3)
            else:
                low, high = measure.range
                assert low <= float(value) <= high


def test_every_path_resolves_in_this_package():
    text = (resources.files("skewproof.audits.choosing") / "catalog.yaml").read_text()
    paths = re.findall(r"(?:skewproof|sklearn)[\w.]*:\w+", text)
    assert len(paths) > len(CATALOG)
    for path in paths:
        assert callable(resolve(path)) or resolve(path) in RANKING_MEASURES.values(), path
    named = {entry.function for entry in CATALOG.values() if entry.function}
    assert named | {entry.examined.get("metric") for entry in CATALOG.values()} >= set(paths)


def test_what_has_no_function_is_only_named_in_the_survey():
    without = [key for key, measure in CATALOG.items() if measure.function is None]
    assert without == ["rouge", "bleu", "heq", "meteor"]
    assert [key for key, measure in CATALOG.items() if measure.formula is None] == without


def test_chance_corrected_measures_are_at_zero_for_guesses():
    guess = ConfusionMatrix(tp=30, fp=60, fn=10, tn=20)
    of_three = MulticlassConfusionMatrix(np.outer([1, 2, 3], [1, 1, 1]))
    for measure in CATALOG.values():
        if measure.classes and measure.chance_corrected and measure.key != "scott_pi":
            toy = guess if measure.classes == "two" else of_three
            value = float(resolve(measure.function)(toy))
            assert value == pytest.approx(0, abs=1e-12), measure.key


def test_every_field_has_a_known_value(subtests):
    for key, entry in CATALOG.items():
        with subtests.test(key):
            assert {name: getattr(entry, name) for name in CHOICES}.items() <= {
                (name, value) for name, values in CHOICES.items() for value in values
            }
            texts = entry.name, entry.reference, entry.note, entry.formula or "", entry.input
            assert all(isinstance(text, str) for text in texts)
            assert isinstance(entry.chance_corrected, bool)
            assert entry.range is None or entry.range[0] < entry.range[1]
            assert not entry.examined or set(entry.examined) == {"metric", "as"}


def test_without_pyyaml(monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(
        MissingExtraError, match="the catalog of measures needs PyYAML: pip install"
    ):
        load_catalog()
