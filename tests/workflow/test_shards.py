"""Base points of a level that several jobs share."""

import pytest

from study import SMALL

SCORES = "results/batches/1_1/importance_scores_2.csv"  # of the second level
SAMPLED = SMALL["sobol"] | {"log2_samples": 14}  # four chunks


@pytest.mark.slow
def test_neither_shards_nor_cores_change_a_byte(fresh):
    fresh.configure(metrics=["f1", "mcc"], levels=["1:1", "1:10"], sobol=SAMPLED)
    fresh.run("--cores", "1", SCORES)
    alone = fresh.produced()
    assert SCORES in alone
    fresh.configure(sobol=SAMPLED | {"shards": 4})
    assert fresh.planned(SCORES) == [
        *(f"Adding up shard {shard} of 4 of f1, mcc at 1:10" for shard in (1, 2, 3, 4)),
        "Estimating the importance scores of f1, mcc at 1:10",
    ]
    fresh.run("--cores", "2", SCORES)
    assert fresh.produced() == alone
