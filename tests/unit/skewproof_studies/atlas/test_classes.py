"""Claims of sameness are tested on the declarations by fractions, without SymPy."""

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest

from skewproof.core.confusion import CELLS, ConfusionMatrix, matrix_of
from skewproof.core.formulas.metrics import parse_metric
from skewproof.metrics import METRICS
from skewproof.metrics.atlas import ATLAS
from skewproof_studies.atlas.classes import DIFFERENT, SAME, UNDECIDED, Functions, partition
from skewproof_studies.atlas.values import MATRICES

pytestmark = pytest.mark.slow

SOME = [
    *("accuracy", "cohen_kappa", "markedness", "cohen_kappa_i", "f1", "gilbert_ratio", "precision"),
    *("precision_i", "balanced_accuracy", "youden_j", "error_rate", "false_discovery_rate", "hmnc"),
]
"""Metrics that are quotients of polynomials."""


class FractionMatrix(ConfusionMatrix):
    """A matrix of fractions, which stay what they are."""

    shape = ()

    def __post_init__(self):
        pass

    @property
    def rates(self):
        return FractionMatrix(tp=self.tpr, fp=self.fpr, fn=self.fnr, tn=self.tnr)


def fractions(*cells):
    return FractionMatrix(**dict(zip(CELLS, map(Fraction, cells), strict=True)))


def exact_values(number, seed):
    """Evaluate metrics at random matrices of random class sizes, in fractions."""
    draw = random.Random(seed)
    matrices = [fractions(*(draw.randint(1, 300) for _ in range(4))) for _ in range(number)]
    return {key: [exact(key, one) for one in matrices] for key in SOME}


def exact(key, matrix):
    value = np.asarray(METRICS[key].formula(matrix), dtype=object).item()
    assert isinstance(value, Fraction)
    return value


@pytest.fixture(scope="module")
def functions():
    return Functions({key: METRICS[key] for key in SOME}, seed=1)


def test_measures_are_equal_where_their_exact_values_are(functions):
    values = exact_values(6, seed=3)
    first = partition(SOME, functions.equal).first
    for one, other in itertools.combinations(SOME, 2):
        assert (first[one] == first[other]) == (values[one] == values[other])


def test_measures_are_linear_in_each_other_where_their_exact_values_are_on_a_line(functions):
    values = exact_values(6, seed=4)
    first = partition(SOME, functions.affine).first
    for one, other in itertools.combinations(SOME, 2):
        f, g = values[one], values[other]
        on_a_line = all(
            (f[i] - f[0]) * (g[1] - g[0]) == (f[1] - f[0]) * (g[i] - g[0]) for i in range(2, 6)
        )
        assert (first[one] == first[other]) == on_a_line


def test_the_evidence_is_true(functions):
    found = partition(SOME, functions.affine).evidence.set_index(["measure", "other"])
    assert found.loc[("error_rate", "accuracy"), "evidence"] == "error_rate = (-1)*accuracy + (1)"
    assert found.loc[("cohen_kappa", "accuracy"), "relation"] == DIFFERENT
    text = found.loc[("cohen_kappa", "accuracy"), "evidence"].partition(" = ")[2]
    matrices = [fractions(*map(int, one.strip("()").split(", "))) for one in text.split(" and ")]
    (p, q, r), (s, t, u) = (
        [exact(key, one) for one in matrices] for key in ("cohen_kappa", "accuracy")
    )
    assert (p - q) * (s - u) != (p - r) * (s - t)


def test_what_has_no_exact_value_is_undecided():
    rounded = METRICS["accuracy"].formula

    def formula(matrix):
        return rounded(matrix) * 1.1

    other = parse_metric("tp*P/(P + N)", key="other")
    near = parse_metric("(tp + tn)/(P + N)", key="near")
    decimal = type(near)("decimal", "d", "decimal", "here", formula)
    functions = Functions({"near": near, "decimal": decimal, "other": other}, seed=1)
    found = partition(["near", "decimal", "other"], functions.equal)
    assert found.first == {"near": "near", "decimal": None, "other": "other"}
    relations = found.evidence.set_index("measure")["relation"]
    assert relations["decimal"] == UNDECIDED
    assert relations["other"] == DIFFERENT


def test_partition_puts_each_into_the_class_of_the_first_that_is_the_same():
    relation = {"ba": UNDECIDED, "ca": DIFFERENT, "da": DIFFERENT, "dc": SAME}
    found = partition("abcd", lambda key, other: (relation[key + other], "so"))
    assert found.first == {"a": "a", "b": None, "c": "c", "d": "c"}
    assert found.evidence.to_numpy().tolist() == [
        [*pair, relation[pair], "so"] for pair in ("ba", "ca", "dc")
    ]


def test_irrational_factors_are_found():
    registry = {
        "one": parse_metric("log(tp/P)", key="one"),
        "other": parse_metric("sqrt(2)*log(P/tp) + sqrt(3)", key="other"),
    }
    functions = Functions(registry, seed=1)
    assert functions.affine("other", "one")[0] == SAME
    assert functions.equal("other", "one")[0] == DIFFERENT
    assert np.isfinite(functions._at.low[:, :MATRICES]).all()


def test_measures_without_algebra_are_told_apart():
    keys = ["d_prime", "normal_area", "criterion", "log_beta", "beta", "goodall", "edwards_q"]
    functions = Functions({key: ATLAS[key] for key in keys}, seed=1)
    for judge in (functions.equal, functions.affine):
        assert partition(keys, judge).first == dict(zip(keys, keys, strict=True))
    # A logarithm of another base and of a root is on a line.
    keys = ["squared_pointwise_information", "unknown_f"]
    functions = Functions({key: ATLAS[key] for key in keys}, seed=1)
    relation, evidence = functions.affine(*reversed(keys))
    assert relation == SAME
    slope = float(evidence.partition("(")[2].partition(")")[0])
    assert slope == pytest.approx(np.log(2) / 2, rel=1e-12)


def test_constants_where_no_cell_is_empty_are_told_apart_where_one_is():
    """Naish's O is -1 and its binary kind 0 where something is missed; else tn and 1."""
    keys = ["naish_o", "naish_binary", "relative_risk"]
    functions = Functions({key: ATLAS[key] for key in keys}, seed=1)

    def told_apart_by(other):
        relation, evidence = functions.affine("naish_o", other)
        assert relation == DIFFERENT
        texts = evidence.partition(" = ")[2].split(" and ")
        return [list(map(int, text.strip("()").split(", "))) for text in texts]

    assert [row[2] for row in told_apart_by("naish_binary")].count(0) == 2
    one, other = map(matrix_of, told_apart_by("relative_risk"))
    assert ATLAS["relative_risk"](one) != ATLAS["relative_risk"](other)
    assert ATLAS["naish_o"](one) == ATLAS["naish_o"](other) == -1
