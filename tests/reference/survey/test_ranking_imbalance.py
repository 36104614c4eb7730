"""Exact and sampled indices of every measure of a ranking; the exact ones take five seconds."""

from skewproof.core.levels import Level
from skewproof.studies.survey.poisson_lists import RANKING_MEASURES, RankingModel
from skewproof.studies.survey.ranking_imbalance import ranking_sensitivity


def test_exact_and_sampled_indices_agree():
    levels = [Level(1, 1), Level(1, 2), Level(1, 10)]
    indices = ranking_sensitivity(
        RankingModel(items=60, k=5), levels, replicates=8, log2_samples=9, seed=3
    )
    for kind in ("s1", "st"):
        distance = (indices[f"sampled_{kind}"] - indices[kind]).abs()
        assert (distance < 6 * indices[f"{kind}_standard_error"] + 1e-9).all()
        assert (indices[f"{kind}_standard_error"] < 0.01).all()
    assert (indices["error_estimate"] < 1e-8).all()
    assert indices["measure"].unique().tolist() == list(RANKING_MEASURES)
