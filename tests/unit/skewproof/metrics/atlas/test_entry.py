"""The catalog is looked up by key, never changed, and short when it is printed."""

from skewproof.metrics.atlas import CATALOG
from skewproof.metrics.atlas.entry import Catalog, Entry, Name


def test_the_catalog_prints_its_size_and_its_use():
    assert repr(CATALOG) == (
        f"Catalog of {len(CATALOG)} measures\n"
        "Fields of an entry: names, remark, direction, bounds_of_counts\n"
        "To look up a measure by its key: CATALOG['accuracy']\n"
        "To find the key of a name: get_metric(name).key"
    )
    assert repr(Catalog("measure", {})).startswith("Catalog of 0 measures\n")


def test_an_entry_prints_its_names_and_facts():
    for entry in CATALOG.values():
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
