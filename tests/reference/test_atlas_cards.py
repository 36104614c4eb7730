"""The card of every measure of the atlas."""

import json

import pytest

from skewproof.metrics.atlas import ATLAS
from skewproof.practice.audit.audit import audit


@pytest.mark.slow
@pytest.mark.parametrize("key", ATLAS)
def test_every_measure_has_a_card(key):
    card = audit(key)
    low, high = ATLAS[key].bounds
    rounding = 1e-9 * max(abs(card.low), abs(card.high), 1)
    assert low - rounding <= card.low <= card.high <= high + rounding
    assert card.to_text().startswith(key)
    assert card.to_markdown().startswith(f"# {key}")
    json.dumps(card.to_dict(), allow_nan=False)
