"""Plans of the rows of a frame to label; tests/reference/slices/test_engines.py has all engines."""

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from skewproof.unlabeled.labeling import plan_labels
from written import check_refusals

pytestmark = pytest.mark.slow

RANDOM = np.random.default_rng(3)
SIZE = 20_000
CHANCES = RANDOM.beta(0.02, 1, SIZE)
TRUE = RANDOM.random(SIZE) < CHANCES
IDS = RANDOM.permutation(SIZE) + 1000
FRAME = pd.DataFrame({"id": IDS, "p": CHANCES, "y": TRUE.astype(int)})
FRAME["called"] = (FRAME["p"] >= 0.2).astype(int)
OPTIONS = {"row_id": "id", "labels": 300}
SCORES = OPTIONS | {"y_score": "p", "threshold": 0.2}


def test_rows_are_the_same_on_an_engine_that_ranks_none():
    texts = FRAME.assign(id="t" + FRAME["id"].astype(str)).sample(frac=1, random_state=1)
    plan, here = (plan_labels("f1", some, **SCORES) for some in (pa.table(dict(texts)), texts))
    assert plan.rows.tolist() == here.rows.tolist() == sorted(here.rows)
    assert plan.stratum.tolist() == here.stratum.tolist()


def test_bins_cost_little():
    """Strata that begin at one of some scores, beside those of each instance."""
    binned = plan_labels("f1", FRAME, **SCORES)
    exact = plan_labels("f1", CHANCES, threshold=0.2, labels=300)
    assert len(binned.strata) == len(exact.strata)
    assert binned.value == pytest.approx(exact.value)
    assert binned.width == pytest.approx(exact.width, rel=0.1)


def test_predictions_have_the_plan_of_the_array():
    ordered = FRAME.assign(id=np.arange(SIZE))
    plan = plan_labels("f1", ordered, y_pred="called", **OPTIONS)
    same = plan_labels("f1", ordered["called"].to_numpy(), labels=300)
    assert plan.rows.tolist() == same.rows.tolist()
    pd.testing.assert_frame_equal(plan.strata, same.strata)
    assert (plan.width, plan.random_width) == (same.width, same.random_width)
    names = ordered.assign(called=ordered["called"].map({1: "fraud", 0: "fine"}))
    named = plan_labels("f1", names, y_pred="called", pos_label="fraud", **OPTIONS)
    assert named.rows.tolist() == same.rows.tolist()


@pytest.mark.parametrize(
    ("column", "options"), [("called", {"y_pred": "called"}), ("p", {"y_score": "p"})]
)
def test_a_reference_tells_the_shares_that_it_tells_of_arrays(column, options):
    """Strata of scores begin where bins of the reference do, between which all shares are alike."""
    labeled, rows = FRAME[:8000], FRAME[8000:].assign(id=np.arange(12_000))
    cut = {"threshold": 0.2} if column == "p" else {}
    options = options | cut | OPTIONS
    plan = plan_labels("recall", rows, reference=labeled, y_true="y", **options)
    same = plan_labels(
        "recall",
        rows[column].to_numpy(dtype=float),
        reference_true=labeled["y"],
        reference_scores=labeled[column],
        labels=300,
        **cut,
    )
    assert plan.value == pytest.approx(same.value)
    assert plan.width == pytest.approx(same.width, rel=0.1)
    assert (plan.rows.tolist() == same.rows.tolist()) == (column == "called")


def test_rows_without_a_score_are_left_out():
    some = FRAME.assign(p=FRAME["p"].where(FRAME["id"] % 10 > 0))
    with pytest.warns(UserWarning, match="left out: 2000"):
        plan = plan_labels("f1", some, **SCORES)
    assert plan.strata["size"].sum() == 18_000
    assert (plan.rows % 10 > 0).all()


def test_refusals_are_those_that_are_written():
    cases = [
        (FRAME.assign(id=1), {}),
        (FRAME.assign(p=2 * CHANCES), {}),
        (FRAME.assign(p=np.inf), {}),
        (FRAME, {"threshold": 2}),
        (FRAME, {"y_pred": "called"}),
        (FRAME, {"y_true": "y"}),
        (FRAME, {"reference_true": [1]}),
        (FRAME, {"row_id": None}),
        (FRAME, {"row_id": "idd"}),
        (FRAME, {"labels": 10}),
    ]
    calls = [partial(plan_labels, "f1", frame, **SCORES | changes) for frame, changes in cases]
    check_refusals(Path(__file__).with_name("frame_labeling_refusals.txt"), calls)
