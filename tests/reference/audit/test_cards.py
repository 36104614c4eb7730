"""Cards of all declared metrics, compared with the definition, and of the atlas's measures."""

import json

import numpy as np
import pytest

from known_values import INVARIANT
from skewproof.audits import auditing
from skewproof.audits.auditing import audit
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import DEFAULT_LEVELS
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.metrics.atlas import ATLAS
from skewproof.sensitivity.quadrature.exact import exact_indices


@pytest.fixture(scope="module")
def cards():
    return {key: audit(key) for key in METRICS}


@pytest.mark.parametrize("key", sorted(METRICS))
def test_every_declared_metric_has_a_card(cards, key):
    card = cards[key]
    invariant = key in INVARIANT
    assert card.type == (5 if invariant else 1)
    assert {row["verdict"] for row in card.invariance} == {"same" if invariant else "differs"}
    low, high = METRICS[key].bounds
    assert low <= card.low < card.high <= high
    assert np.isfinite([card.low, card.high]).all() == np.isfinite([low, high]).all()
    assert f"equals {key}" not in card.identities
    assert key not in {row["metric"] for row in card.nearest}
    correlations = [abs(row["rank_correlation"]) for row in card.nearest]
    assert correlations == sorted(correlations, reverse=True)
    assert all(row["s1_tp"] is not None for row in card.indices)
    json.loads(json.dumps(card.to_dict(), allow_nan=False))
    assert card.to_markdown().startswith(f"# {key}\n")


@pytest.mark.parametrize("key", METRICS)
def test_the_cards_have_the_study_s_scale(cards, key):
    """Deviations summed up by hand, and exact indices, of what the study analyzes."""
    metric, points, surfaces = bounded(METRICS[key]), np.linspace(0, 1, 100), []
    for level, row in zip(DEFAULT_LEVELS, cards[key].indices, strict=True):
        sizes = {"positives": 100, "negatives": level.negatives(100)}
        counts = 100 * points[:, np.newaxis], sizes["negatives"] * points
        surfaces.append(metric(ConfusionMatrix.from_tp_fp(*counts, **sizes)))
        exact = exact_indices([metric], **sizes)
        assert [row["s1_tp"], row["s1_fp"]] == exact.s1[0].tolist()
    sigma = [np.nansum(np.abs(values - surfaces[0])) for values in surfaces[1:]]
    found = [row["sigma"] for row in cards[key].sigma]
    np.testing.assert_allclose(found, sigma, rtol=1e-9, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key in ATLAS if key not in METRICS])
def test_every_other_measure_of_the_atlas_has_a_card(key, monkeypatch):
    """The levels are the first and the last."""
    monkeypatch.setattr(auditing, "DEFAULT_LEVELS", (DEFAULT_LEVELS[0], DEFAULT_LEVELS[-1]))
    card = audit(key)
    low, high = ATLAS[key].bounds
    rounding = 1e-9 * max(abs(card.low), abs(card.high), 1)
    assert low - rounding <= card.low <= card.high <= high + rounding
    assert all(row["evidence"] or row["verdict"] == "undecided" for row in card.invariance)
    assert len(card.indices) == 2
    assert card.to_text().startswith(key)
    assert card.to_markdown().startswith(f"# {key}")
    json.dumps(card.to_dict(), allow_nan=False)
