"""The survey's measures as data."""

import copy
import re
import sys
from importlib import resources

import numpy as np
import pytest

from skewproof.audits.choosing.catalog import (
    SECTIONS,
    CatalogError,
    load_catalog,
    parse_catalog,
    read_yaml,
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

ACCURACY = read_yaml("catalog.yaml")["accuracy"]


def changed(**changes):
    data = copy.deepcopy(ACCURACY)
    for name, value in changes.items():
        if value is ...:
            del data[name]
        else:
            data[name] = value
    return {"accuracy": data}


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


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "NoneType: expected the fields of measures by their key"),
        ({}, "dict: expected the fields of measures"),
        ({"accuracy": 3}, "accuracy = 3: expected the fields name, section, problem"),
        (changed(nam="x"), r"accuracy.nam: unknown field; did you mean 'name'\?"),
        (changed(formula=...), "accuracy.formula: missing"),
        (changed(section="2.5"), "accuracy.section = '2.5': expected one of 2.1, 2.2"),
        (changed(section=2.1), "accuracy.section = 2.1: expected one of"),
        (changed(problem="regression"), "accuracy.problem = 'regression': expected one of class"),
        (changed(chance_corrected=0), "accuracy.chance_corrected = 0: expected one of True, False"),
        (changed(error_type="type 3"), "expected one of type 1, type 2, both, adjustable, None"),
        (changed(range=[1, 0]), r"accuracy.range = \[1, 0\]: expected the smaller and the larger"),
        (changed(range="unit"), "accuracy.range = 'unit'"),
        (changed(name=3), "accuracy.name = 3: expected text"),
        (changed(reference=None), "accuracy.reference = None: expected text"),
        (changed(function="accuracy"), "accuracy.function = 'accuracy': expected module:name"),
        (changed(options=[1]), r"accuracy.options = \[1\]: expected arguments by name"),
        (changed(examined={"metric": "f1"}), "accuracy.examined = .*: expected the texts metric"),
        (changed(examined="f1"), "accuracy.examined = 'f1': expected the texts metric and as"),
    ],
)
@pytest.mark.slow
def test_bad_data(data, message):
    with pytest.raises(CatalogError, match=message):
        parse_catalog(data)


def test_unknown_functions():
    with pytest.raises(CatalogError, match=r"skewproof.nowhere:f: expected a function, but"):
        resolve("skewproof.nowhere:f")
    with pytest.raises(CatalogError, match=r"skewproof.metrics:f9: expected a function, but"):
        resolve("skewproof.metrics:f9")


def test_without_pyyaml(monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(
        MissingExtraError, match="the catalog of measures needs PyYAML: pip install"
    ):
        load_catalog()
