"""A cut-off with a promise."""

import numpy as np
import pytest
from scipy import stats

from skewproof import ConfusionMatrix, choose_threshold, interval

RANDOM = np.random.default_rng(3)
TRUE = np.repeat([1, 0], [200, 2000])
SCORES = RANDOM.normal(3 * TRUE)


def counted(threshold, true=TRUE, scores=SCORES):
    called = scores >= threshold
    return int((called & (true == 1)).sum()), int((called & (true == 0)).sum())


@pytest.mark.slow
def test_the_first_failure_of_a_binomial_test_ends_the_search_for_a_recall():
    """Compute by hand, with the bound of Clopper and Pearson at each score from the lowest on."""
    chosen = choose_threshold(
        TRUE, SCORES, at="1:100", require="recall >= 0.9", maximize="fowlkes_mallows"
    )
    for row in chosen.tested.itertuples():
        tp, fp = counted(row.threshold)
        assert (row.tp, row.fp) == (tp, fp)
        assert row.p_value == pytest.approx(stats.binom.sf(tp - 1, 200, 0.9), abs=1e-9)
    lower = stats.beta.ppf(0.05, chosen.tested.tp, 200 - chosen.tested.tp + 1)
    assert chosen.tested.passed.tolist() == (lower >= 0.9).tolist()
    assert chosen.threshold == chosen.tested.threshold[chosen.tested.passed].iloc[-1]


@pytest.mark.slow
def test_the_cut_off_is_the_best_of_those_that_pass():
    chosen = choose_threshold(TRUE, SCORES, at="1:100", require="precision >= 0.5", maximize="f1")
    passed = chosen.tested[chosen.tested.passed]
    share = 1 / 101
    tpr, fpr = passed.tp / 200, passed.fp / 2000
    f1 = 2 * share * tpr / (share * tpr + (1 - share) * fpr + share)
    assert chosen.threshold == passed.threshold[f1.idxmax()]


@pytest.mark.slow
def test_rates_come_with_their_intervals():
    chosen = choose_threshold(TRUE, SCORES, at="1:1000", require="alarms <= 100", per=50_000)
    tp, fp = counted(chosen.threshold)
    matrix = ConfusionMatrix(tp=tp, fp=fp, fn=200 - tp, tn=2000 - fp)
    rates = chosen.rates.set_index("metric")
    assert rates.index.tolist() == ["true_positive_rate", "false_positive_rate", "alarms"]
    expected = interval("true_positive_rate", matrix, at="1:1000")
    assert rates.loc["true_positive_rate"].tolist() == [expected.value, expected.low, expected.high]
    called = 50_000 * (tp / 200 / 1001 + fp / 2000 * 1000 / 1001)
    assert rates.value["alarms"] == pytest.approx(called)


@pytest.mark.slow
@pytest.mark.parametrize("ties", [False, True])
def test_promises_are_broken_no_more_often_than_said(ties):
    """Normal scores, of which the rates are known; seeded."""
    random, repetitions, level, share = np.random.default_rng(5), 60, 0.2, 1 / 21
    broken = promised = 0
    true = np.repeat([1, 0], [60, 300])
    for _ in range(repetitions):
        scores = random.normal(2.5 * true)
        scores = np.round(2 * scores) / 2 if ties else scores
        chosen = choose_threshold(
            true, scores, at="1:20", require="precision >= 0.5", confidence=0.8
        )
        edge = chosen.threshold - 0.25 * ties
        tpr, fpr = stats.norm.sf(edge - 2.5), stats.norm.sf(edge)
        promised += chosen.promised
        broken += chosen.promised and share * tpr < (1 - share) * fpr
    assert promised > repetitions / 2
    assert broken / repetitions <= level + 2 * np.sqrt(level * (1 - level) / repetitions)


@pytest.mark.parametrize("start", [None, 4.0])
def test_three_positives_above_all_negatives_suffice_for_a_promise(start):
    """The p-value is .036: three of three, and none of 500, at the hardest point."""
    scores = np.append([5.0, 6, 7], RANDOM.normal(size=500))
    true = np.repeat([1, 0], [3, 500])
    chosen = choose_threshold(true, scores, at="1:100", require="precision >= 0.5", start=start)
    assert chosen.threshold == 5


@pytest.mark.slow
def test_a_share_of_the_calls_in_the_population_is_tested_by_a_binomial():
    chosen = choose_threshold(TRUE, SCORES, at="population", require="precision >= 0.3")
    tp, fp = chosen.tested.tp, chosen.tested.fp
    assert chosen.promised
    assert chosen.tested.p_value.tolist() == pytest.approx(stats.binom.sf(tp - 1, tp + fp, 0.3))


@pytest.mark.slow
def test_cut_offs_everywhere_share_the_level():
    chosen = choose_threshold(
        TRUE, SCORES, at="1:100", require="precision >= 0.5", start="everywhere"
    )
    number = len(chosen.tested)
    assert 10 < number <= 20
    assert (chosen.tested.passed == (chosen.tested.p_value <= 0.05 / number)).all()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"y_score": -SCORES}, "higher for negatives than for positives"),
        ({"y_score": -0.0 * SCORES}, "y_score is 0 everywhere: expected scores that differ"),
        ({"require": "alarms <= 10"}, "per = None: expected the number of instances that alarms"),
        (
            {"require": ["alarms <= 10", "recall >= 0.9"], "per": 50_000, "at": "1:1000"},
            "expected a requirement that can be met at 1:1000",
        ),
        ({"maximize": "error_rate"}, "maximize = 'error_rate': expected a metric whose high"),
        ({"start": 99}, "start = 99: expected a cut-off that scores reach"),
    ],
)
@pytest.mark.slow
def test_bad_input_is_refused_in_a_sentence(changed, said):
    given = {"y_true": TRUE, "y_score": SCORES, "at": "1:100", "require": "precision >= 0.5"}
    with pytest.raises(ValueError, match=said) as raised:
        choose_threshold(**given | changed)
    assert "\n" not in str(raised.value)


@pytest.mark.slow
def test_a_least_recall_alone_leaves_precision_to_maximize():
    chosen = choose_threshold(TRUE, SCORES, at="1:100", require="recall >= 0.5")
    explicit = choose_threshold(
        TRUE, SCORES, at="1:100", require="recall >= 0.5", maximize="precision"
    )
    assert (chosen.threshold, chosen.maximize) == (explicit.threshold, "precision")
    assert "it has the highest precision, " in str(chosen)
    other = choose_threshold(TRUE, SCORES, at="1:100", require=["recall >= 0.5", "fpr <= 0.2"])
    assert other.maximize == "true_positive_rate"


@pytest.mark.parametrize(
    ("scores", "options", "threshold", "said"),
    [
        (
            np.round(SCORES),
            {"at": "1:3", "require": "precision >= 0.5"},
            2,
            f"{(np.round(SCORES) == 2).sum()} of 2200 instances have exactly this score.",
        ),
        (
            np.append(-9, SCORES[1:]),
            {"at": "1:1", "require": "precision >= 0.3"},
            -9,
            "This calls everything positive.",
        ),
        # The highest score is that of many negatives.
        (
            np.minimum(SCORES, 1.0),
            {"at": "1:1000", "require": "alarms <= 10", "per": 50_000},
            np.nan,
            "in this sample only calling nothing positive meets it.",
        ),
        (
            np.minimum(SCORES, 1.0),
            {"at": "1:1000", "require": "precision >= 0.9"},
            np.nan,
            "no cut-off meets it even in this sample.",
        ),
    ],
)
@pytest.mark.slow
def test_what_is_special_about_a_cut_off_or_its_lack_is_said(scores, options, threshold, said):
    chosen = choose_threshold(TRUE, scores, **options)
    assert chosen.threshold == pytest.approx(threshold, nan_ok=True)
    assert chosen.promised == (not np.isnan(threshold))
    assert chosen.sentence.endswith(said)


@pytest.mark.slow
def test_scikit_learn_takes_the_cut_off():
    """Its estimators call scores from the cut-off on positive."""
    pytest.importorskip("sklearn", minversion="1.5")
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV

    from skewproof import get_scorer

    features = SCORES[:, np.newaxis]
    model = LogisticRegression().fit(features, TRUE)
    scores = model.predict_proba(features)[:, 1]
    chosen = choose_threshold(TRUE, scores, at="1:100", require="precision >= 0.5")
    fixed = FixedThresholdClassifier(model, threshold=chosen.threshold).fit(features, TRUE)
    assert (fixed.predict(features) == (scores >= chosen.threshold)).all()
    tuned = TunedThresholdClassifierCV(
        LogisticRegression(), scoring=get_scorer("f1", at="1:100"), thresholds=20
    ).fit(features, TRUE)
    again = choose_threshold(
        TRUE, scores, at="1:100", require="precision >= 0.3", start=tuned.best_threshold_
    )
    assert again.tested.threshold[0] == scores[scores >= tuned.best_threshold_].min()
