"""Exact and sampled indices of every measure of a ranking; the exact ones take five seconds."""

import numpy as np
import pytest

from skewproof.audits.choosing.poisson_lists import RANKING_MEASURES, RankingModel
from skewproof.core.levels import Level
from skewproof_studies.survey.ranking_imbalance import ranking_sensitivity

MODEL = RankingModel(items=30, k=4)


def test_exact_indices_agree_with_sampled_ones_and_with_a_fine_grid():
    levels = [Level(1, 1), Level(1, 2), Level(1, 10)]
    indices = ranking_sensitivity(MODEL, levels, replicates=6, log2_samples=8, seed=3)
    for kind in ("s1", "st"):
        distance = (indices[f"sampled_{kind}"] - indices[kind]).abs()
        assert (distance < 6 * indices[f"{kind}_standard_error"] + 1e-9).all()
        assert (indices[f"{kind}_standard_error"] < 0.01).all()
    assert (indices["error_estimate"] < 1e-8).all()
    assert indices["measure"].unique().tolist() == list(RANKING_MEASURES)
    assert (indices[["from_level", "to_level"]] == ["1:1", "1:10"]).all(axis=None)
    check_fine_grid(indices.set_index(["measure", "input"]))


def check_fine_grid(indices):
    """Check with AUC uniform from 1/2 to 1, and odds log-uniform from 1:1 to 1:10."""
    middles = (np.arange(400) + 0.5) / 400
    for key in ("precision_at_k", "ndcg"):
        values = MODEL.value(
            RANKING_MEASURES[key], (1 + middles[:, np.newaxis]) / 2, 10.0 ** middles[np.newaxis]
        )
        by_quality = values.mean(axis=1).var() / values.var()
        by_share = values.mean(axis=0).var() / values.var()
        assert indices.loc[(key, "quality"), "s1"] == pytest.approx(by_quality, abs=2e-4)
        assert indices.loc[(key, "share"), "s1"] == pytest.approx(by_share, abs=2e-4)
