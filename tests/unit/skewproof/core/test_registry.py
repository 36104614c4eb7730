"""A registry is immutable and refuses a repeated key, whatever its items are."""

import dataclasses
from types import ModuleType

import pytest

from skewproof.audits.choosing.poisson_lists import RANKING_MEASURES
from skewproof.audits.choosing.two_clusters import CLUSTER_MEASURES
from skewproof.core.registry import Registry, declared_in
from skewproof.metrics import METRICS
from skewproof.multiclass.lookup import MEASURES

ALL = {"metrics": METRICS, "measures": MEASURES}
ALL |= {"clusterings": CLUSTER_MEASURES, "rankings": RANKING_MEASURES}


@dataclasses.dataclass(frozen=True)
class Thing:
    key: str


@pytest.mark.parametrize("registry", ALL.values(), ids=ALL)
def test_a_second_key_is_refused(registry):
    for key, item in registry.items():
        assert item.key == key
    again = next(iter(registry.values()))
    with pytest.raises(ValueError, match=f"key = '{again.key}': expected a key that no other"):
        registry.extended([again])


@pytest.mark.parametrize("registry", ALL.values(), ids=ALL)
def test_extending_makes_another_one(registry):
    before = list(registry)
    more = registry.extended(
        [dataclasses.replace(next(iter(registry.values())), key="another_one")]
    )
    assert list(registry) == before
    assert list(more) == [*before, "another_one"]
    with pytest.raises(TypeError, match="does not support item assignment"):
        registry["another_one"] = more["another_one"]


def test_the_repr_has_the_number_of_items_and_the_first_keys():
    assert repr(Registry("thing", [Thing("alpha"), Thing("beta")])) == (
        "Registry of 2 things: alpha, beta"
    )
    assert repr(Registry("thing", [Thing("alpha")])) == "Registry of 1 thing: alpha"
    many = repr(Registry("thing", [Thing(f"{number:0100}") for number in range(50)]))
    assert many.startswith("Registry of 50 things: 000")
    assert many.endswith(" and 47 more")
    assert repr(METRICS).startswith(f"Registry of {len(METRICS)} metrics: accuracy, ")
    assert len(repr(METRICS)) < 500


def test_an_unknown_key_offers_the_nearest():
    registry = Registry("thing", [Thing("alpha"), Thing("beta")])
    with pytest.raises(KeyError, match=r"no thing 'alpa'; did you mean 'alpha'\?"):
        registry["alpa"]
    with pytest.raises(KeyError, match=r"no thing 'BETA'; did you mean 'beta'\?"):
        registry["BETA"]


def test_what_a_module_imports_counts_once_and_in_order():
    first, second = ModuleType("first"), ModuleType("second")
    first.one, first.two = Thing("one"), Thing("two")
    second.two, second.three = first.two, Thing("three")
    assert [thing.key for thing in declared_in(Thing, first, second)] == ["one", "two", "three"]


@pytest.mark.parametrize("key", ["x" * 10**6, "alpha" * 25, ["alpha"], None, 5])
def test_what_is_no_key(key):
    with pytest.raises(KeyError, match="no thing") as caught:
        Registry("thing", [Thing("alpha")])[key]
    assert len(str(caught.value)) < 200
