"""The command ``skewproof explain-change``."""

import pandas as pd
import pytest
from label_rows import label_lines

from skewproof.cli.shared.predictions import reference_slice

COLUMNS = ("--true", "y", "--predicted", "p")


@pytest.mark.slow
def test_two_keys_and_many_slices(printed, tmp_path):
    """The figure shows the 40 of 45 slices that differ most from their reference."""
    path = tmp_path / "many.csv"
    slices = {
        f"{month},{'a place with a very long name indeed' * 2}{shop}": [[2, false_alarms], [2, 2]]
        for shop in range(45)
        for month, false_alarms in ((5, 2), (6, shop + 2))
    }
    lines = label_lines(slices, (0, 1))
    path.write_text("\n".join(["month,shop,y,p", *lines, ""]))
    arguments = ["explain-change", str(path), *COLUMNS, "--by", "month", "shop", "--metrics", "f1"]
    output = printed(*arguments, "--reference", "month=5")
    assert " ".join(output.split()).count(" f1 changed by ") == 40
    assert "Not shown: 5 slices; --json has all" in " ".join(output.split())
    # The first shop is the same in both months.
    assert " f1 changed by 0.00 " not in output


def test_references():
    counts = pd.DataFrame({"month": [5, 6, 6], "shop": ["a=1", "a=1", "b"]})
    assert reference_slice([], counts, ["month"]) is None
    assert reference_slice(["6"], counts, ["month"]) == {"month": 6}
    assert reference_slice(["a=1"], counts, ["shop"]) == {"shop": "a=1"}
    both = reference_slice(["shop=b", "month=6"], counts, ["month", "shop"])
    assert both == {"month": 6, "shop": "b"}


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NaT])
def test_a_slice_without_a_key_is_named_as_it_is_shown(missing):
    counts = pd.DataFrame({"month": [5, 6], "shop": pd.Series(["a", missing], dtype=object)})
    for texts in (["missing"], [""], ["shop="], ["shop=missing"]):
        assert pd.isna(reference_slice(texts, counts, ["shop"])["shop"])
    labels = pd.DataFrame({"shop": ["missing", None, "a"]})
    assert reference_slice(["missing"], labels, ["shop"]) == {"shop": "missing"}
    with pytest.raises(ValueError, match="expected one of 5, 6"):
        reference_slice(["missing"], counts, ["month"])


@pytest.mark.parametrize(
    ("texts", "by", "message"),
    [
        (["6"], ["month", "shop"], "--reference '6': expected KEY=VALUE with a key of 'month'"),
        (["day=6"], ["month", "shop"], "--reference 'day=6': expected KEY=VALUE"),
        (["5", "6"], ["month"], "--reference '6': 'month' has a value already"),
        (["month=7"], ["month"], "--reference, in column 'month': .*expected one of 5, 6"),
    ],
)
def test_references_that_are_none(texts, by, message):
    counts = pd.DataFrame({"month": [5, 6], "shop": ["a", "b"]})
    with pytest.raises(ValueError, match=message):
        reference_slice(texts, counts, by)
