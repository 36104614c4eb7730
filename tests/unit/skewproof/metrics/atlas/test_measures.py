"""The tables of the atlas fit their description, and a formula is read when it is evaluated."""

import csv
import json
import re
import subprocess
import sys
from importlib.resources import files
from typing import get_args

import numpy as np
import pytest
import sympy

import skewproof
from skewproof.core.confusion import ConfusionMatrix, matrix_of
from skewproof.core.formulas.metrics import FormulaError, evaluated, parse_metric
from skewproof.core.metric import Direction
from skewproof.metrics.atlas import ATLAS, COMMUNITIES
from skewproof.metrics.atlas.functions import ACCURATE
from skewproof.metrics.atlas.measures import (
    FUNCTIONS,
    MEASURES,
    NAMES,
    OPERATIONS,
    SHARED,
    TERMS,
    PublishedFormula,
)

MATRIX = ConfusionMatrix(tp=9, fp=4, fn=3, tn=20)

FOLDER = files("skewproof.metrics.atlas")

PACKAGE = json.loads(FOLDER.joinpath("datapackage.json").read_text("utf-8"))

PATTERNS = {"string": "(?s).+", "number": r"-?(INF|\d+(\.\d+)?(e-?\d+)?)"}
"""Patterns of cells of which the data package says no more than the type."""


@pytest.mark.parametrize("formula", [one.formula for one in MEASURES] + [*TERMS.values()][4:])
def test_every_formula_is_read(formula):
    assert formula.steps


def test_reading_the_table_reads_no_formula():
    code = (
        "from skewproof.metrics.atlas.measures import MEASURES;"
        "print([one.key for one in MEASURES if 'steps' in vars(one.formula)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_terms_of_the_matrix_are_its_attributes():
    by_hand = {
        **{"P": 12, "N": 24, "predicted_positives": 13, "predicted_negatives": 23, "total": 36},
        **{"tpr": 9 / 12, "fpr": 4 / 24, "fnr": 3 / 12, "tnr": 20 / 24},
        **{"ppv": 9 / 13, "npv": 20 / 23},
    }
    for key, value in by_hand.items():
        assert float(TERMS[key](MATRIX)) == value
        assert float(NAMES[key](MATRIX)) == value


@pytest.mark.parametrize("key", ACCURATE)
def test_a_function_in_place_of_a_formula_has_its_value_where_no_digits_cancel(key):
    cells = np.random.default_rng(2).integers(1, 100, (4, 200))
    matrix = matrix_of(cells)
    by_formula = evaluated(ATLAS[key].formula.steps, matrix, NAMES, OPERATIONS)
    np.testing.assert_allclose(ATLAS[key](matrix), by_formula, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_of_exact_numbers_have_the_values_of_floats(function):
    exact = matrix_of(map(sympy.Integer, (9, 4, 3, 20)))
    measures = [one for one in MEASURES if f"{function}(" in one.formula.text]
    for measure in measures[:3]:
        value = sympy.sympify(measure(exact))
        assert float(value) == pytest.approx(float(measure(MATRIX)), rel=1e-12), measure.key


def test_an_error_in_a_formula_names_its_row_and_column():
    formula = PublishedFormula("measures", "p4", "tp/(tp + fp", "broken")
    with pytest.raises(FormulaError, match=r"measures\.csv, row p4, column formula: .*'\('"):
        formula(MATRIX)


@pytest.mark.parametrize("text", ["errors/total", "log2(tp)", "f1 + tp"])
def test_users_formulas_have_no_names_of_the_atlas(text):
    with pytest.raises(FormulaError, match="expected one of"):
        parse_metric(text)


def test_the_data_package_has_what_its_specification_requires():
    assert PACKAGE["profile"] == "tabular-data-package"
    assert PACKAGE["name"] == PACKAGE["name"].lower()
    assert PACKAGE["version"] == skewproof.__version__
    assert [license["name"] for license in PACKAGE["licenses"]] == ["CC-BY-4.0"]
    names = [resource["name"] for resource in PACKAGE["resources"]]
    files = {path.name for path in FOLDER.iterdir() if path.name.endswith(".csv")}
    assert files == {f"{name}.csv" for name in names}
    for resource in PACKAGE["resources"]:
        assert resource["profile"] == "tabular-data-resource"
        assert resource["path"] == f"{resource['name']}.csv"
        fields = resource["schema"]["fields"]
        assert all(field["description"].endswith(".") for field in fields)
        assert {field["type"] for field in fields} <= {"string", "number"}


@pytest.mark.parametrize("resource", PACKAGE["resources"], ids=lambda resource: resource["name"])
def test_the_cells_of_each_table_fit_the_data_package(resource):
    schema = resource["schema"]
    head, *rows = csv.reader(FOLDER.joinpath(resource["path"]).read_text("utf-8").splitlines())
    assert head == [field["name"] for field in schema["fields"]]
    assert all(len(row) == len(head) for row in rows)
    for field, column in zip(schema["fields"], zip(*rows, strict=True), strict=True):
        limits = field.get("constraints", {})
        words = "|".join(map(re.escape, limits.get("enum", [])))
        pattern = words or limits.get("pattern") or PATTERNS[field["type"]]
        required = limits.get("required", False)
        wrong = [cell for cell in column if cell or required if not re.fullmatch(pattern, cell)]
        assert not wrong, field["name"]
    if "primaryKey" in schema:
        assert len({row[0] for row in rows}) == len(rows)


def test_no_measure_has_the_key_of_a_metric_or_term():
    assert not {measure.key for measure in MEASURES} & set(SHARED)


def test_the_data_package_lists_the_functions_communities_and_directions():
    fields = {field["name"]: field for field in PACKAGE["resources"][0]["schema"]["fields"]}
    assert set(FUNCTIONS) <= set(re.findall(r"\w+", fields["formula"]["description"]))
    assert fields["direction"]["constraints"]["enum"] == list(get_args(Direction))
    communities = [community.key for community in COMMUNITIES]
    for resource in PACKAGE["resources"]:
        for field in resource["schema"]["fields"]:
            if field["name"] == "community":
                assert field["constraints"]["enum"] == communities
