"""The command ``skewproof explain-change``."""

import numpy as np
import pandas as pd
import pytest

from skewproof import count_slices, explain_change
from skewproof.cli.shared.predictions import reference_slice

COLUMNS = ("--true", "y", "--predicted", "p")

COUNTS = {"2026-05": (30, 20, 10, 140), "2026-06": (6, 22, 2, 170)}
"""tp, fp, fn, tn of each month."""

MISSING = "left out because their label or prediction is missing: 1"

CELLS = ((1, 1), (0, 1), (1, 0), (0, 0))
"""True and predicted label of each."""


@pytest.fixture(scope="module")
def months(tmp_path_factory):
    """A file of predictions, one of which is missing in June."""
    path = tmp_path_factory.mktemp("months") / "months.csv"
    lines = [
        f"{month},{true},{predicted},{0.5 + 0.3 * predicted - 0.1 * true},2.5"
        for month, numbers in COUNTS.items()
        for number, (true, predicted) in zip(numbers, CELLS, strict=True)
        for _ in range(number)
    ]
    path.write_text("\n".join(["month,y,p,score,weight", *lines, "2026-06,1,,,2.5", ""]))
    return str(path)


def expected(**options):
    counts = pd.DataFrame(COUNTS.values(), columns=["tp", "fp", "fn", "tn"])
    return explain_change(counts.assign(month=list(COUNTS), missing=[0, 1]), **options)


@pytest.mark.slow
def test_json_has_the_rows_of_the_frame_with_all_options(parsed, months):
    arguments = ["--metrics", "f1", "tp/(tp+fp)", "--reference", "2026-05", "--at", "12/4000"]
    arguments += ["--class-sizes", "fixed", "--confidence", "0.9", "--negligible", "0.9"]
    arguments += ["--adjustment", "benjamini-hochberg"]
    rows = parsed("explain-change", months, *COLUMNS, "--by", "month", *arguments, said=MISSING)
    options = {"class_sizes": "fixed", "confidence": 0.9, "negligible": 0.9}
    options |= {"adjustment": "benjamini-hochberg", "at": "12/4000"}
    metrics, reference = ["f1", "tp/(tp+fp)"], {"month": "2026-05"}
    frame = expected(metrics=metrics, reference=reference, **options)
    assert rows == frame.astype(object).where(frame.notna(), None).to_dict("records")


@pytest.mark.slow
def test_scores_and_weights(parsed, months):
    scores = ["--true", "y", "--score", "score", "--threshold", "0.6", "--weight", "weight"]
    by = ["--by", "month", "--reference", "month=2026-05", "--metrics", "f1"]
    (row,) = parsed(
        "explain-change", months, *scores, *by, said="label or score is missing or nan: 1"
    )
    labels = expected(metrics=["f1"], reference={"month": "2026-05"}).iloc[0]
    assert row["instances"] == 2.5 * labels["instances"]
    # Equal weights do not change the effective number of instances.
    assert row["low"] == pytest.approx(labels["low"])


@pytest.mark.slow
def test_two_keys_and_many_slices(printed, tmp_path):
    """The figure shows the 40 of 45 slices that differ most from their reference."""
    path = tmp_path / "many.csv"
    lines = [
        f"{month},{'a place with a very long name indeed' * 2}{shop},{true},{predicted}"
        for month in (5, 6)
        for shop in range(45)
        for place, (true, predicted) in enumerate(CELLS)
        for _ in range(shop + 2 if (month, place) == (6, 1) else 2)
    ]
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


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.slow
def test_groups_of_rows(parsed, tmp_path, classes):
    random = np.random.default_rng(0)
    who, month = random.integers(0, 20, 400), random.integers(1, 3, 400)
    true, hit = who % classes, random.random(400) < random.random(20)[who]
    frame = pd.DataFrame({"month": month, "who": who, "y": true, "p": np.where(hit, true, 0)})
    path = str(tmp_path / "patients.csv")
    frame.to_csv(path, index=False)
    metric = {2: "f1", 3: "macro_f1"}[classes]
    arguments = ["explain-change", path, *COLUMNS, "--by", "month", "--reference", "1"]
    arguments += ["--metrics", metric]
    rows = parsed(*arguments, "--groups", "who", "--order", "1", "2")
    counts = count_slices(frame, y_true="y", y_pred="p", by="month", groups="who")
    frame = explain_change(counts, metrics=metric, reference={"month": 1}, groups="who")
    for name in ("value", "low", "classifier_p", "groups", "effective_instances"):
        assert [row[name] for row in rows] == frame[name].tolist()
    assert all(" groups, " in row["sentence"] for row in rows)


@pytest.mark.slow
def test_what_is_not_known_is_null(parsed, tmp_path):
    path = tmp_path / "predictions.csv"
    path.write_text("month,y,p\n5,1,1\n5,0,0\n5,0,1\n6,0,0\n6,0,1\n")
    rows = parsed("explain-change", str(path), *COLUMNS, "--by", "month", "--reference", "5")
    assert [row["metric"] for row in rows] == ["f1", "f1_i"]
    assert rows[0]["value"] == 0
    assert rows[1]["difference_low"] is rows[1]["value"] is rows[0]["moved_class"] is None
    assert rows[0]["month"] == "6"
    assert "no instances of the positive class here" in rows[0]["sentence"]
