import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score

from skewproof_studies.van_zyl.real_data.datasets import Data
from skewproof_studies.van_zyl.real_data.shuffle_search import (
    FAVORITES,
    SEARCH_COLUMNS,
    candidates,
    shuffle_distances,
    summarize_search,
)

RANDOM = np.random.default_rng(5)
POSITIVE = np.arange(300) % 5 == 0
DATA = Data(RANDOM.normal(size=(300, 3)) + POSITIVE[:, np.newaxis], POSITIVE)


def printed_of(state):
    """Make the printed values of a paper that shuffles by a seed."""
    splitter = StratifiedKFold(3, shuffle=state is not None, random_state=state)
    given = LogisticRegression(), DATA.features, DATA.positive
    values = {
        name: cross_val_score(*given, cv=splitter, scoring=name).mean()
        for name in ("f1", "balanced_accuracy")
    }
    return {name: f"{value:.4f}" for name, value in values.items()}


def searched(printed, states):
    rows = shuffle_distances(DATA, printed, LogisticRegression(), count=3, states=states)
    return pd.DataFrame([{"dataset": "D2", **row} for row in rows])


@pytest.mark.parametrize("state", [None, 3])
@pytest.mark.slow
def test_the_shuffle_of_a_paper_is_found(state):
    table = searched(printed_of(state), [None, 2, 3])
    (hit,) = table[table["matched"] == table["values"]].itertuples()
    assert hit.random_state == ("none" if state is None else state)
    assert hit.distance <= 0.5001e-4
    text = summarize_search(table.astype({"random_state": str}))
    assert f"`random_state` {hit.random_state} gives all 2 printed digits" in text


@pytest.mark.slow
def test_other_shuffles_do_not_match():
    table = searched(printed_of(3), [None, 2])
    assert (table["matched"] < 2).all()
    text = summarize_search(table)
    assert "No split gives all the printed digits of a data set." in text
    assert "comes nearest" not in text
    both = pd.concat([table, table.assign(dataset="D4", distance=[0.5, 0.25])], ignore_index=True)
    assert "for all data sets, 2 comes nearest, at most 0.2500 away." in summarize_search(both)


def test_each_state_is_tried_once():
    states = candidates(50)
    assert states[0] is None
    assert len(states) == len(set(states)) == 1 + 50 + len([n for n in FAVORITES if n >= 50])
    assert 42 in candidates(3)
    assert "No data set is available." in summarize_search(pd.DataFrame(columns=SEARCH_COLUMNS))
