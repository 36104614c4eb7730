import pandas as pd
import pytest

from skewproof.core.levels import DEFAULT_LEVELS, Level
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.sensitivity.sampling.sampled import sobol_indices
from skewproof_studies.van_zyl.salib.agreement import (
    AGREEMENT_COLUMNS,
    DisagreementError,
    chosen_metric,
    refuse_disagreement,
    salib_agreement,
)
from skewproof_studies.van_zyl.salib.chain import metric_values, salib_analysis, sample

KEYS = list("abcdefgh")
LEVEL = Level(1, 10)


def table(s1, s1_conf, metric="f1"):
    return pd.DataFrame(
        {
            "metric": metric,
            "level": "1:10",
            "input": ["tp", "fp"],
            "s1": [s1, 0.5],
            "s1_conf": [s1_conf, 0.01],
        }
    )


def test_the_seed_and_the_level_draw_the_metric():
    drawn = {level: chosen_metric(KEYS, level, 1) for level in DEFAULT_LEVELS}
    assert drawn == {level: chosen_metric(KEYS, level, 1) for level in reversed(DEFAULT_LEVELS)}
    assert len(set(drawn.values())) > 1
    assert {chosen_metric(KEYS, LEVEL, seed) for seed in range(200)} == set(KEYS)


def test_every_quantity_has_a_row_and_its_difference():
    ours = pd.concat([table(0.3, 0.02), table(0.9, 0.9, metric="other")])
    found = salib_agreement(table(0.25, 0.02), ours)
    assert list(found) == AGREEMENT_COLUMNS
    assert found[["input", "quantity"]].to_numpy().tolist() == [
        ["tp", "s1"], ["fp", "s1"], ["tp", "s1_conf"], ["fp", "s1_conf"],
    ]  # fmt: skip
    assert found["difference"].to_list() == pytest.approx([0.05, 0, 0, 0])


@pytest.mark.parametrize(
    ("difference", "own", "refused"),
    [(9e-13, [], False), (2e-12, [], True), (2e-12, ["f1"], False), (2e-8, ["f1"], True)],
)
@pytest.mark.slow
def test_a_difference_too_large_is_refused(difference, own, refused):
    agreement = salib_agreement(table(0.25, 0.02), table(0.25, 0.02 + difference))
    if not refused:
        refuse_disagreement(agreement, own)
        return
    with pytest.raises(DisagreementError, match=r"s1_conf\(tp\) of f1 at 1:10 is 0\.02"):
        refuse_disagreement(agreement, own)


@pytest.mark.slow
def test_what_is_missing_agrees_with_nothing():
    agreement = salib_agreement(table(0.25, 0.02), table(0.25, 0.02, metric="other"))
    with pytest.raises(DisagreementError, match=r"of f1 at 1:10 is nan, and .* by SALib"):
        refuse_disagreement(agreement, [])
    with pytest.raises(DisagreementError, match="nan by SALib"):
        refuse_disagreement(salib_agreement(table(float("nan"), 0.02), table(0.25, 0.02)), [])


def frame(metric, s1, s1_conf):
    parts = {"s1": s1, "s1_conf": s1_conf}
    return pd.DataFrame({"metric": metric, "level": "1:10", "input": ["tp", "fp"], **parts})


@pytest.mark.slow
def test_a_metric_that_is_another_for_salib_is_refused():
    """The numbers of the run are those of its metrics: F1 is not its variant."""
    options = {"resamples": 10, "seed": 3}
    ours = sobol_indices([bounded(METRICS["f1"])], LEVEL, 100, log2_samples=7, **options)
    points = sample(LEVEL, 100, log2_samples=7, seed=3)
    found = {}
    for key in ("f1", "f1_i"):
        values = metric_values(bounded(METRICS[key]), points, LEVEL, 100)
        theirs = salib_analysis("f1", values, LEVEL, confidence=0.95, **options)
        found[key] = salib_agreement(
            frame("f1", theirs.s1, theirs.s1_conf), frame("f1", ours.s1[0], ours.s1_conf[0])
        )
    refuse_disagreement(found["f1"], [])
    with pytest.raises(DisagreementError):
        refuse_disagreement(found["f1_i"], [])
