"""Numbers in remarks, by other ways."""

import re
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta

from skewproof import inspect_predictions


def remark(frame, start, **options):
    """Return the remark that matches."""
    texts = [text for text in inspect_predictions(frame, **options).remarks if start in text]
    assert len(texts) == 1, texts
    return texts[0]


def numbers(text):
    return [float(word.replace(",", "")) for word in re.findall(r"\d[\d,]*\.?\d*", text)]


def rows(tp=20, fn=10, fp=30, tn=940, **columns):
    true = [1] * (tp + fn) + [0] * (fp + tn)
    called = [1] * tp + [0] * fn + [1] * fp + [0] * tn
    return pd.DataFrame({"y_true": true, "y_pred": called, **columns})


def test_the_interval_of_the_recall_of_the_rarest_class_is_that_of_jeffreys():
    true, said = ["a"] * 500 + ["b"] * 400 + ["c"] * 12, ["a"] * 500 + ["b"] * 409 + ["c"] * 3
    text = remark(pd.DataFrame({"obs": true, "pred": said}), "12 rows of c, the rarest class")
    low, high = beta.ppf([0.025, 0.975], 3.5, 9.5)
    assert numbers(text) == [
        12,
        *map(pytest.approx, (round(high - low, 2),)),
        *(pytest.approx(end, abs=0.0051) for end in (low, high)),
    ]


def test_groups_of_copies_have_the_design_effect_of_their_size():
    hits = np.repeat([1, 1, 1, 0, 0, 1, 0, 1, 0, 1] * 4, 3)
    frame = pd.DataFrame({"patient": np.arange(240) // 3})
    frame["y_true"] = [1] * 120 + [0] * 120
    frame["y_pred"] = [*hits, *np.repeat([0, 1, 0, 0] * 10, 3)]
    assert numbers(remark(frame, "patient has")) == [80, 240]
    assert numbers(remark(frame, "design effect")) == [3, 120, 40]


def test_copies_are_counted():
    frame = rows(x=np.random.default_rng(0).normal(size=1000))
    assert numbers(remark(pd.concat([frame, frame[:70]]), "copies")) == [70, 1070]


def test_labels_are_more_frequent_among_rows_called_positive():
    frame = rows().astype({"y_true": float})
    frame.loc[frame["y_pred"] == 0, "y_true"] = np.nan
    frame.loc[[25, 500, 600, 700, 800, 900, 999, 998, 997], "y_true"] = [1, *[0] * 8]
    known = remark(frame, "rows have a label.")
    shares = remark(frame, "A label is known")
    assert numbers(known) == [59, 1000]
    assert numbers(shares) == [100, 1, 1]
    assert "flatter recall" in remark(frame, "flatter")


def test_a_score_that_ranks_backwards_has_the_area_of_the_pairs():
    frame = rows(y_score=np.random.default_rng(0).normal(size=1000))
    frame["y_score"] -= 3 * frame["y_true"]
    positive, negative = (frame.loc[frame["y_true"] == y, "y_score"].to_numpy() for y in (1, 0))
    area = np.mean(positive[:, np.newaxis] > negative)
    text = remark(frame, "low scores belong to 1")
    assert numbers(text)[:2] == [pytest.approx(area, abs=0.005), 1]


def test_probabilities_of_balanced_training_are_adjusted_by_bayes():
    rng = np.random.default_rng(0)
    true = (rng.random(5000) < 0.05).astype(int)
    odds = np.exp(2 * (rng.normal(size=5000) + 2 * true) - 2)  # ratio of the two densities
    frame = pd.DataFrame({"y_true": true, "y_prob": odds / (1 + odds)})
    share = true.mean()
    mean, adjusted = np.mean(odds / (1 + odds)), np.mean(1 / (1 + (1 - share) / share / odds))
    text = remark(frame, "The mean of y_prob")
    assert numbers(text) == [pytest.approx(mean, rel=0.05), 1, pytest.approx(share, rel=0.05)]
    text = remark(frame, "Adjusted from 1:1")
    assert numbers(text)[2] == pytest.approx(adjusted, rel=0.05)
    assert adjusted == pytest.approx(share, rel=0.1)
    lines = [line for _, line in inspect_predictions(frame).commands]
    assert any("--trained 1:1" in line for line in lines)


def test_calibrated_probabilities_have_no_remark():
    rng = np.random.default_rng(0)
    score = rng.random(5000)
    frame = pd.DataFrame({"y_true": (rng.random(5000) < score).astype(int), "y_prob": score})
    assert not [text for text in inspect_predictions(frame).remarks if "mean" in text]


def test_predictions_that_no_cutoff_explains_are_counted():
    score = np.arange(100) / 100
    called = (score >= 0.5).astype(int)
    called[[60, 70, 80, 10]] ^= 1
    frame = pd.DataFrame({"y_true": called ^ (np.arange(100) % 9 == 0), "y_pred": called})
    frame["y_score"] = score
    assert numbers(remark(frame, "No cut-off of y_score explains y_pred")) == [4]


SCORE = [0.1, 0.2, 0.3] * 20


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"y_true": [0] * 30, "y_pred": [1] * 30}, "All labels (30) are 0"),
        ({"y_true": [0, 1] * 30, "y_pred": [1] * 60}, "All predictions (60) are 1."),
        ({"y_true": [0, 1] * 30, "y_pred": [1] * 60}, "Both classes have exactly 30 rows"),
        ({"y_true": [0, 1] * 30, "y_score": [0.2, 0.6] * 30}, "no more than 2 different values"),
        ({"y_true": [0, 1] * 30, "y_score": [0.2, 0.6] * 30}, "The AUC of y_score is 1"),
        ({"y_true": [0, 1] * 30, "fold": [1, 2, 3] * 20}, "fold has 3 values"),
        (
            {"y_true": [0, 1, 1] * 20}
            | dict.fromkeys(["score_a", "score_b"], [0.1, 0.2, 0.3] * 20),
            "score_a and score_b are equal in all 60 rows",
        ),
    ],
)
def test_other_remarks(columns, said):
    assert any(said in text for text in inspect_predictions(pd.DataFrame(columns)).remarks)


def test_each_remark_has_a_number_or_follows_one_that_has():
    follows = {"flattered", "perfect"}
    table = files("skewproof.inspection").joinpath("remarks.csv")
    for fact, text in pd.read_csv(table).itertuples(index=False):
        assert re.search(r"\{\w+:[,.]|\d|few_scores", text) or fact in follows | {"equal"}
