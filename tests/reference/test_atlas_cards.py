"""The card of every measure of the atlas, at the first and the last level."""

import json

import pytest

from skewproof.audits import auditing
from skewproof.core.levels import DEFAULT_LEVELS
from skewproof.metrics.atlas import ATLAS


@pytest.mark.slow
@pytest.mark.parametrize("key", ATLAS)
def test_every_measure_has_a_card(key, monkeypatch):
    monkeypatch.setattr(auditing, "DEFAULT_LEVELS", (DEFAULT_LEVELS[0], DEFAULT_LEVELS[-1]))
    card = auditing.audit(key)
    low, high = ATLAS[key].bounds
    rounding = 1e-9 * max(abs(card.low), abs(card.high), 1)
    assert low - rounding <= card.low <= card.high <= high + rounding
    assert all(row["evidence"] or row["verdict"] == "undecided" for row in card.invariance)
    assert len(card.indices) == 2
    assert card.to_text().startswith(key)
    assert card.to_markdown().startswith(f"# {key}")
    json.dumps(card.to_dict(), allow_nan=False)
