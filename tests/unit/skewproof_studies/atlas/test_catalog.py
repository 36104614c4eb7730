"""The atlas as a table, compared with the declarations."""

import io

import numpy as np
import pandas as pd
import pytest
import sympy

from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas import ATLAS, CATALOG
from skewproof_studies.atlas.catalog import BETWEEN, catalog_table, with_proofs

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def table():
    """Read the table from its file."""
    text = catalog_table().to_csv(index=False)
    return pd.read_csv(io.StringIO(text), keep_default_na=False).set_index("measure")


def test_each_measure_has_a_row_with_its_names_and_bounds(table):
    assert list(table.index) == list(ATLAS)
    assert list(table["name"]) == [metric.name for metric in ATLAS.values()]
    bounds = np.array([metric.bounds for metric in ATLAS.values()], dtype=float)
    np.testing.assert_array_equal(table[["lowest", "highest"]].astype(float), bounds)
    for key, cell in table["names"].items():
        names = [tuple(part.split(": ", 1)) for part in cell.split(BETWEEN)]
        assert names == [(name.community, name.name) for name in CATALOG[key].names]


@pytest.mark.parametrize(
    ("key", "column", "expected"),
    [
        ("precision", "families", "Tversky index"),
        ("mcc", "families", "robust Matthews correlation coefficient"),
        ("precision", "undefined", "tp and fp"),
        ("frequency_bias", "direction", "target"),
        ("jaccard_4w", "coined", "similarity: Jaccard with hits four times"),
        ("krippendorff_alpha", "lowest", "-1.0"),
        ("rand_index", "lowest", "-inf"),
        ("rand_index", "lowest_of_counts", "0.0"),
        ("f2_of_negatives", "unverified", "van Rijsbergen 1975"),
        ("baulieu_xii", "direction", "lower"),
    ],
)
def test_a_cell(table, key, column, expected):
    assert str(table.loc[key, column]) == expected


def test_dois_and_places_are_of_cited_publications(table):
    assert "Dice 1945: 10.2307/1932409" in table.loc["f1", "dois"].split(BETWEEN)
    assert "Dice 1945: p. 302" in table.loc["f1", "places"].split(BETWEEN)
    for column in ("dois", "places"):
        for key, cell in table[column].items():
            for part in filter(None, cell.split(BETWEEN)):
                citation = part.split(": ")[0]
                assert citation in table.loc[key, "sources"] or "Eq. " in table.loc[key, "sources"]


@pytest.mark.parametrize("key", list(ATLAS)[::7])
def test_a_formula_is_the_measure(table, key):
    cells = {"tp": 9, "fp": 4, "fn": 3, "tn": 20}
    names = {name: sympy.Symbol(name, nonnegative=True) for name in cells}
    formula = sympy.sympify(table.loc[key, "formula"], locals=names)
    value = float(formula.subs({names[name]: count for name, count in cells.items()}))
    assert value == pytest.approx(float(ATLAS[key](ConfusionMatrix(**cells))), rel=1e-9)


def test_proofs_are_columns():
    rows = pd.DataFrame({"measure": ["f1", "f1_i", "naish_o"]})
    table = with_proofs(rows).set_index("measure")
    assert dict(table["verdict"]) == {"f1": "differs", "f1_i": "same", "naish_o": "differs"}
    # Half of each class is called positive: 50 hits, and 50 or 5,000 false alarms.
    assert table.loc["f1", "proof"] == "1/2 and 2/103 at u = 1/2, v = 1/2"
    assert table.loc["f1_i", "proof"] == "2*u/(u + v + 1)"
    assert table.loc["naish_o", "proof"] == "100 and 10000 at u = 1, v = 0"
    assert table.loc["f1", "equal"] == "f1"
