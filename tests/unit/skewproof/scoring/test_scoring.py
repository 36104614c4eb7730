import pickle
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as sklearn_metrics
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.metrics import parse_metric
from skewproof.core.metric import UndefinedMetricWarning
from skewproof.intervals.metric_interval import interval
from skewproof.metrics import METRICS
from skewproof.metrics.atlas import ATLAS
from skewproof.multiclass.declaration import measure
from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import Prevalence
from skewproof.scoring.model_comparison import compare
from skewproof.scoring.scoring import get_scorer, score
from written import check_refusals, check_written

confusion_matrix = ConfusionMatrix.from_labels

TRUE = [1] * 12 + [0] * 24
PREDICTED = [1] * 9 + [0] * 3 + [1] * 4 + [0] * 20


def test_columns_of_pandas_are_taken_in_their_order():
    true = pd.Series(np.where(TRUE, "yes", "no"), index=range(100, 136), dtype="category")
    matrix = confusion_matrix(true, pd.Series(np.where(PREDICTED, "yes", "no")), pos_label="yes")
    assert (matrix.tp, matrix.fp, matrix.fn, matrix.tn) == (9, 4, 3, 20)


def test_undefined_scores():
    true, predicted = [1, 0], [0, 0]
    with pytest.warns(UndefinedMetricWarning, match="0 divided by 0: mcc"):
        assert np.isnan(METRICS["mcc"].score(true, predicted))
    with pytest.raises(ValueError, match="undefined on these labels"):
        METRICS["mcc"].score(true, predicted, undefined="error")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert METRICS["mcc"].score(true, predicted, undefined=0.5) == 0.5
        assert np.isnan(METRICS["mcc"].score(true, predicted, undefined=np.nan))
        assert METRICS["accuracy"].score(true, predicted) == 0.5
        # An infinite score is a value.
        ratio, power = METRICS["positive_likelihood_ratio"], METRICS["discriminant_power"]
        assert ratio.score([1, 1, 0], [1, 0, 0]) == np.inf
        assert power.score([1, 0, 0], [0, 0, 1], undefined="error") == -np.inf


def test_scorers_prefer_fewer_errors(data):
    model = MODEL.fit(*data)
    for key, sign in (("error_rate", -1), ("accuracy", 1), ("negative_likelihood_ratio", -1)):
        value = METRICS[key].score(data[1], model.predict(data[0]))
        assert get_scorer(key)(model, *data) == sign * value


@pytest.mark.slow
def test_all_metrics_at_once():
    frame = score(TRUE, PREDICTED, confidence=None)
    assert list(frame["metric"]) == list(METRICS)
    matrix = confusion_matrix(TRUE, PREDICTED)
    for row in frame.itertuples():
        metric = METRICS[row.metric]
        assert row.value == metric.score(TRUE, PREDICTED) == float(metric(matrix))
    assert list(score(TRUE, PREDICTED, metrics=["mcc", "f1"])["metric"]) == ["mcc", "f1"]


def three_classes(number=200):
    """Draw true and predicted labels of three classes of different sizes."""
    random = np.random.default_rng(4)
    true = random.choice(["cat", "dog", "owl"], number, p=[0.6, 0.3, 0.1])
    guesses = random.choice(["cat", "dog", "owl"], number)
    return true, np.where(random.random(number) < 0.7, true, guesses)


PRIORS = {"cat": 0.1, "dog": 0.3, "owl": 0.6}


@pytest.mark.parametrize(
    ("kind", "labels", "metrics", "at"),
    [
        *(
            (ConfusionMatrix, (TRUE, PREDICTED), ["f1", "mcc_i"], at)
            for at in ("test set", "1:1000", "0.1..0.2")
        ),
        (MulticlassConfusionMatrix, three_classes(), ["macro_f1", "mcc"], "population"),
    ],
)
@pytest.mark.slow
def test_intervals_are_those_of_the_matrix(kind, labels, metrics, at):
    matrix, options = kind.from_labels(*labels), {"at": at, "confidence": 0.8}
    for row in score(*labels, metrics=metrics, **options).itertuples():
        estimate = interval(row.metric, matrix, **options)
        assert (row.value, row.low, row.high) == (estimate.value, estimate.low, estimate.high)
        assert (row.confidence, row.at) == (0.8, at)
        if len(set(labels[0])) == 2:
            assert row.value_in_test_set == METRICS[row.metric].score(*labels)
    without = score(*labels, metrics=metrics[0], confidence=None)
    assert without[["low", "high"]].isna().to_numpy().all()
    assert without["value"].notna().all()
    assert "confidence" not in without


@pytest.fixture(scope="module")
def data():
    return load_breast_cancer(return_X_y=True)


MODEL = make_pipeline(StandardScaler(), LogisticRegression())


def test_scores_by_names_are_those_of_their_metrics():
    frame = score(TRUE, PREDICTED, metrics=["recall", "Youden's J", "tp/P"], confidence=None)
    assert list(frame["metric"]) == ["true_positive_rate", "youden_j", "tp/P"]
    # Of 12 positives 9 are found, of 24 negatives 4 are called positive.
    assert list(frame["value"]) == pytest.approx([9 / 12, 9 / 12 - 4 / 24, 9 / 12])


def test_a_key_of_the_atlas_and_of_a_measure_is_one_value_on_two_classes():
    """The scorer may then be that of any number of classes."""
    both = (set(ATLAS) & set(MEASURES)) - set(METRICS)
    assert both
    counts = np.random.default_rng(0).integers(1, 50, (20, 2, 2))
    tp, fn, fp, tn = counts.reshape(20, 4).T
    for key in both:
        of_two = ATLAS[key](ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn))
        np.testing.assert_allclose(MEASURES[key](MulticlassConfusionMatrix(counts)), of_two)


@pytest.mark.parametrize(
    "metric",
    ["f1_i", parse_metric("tp/(tp + fp + 1)", key="own"), "mcc", "Gwet's AC1", "tp/(tp + fp + 1)"],
)
@pytest.mark.slow
def test_a_scorer_can_be_pickled(metric, data):
    model = MODEL.fit(*data)
    scorer = get_scorer(metric, undefined=0.5)
    assert pickle.loads(pickle.dumps(scorer))(model, *data) == scorer(model, *data)


def test_several_scorers_are_a_dictionary(data):
    scorers = get_scorer(["recall", METRICS["f1"], "macro recall"])
    assert list(scorers) == ["true_positive_rate", "f1", "acsa"]
    assert all(key in repr(scorer) for key, scorer in scorers.items())
    model = MODEL.fit(*data)
    predicted = model.predict(data[0])
    assert scorers["true_positive_rate"](model, *data) == pytest.approx(
        sklearn_metrics.recall_score(data[1], predicted)
    )
    assert scorers["acsa"](model, *data) == pytest.approx(
        sklearn_metrics.balanced_accuracy_score(data[1], predicted)
    )


@pytest.mark.parametrize("model", [MODEL, GaussianNB()])
def test_areas_are_scorers_by_their_kind(model, data):
    model = model.fit(*data)
    scorers = get_scorer(["auc", "average_precision"])
    for kind, name in (("auc", "roc_auc"), ("average_precision", "average_precision")):
        scorer = pickle.loads(pickle.dumps(scorers[kind]))
        expected = sklearn_metrics.get_scorer(name)(model, *data)
        assert scorer(model, *data) == pytest.approx(expected, abs=1e-12)
    negatives = data[1] == 0
    weights = np.where(negatives, 99 * (~negatives).sum() / negatives.sum(), 1)
    rare = get_scorer("average_precision", at="1:99")(model, *data)
    weighted = sklearn_metrics.get_scorer("average_precision")(model, *data, sample_weight=weights)
    assert rare == pytest.approx(weighted, abs=1e-9)
    part = get_scorer("partial_auc", max_fpr=0.3)(model, *data)
    scores = model.predict_proba(data[0])[:, 1]
    assert part == pytest.approx(sklearn_metrics.roc_auc_score(data[1], scores, max_fpr=0.3))


@pytest.fixture(scope="module")
def flowers():
    return load_iris(return_X_y=True)


@measure(symbol="r", name="lowest recall", source="this test")
def lowest_recall(matrix):
    return matrix.recalls.min(axis=-1)


def test_ordered_classes_are_counted_in_their_order(flowers):
    sizes = np.array(["low", "middle", "high"])
    model = GaussianNB().fit(flowers[0], sizes[flowers[1]])
    places = {name: position for position, name in enumerate(sizes)}
    true, predicted = (
        [places[name] for name in names] for names in (sizes[flowers[1]], model.predict(flowers[0]))
    )
    expected = sklearn_metrics.cohen_kappa_score(true, predicted, weights="linear")
    scorer = get_scorer("linear_weighted_kappa", labels=["low", "middle", "high"])
    assert scorer(model, flowers[0], sizes[flowers[1]]) == pytest.approx(expected)
    sorted_by_name = get_scorer("linear_weighted_kappa")(model, flowers[0], sizes[flowers[1]])
    assert abs(sorted_by_name - expected) > 1e-3


def test_undefined_measures(flowers):
    """A class that is predicted and never true has no recall."""
    model = GaussianNB().fit(*flowers)
    setosa = flowers[0][:50], np.where(np.arange(50) < 25, 0, 1)
    with pytest.warns(UndefinedMetricWarning, match="0 divided by 0: acsa"):
        assert np.isnan(get_scorer("acsa", labels=[0, 1, 2])(model, *setosa))
    assert get_scorer("acsa", labels=[0, 1, 2], undefined=0.0)(model, *setosa) == 0


SCORES = np.linspace(0.01, 0.99, 36)


class Predicting(ClassifierMixin, BaseEstimator):
    """A classifier that predicts these labels."""

    def __init__(self, predicted, classes=(0, 1)):
        self.predicted = predicted
        self.classes = classes
        self.classes_ = np.array(classes)

    def predict(self, samples):
        return np.asarray(self.predicted)


def test_a_scorer_for_another_prevalence_scores_the_same_rates_there():
    """Weights that make the test set's classes 1:99 give scikit-learn's own score."""
    model = Predicting(PREDICTED)
    weights = np.where(TRUE, 1 / 12, 99 / 24)
    scorer = get_scorer("f1", at="1:99")
    scored = scorer(model, None, TRUE)
    assert scored == pytest.approx(sklearn_metrics.f1_score(TRUE, PREDICTED, sample_weight=weights))
    assert pickle.loads(pickle.dumps(scorer))(model, None, TRUE) == scored
    sampled = get_scorer("f1", at=Prevalence.sampled(1, 100))
    assert sampled(model, None, TRUE) == pytest.approx(scored)


@pytest.mark.parametrize("at", ["population", PRIORS])
@pytest.mark.slow
def test_each_class_and_all_together_are_scored_as_by_scikit_learn(at):
    true, predicted = three_classes()
    weights = np.ones(len(true))
    if at == PRIORS:
        weights = np.array([PRIORS[label] / np.mean(true == label) for label in true])
    frame = score(true, predicted, at=at)
    of_classes = frame[frame["class"].notna()].pivot(index="class", columns="metric")
    keys = ["precision", "true_positive_rate", "f1"]
    for column, used in (("value", weights), ("value_in_test_set", None)):
        expected = sklearn_metrics.precision_recall_fscore_support(
            true, predicted, sample_weight=used
        )[:3]
        values = of_classes[column].loc[["cat", "dog", "owl"], keys]
        np.testing.assert_allclose(values, np.transpose(expected))
    assert ((frame["low"] < frame["value"]) & (frame["value"] < frame["high"])).all()
    of_all = frame.set_index("metric")["value"]
    assert set(MEASURES) <= set(of_all.index)
    for key, function in {
        "macro_f1": partial(sklearn_metrics.f1_score, average="macro"),
        "accuracy": sklearn_metrics.accuracy_score,
        "acsa": sklearn_metrics.balanced_accuracy_score,
        "mcc": sklearn_metrics.matthews_corrcoef,
        "cohen_kappa": sklearn_metrics.cohen_kappa_score,
    }.items():
        expected = function(true, predicted, sample_weight=weights)
        assert of_all[key] == pytest.approx(expected), key
    assert (frame["at"] == (at if at == "population" else "cat=0.1, dog=0.3, owl=0.6")).all()


@pytest.mark.slow
def test_only_what_scaled_rows_leave_alone_does_not_move():
    frame = score(*three_classes(), confidence=None)
    still = set(frame.loc[~frame["changes_with_prevalence"], "metric"])
    assert still == {"g_mean", "acsa", "auroc_ovo", "maurpc_ova", "true_positive_rate"}
    known_by = frame["changes_with_prevalence"].map({True: "counterexample", False: "proof"})
    assert frame["prevalence_known_by"].tolist() == known_by.tolist()


@pytest.mark.parametrize("labels", [lambda: (TRUE, PREDICTED), three_classes])
def test_weights_that_are_whole_numbers_are_counts(labels):
    true, predicted = map(np.asarray, labels())
    weights = np.arange(len(true)) % 3
    weighted = score(true, predicted, metrics=["mcc"], sample_weight=weights)
    repeated = score(*(np.repeat(column, weights) for column in (true, predicted)), metrics=["mcc"])
    pd.testing.assert_frame_equal(weighted, repeated)


def test_a_scorer_of_probabilities_takes_those_of_the_positive_class():
    features, true = load_breast_cancer(return_X_y=True)
    words = np.where(true == 1, "benign", "malignant")
    model = GaussianNB(priors=[0.5, 0.5]).fit(features, words)
    p = model.predict_proba(features)[:, 0]
    share = 1 / 1001
    weights = np.where(true == 1, share / true.sum(), (1 - share) / (1 - true).sum())
    options = {"at": "1:1000", "pos_label": "benign"}
    brier = pickle.loads(pickle.dumps(get_scorer("brier", **options)))
    expected = sklearn_metrics.brier_score_loss(true, p, sample_weight=weights)
    assert brier(model, features, words) == pytest.approx(-expected)
    skill = get_scorer("brier_skill", **options)(model, features, words)
    assert skill == pytest.approx(1 - expected / (share * (1 - share)))
    scored = get_scorer("brier", trained="1:1", **options)(model, features, words)
    rare = GaussianNB(priors=[share, 1 - share]).fit(features, words)  # "benign" comes first
    p = rare.predict_proba(features)[:, 0]
    expected = sklearn_metrics.brier_score_loss(true, p, sample_weight=weights)
    assert scored == pytest.approx(-expected)


def test_a_scorer_of_a_measure_scores_at_other_prevalences():
    true, predicted = three_classes()
    weights = [PRIORS[label] / np.mean(true == label) for label in true]
    expected = sklearn_metrics.f1_score(true, predicted, average="macro", sample_weight=weights)
    scorer = pickle.loads(pickle.dumps(get_scorer("macro_f1", at=PRIORS)))
    model = Predicting(predicted, ("cat", "dog", "owl"))
    assert scorer(model, None, true) == pytest.approx(expected)


@pytest.mark.slow
def test_metrics_of_the_number_of_instances_need_it_elsewhere():
    """They are undefined among all registered metrics, and refused if requested by name."""
    with pytest.warns(UndefinedMetricWarning, match="1:100 is NaN for laplace, adjusted_g_mean"):
        frame = score(TRUE, PREDICTED, at="1:100").set_index("metric")
    unknown = frame.index[frame["value"].isna()]
    assert list(unknown) == ["laplace", "adjusted_g_mean"]
    assert frame["value_in_test_set"].notna().all()
    assert score(TRUE, PREDICTED, at="1:100", total=1e4)["value"].notna().all()


def told(*labels, **options):
    """Write warnings, types and a frame of scores with four digits."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        frame = score(*labels, **options)
    floats = frame.select_dtypes("float")
    said = [*(str(warning.message) for warning in caught), " ".join(floats)]
    texts = frame.assign(**floats.map("{:.4g}".format)).fillna("")
    return "\n\n".join([*said, texts.to_string(index=False)]) + "\n"


@pytest.mark.slow
def test_scores_are_those_that_are_written():
    """Any number of classes, and classes without instances."""
    both, five = ["macro_f1", "precision"], list("abcdeabcde")
    without_c = list("aaaaaabbbb"), list("aaaaacbbba")
    named = {"metrics": ["accuracy", "acsa", "recall"]}
    three = three_classes()
    outputs = {
        "two classes": told([0, 1, 1, 0, 1], [1, 0, 1, 1, 0], metrics=both),
        "five classes": told(five, five[::-1], metrics=both),
        "a class without instances": told(*without_c, **named),
        "the same elsewhere": told(*without_c, **named, at={"a": 0.5, "b": 0.3, "c": 0.2}),
        "no negatives": told([1, 1], [1, 0], metrics=["f1"], at="1:100"),
        "a function of floats": told(*three, metrics=lowest_recall, confidence=None),
        "no weight": told(*three, metrics="accuracy", sample_weight=np.zeros(len(three[0]))),
    }
    check_written(Path(__file__).with_name("scores.txt"), **outputs)


def test_refusals_are_those_that_are_written():
    """Labels that are not scored, and what makes no scorer or has other classes than its own."""
    f1, of_two, of_three = METRICS["f1"].score, (TRUE, PREDICTED), three_classes()
    labels = Predicting(["a", "b"], ("a", "b"))
    calls = [
        partial(f1, [], []),
        partial(f1, [1, 0], [1]),
        partial(f1, [[1], [0]], [1, 0]),
        partial(f1, ["a", None], ["a", "a"], pos_label="a"),
        partial(f1, [0, 1, 1], [0, 1, 2]),
        partial(f1, [1, 0], [1, 0], sample_weight=[1]),
        partial(f1, [1, 0], [1, 0], sample_weight=[1, -1]),
        partial(f1, [1, 0], [1, 0], sample_weight=[1, np.inf]),
        partial(score, *of_two, metrics=["f1", "laplace"], at="1:100"),
        partial(score, *of_two, metrics="auc"),
        partial(score, *of_three, at=0.1),
        partial(score, *of_three, pos_label="cat"),
        partial(get_scorer, "mcc_ii"),
        partial(get_scorer, "macro_f11"),
        partial(get_scorer, "Dice"),
        partial(get_scorer, []),
        partial(get_scorer, "macro_f1", pos_label=1),
        partial(get_scorer, "f1", beta=2),
        partial(get_scorer, "brier", undefined=0),
        partial(get_scorer, "f1", at={"a": 0.5, "b": 0.5}),
        partial(get_scorer, "laplace", at="1:99"),
        partial(get_scorer, "auc", max_fpr=0.5),
        partial(get_scorer("macro_f1", at=0.1), labels, None, ["a", "b"]),
        partial(get_scorer("mcc"), Predicting([0, 1, 2], (0, 1, 2)), None, [0, 1, 2]),
    ]
    policies = ("drop", None, True, np.inf, 1j, 10**400, [0])
    by_policy = [
        partial(METRICS["accuracy"].score, None, None),
        partial(score, None, None),
        partial(get_scorer, "accuracy"),
        partial(get_scorer, "acsa"),
    ]
    calls += [partial(call, undefined=policy) for call in by_policy for policy in policies]
    of_labels = [
        partial(f1, TRUE),
        partial(score, TRUE),
        partial(compare, "f1", TRUE, PREDICTED),
        lambda scores: compare("f1", TRUE, scores, PREDICTED),
        lambda scores: get_scorer("f1")(Predicting(scores), None, TRUE),
        lambda scores: get_scorer("macro_f1")(Predicting(scores), None, TRUE),
    ]
    both = np.column_stack([SCORES, 1 - SCORES])
    in_place_of_labels = SCORES, SCORES.tolist(), SCORES.round(1), SCORES.astype(str), both
    calls += [partial(call, scores) for call in of_labels for scores in in_place_of_labels]
    check_refusals(Path(__file__).with_name("scoring_refusals.txt"), calls)
