"""The catalog is looked up by key, never changed, and short when it is printed."""

import pytest

from skewproof.metrics.atlas import CATALOG
from skewproof.metrics.atlas.entry import Catalog, Entry, Name


def test_the_catalog_prints_its_size_and_its_use():
    assert repr(CATALOG) == (
        f"Catalog of {len(CATALOG)} measures\n"
        "Fields of an entry: names, remark, direction, bounds_of_counts\n"
        "To look up a measure by its key: CATALOG['accuracy']\n"
        "To find the key of a name: get_metric(name).key"
    )
    assert repr(Catalog({})).startswith("Catalog of 0 measures\n")


@pytest.mark.parametrize("key", CATALOG)
@pytest.mark.slow
def test_an_entry_prints_its_names_and_facts(key):
    entry = CATALOG[key]
    shown = " ".join(repr(entry).split())
    for name in entry.names:
        assert f"{name.name} ({name.community})" in shown
    assert f"direction: {entry.direction}" in shown
    assert ("remark: " in shown) == bool(entry.remark)


def test_an_entry_prints_bounds_of_counts_if_it_has_some():
    entry = Entry((Name("learning", "own", "x"),), "", "higher", (0.0, 1.0))
    assert (
        repr(entry) == "Entry\nnames: own (learning)\ndirection: higher\nbounds of counts: 0 to 1"
    )


@pytest.mark.parametrize("key", ["f_1", None, 5, ["f1"]])
def test_an_unknown_key_is_refused(key):
    with pytest.raises(KeyError, match="no measure"):
        CATALOG[key]


def test_an_unknown_key_offers_the_nearest():
    with pytest.raises(KeyError, match=r"no measure 'accurac'; did you mean 'accuracy'\?"):
        CATALOG["accurac"]


def test_the_catalog_is_not_changed():
    with pytest.raises(TypeError, match="does not support item assignment"):
        CATALOG["f1"] = CATALOG["accuracy"]
    assert "f1" in CATALOG
    assert "unknown" not in CATALOG
