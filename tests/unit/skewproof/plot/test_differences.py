"""The picture of several models."""

import re

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from skewproof import compare, probability_scores
from skewproof.plot import DifferencesDisplay

mpl.use("agg")

RANDOM = np.random.default_rng(0)
TRUE = np.repeat([1, 0], 100)
MODELS = {
    name: 1 / (1 + np.exp(-RANDOM.normal(gain * (TRUE - 0.5))))
    for name, gain in (("a", 1), ("b", 2), ("c", 2.2))
}
ROWS = compare("brier", TRUE, MODELS)
VALUES = {
    name: next(probability_scores(TRUE, said, scores=["brier"], draws=200).itertuples())
    for name, said in MODELS.items()
}


def test_the_best_has_the_least_loss_and_the_others_are_compared_with_it():
    display = DifferencesDisplay(differences=ROWS, values=VALUES).plot()
    losses = {name: np.mean((said - TRUE) ** 2) for name, said in MODELS.items()}
    assert display.best == min(losses, key=losses.get)
    for name, row in display.to_best.iterrows():
        assert row["value"] == pytest.approx(losses[name] - losses[display.best])
        assert row["low"] < row["value"] < row["high"]
    of_values, of_differences = display.axes_
    drawn = [line.get_xdata()[0] for line in of_values.lines[1::2]]
    assert drawn == pytest.approx([losses[name] for name in MODELS])
    assert [text.get_text() for text in of_values.get_yticklabels()] == list(MODELS)
    ends = [tuple(line.get_xdata()) for line in of_differences.lines[:4:2]]
    assert ends == [(row.low, row.high) for row in display.to_best.itertuples()]
    assert repr(display) == f"DifferencesDisplay(brier of 3 models, best {display.best})"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"differences": ROWS.drop(columns="low")}, "expected the frame of compare"),
        (
            {"differences": pd.concat([ROWS, ROWS.assign(metric="auc")])},
            "differences in one metric",
        ),
        ({"values": {"a": VALUES["a"]}}, "expected a value for each of a, b, c"),
    ],
)
def test_refusals(wrong, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        DifferencesDisplay(**{"differences": ROWS, "values": VALUES} | wrong)
