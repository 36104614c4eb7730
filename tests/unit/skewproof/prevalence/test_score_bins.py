import numpy as np
import pytest

from skewproof.prevalence.score_bins import bin_reference

RANDOM = np.random.default_rng(3)
TRUE = np.repeat([1, 0], [150, 900])
KNOWN = RANDOM.normal(size=1050) + 2 * TRUE
SCORES = RANDOM.normal(size=4000)


def bin_scores(true, known, scores, *, threshold, pos_label=1):
    """Count labeled and unlabeled scores in bins."""
    return bin_reference(true, known, threshold=threshold, pos_label=pos_label).with_scores(scores)


def test_every_instance_is_in_a_bin_on_its_side():
    bins = bin_scores(TRUE, KNOWN, SCORES, threshold=1.2)
    below, above = bins.halves
    for counts, scores in (
        (bins.positives, KNOWN[TRUE == 1]),
        (bins.negatives, KNOWN[TRUE == 0]),
        (bins.unlabeled, SCORES),
    ):
        assert sum(counts[below]) == np.sum(scores < 1.2)
        assert sum(counts[above]) == np.sum(scores >= 1.2)
    assert len(bins.positives) == 6
    assert bins.below == 3


def test_bins_of_a_side_weigh_alike_with_both_classes_counted_alike():
    bins = bin_scores(TRUE, KNOWN, SCORES, threshold=1.2, pos_label=1)
    weights = np.array(bins.positives) / 150 + np.array(bins.negatives) / 900
    for half in bins.halves:
        assert weights[half] == pytest.approx(weights[half].mean(), abs=2 / 150)


def test_few_distinct_scores_have_few_bins():
    bins = bin_scores(
        [1, 1, 0, 0], [0.9, 0.1, 0.9, 0.1], [0.9, 0.1, 0.5], threshold=0.5, pos_label=1
    )
    assert bins == ((0.5,), 1, (1, 1), (1, 1), (1, 2))


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1, 1], [0.1, 0.9], [0.5]), {}, "reference_true = .*: expected labels of both classes"),
        (([1, 0], [0.1, 0.9, 1], [0.5]), {}, "have the shapes"),
        (([1, 0], [0.1, 0.9], []), {}, "scores is empty|expected at least one score"),
        (([1, 0], [0.1, np.inf], [0.5]), {}, "reference_scores"),
        (([1, 0], [0.1, 0.9], [0.5, np.nan]), {}, "scores"),
        (([1, 0], [0.1, 0.9], [0.5]), {"threshold": 2}, "expected reference scores on both sides"),
        (([1, 0], [0.1, 0.9], [0.5]), {"threshold": True}, "threshold = True"),
    ],
)
def test_what_cannot_be_binned_is_refused(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        bin_scores(*arguments, **({"threshold": 0.5} | options))
