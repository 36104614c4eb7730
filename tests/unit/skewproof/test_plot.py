from dataclasses import replace
from types import SimpleNamespace

import matplotlib as mpl
import numpy as np
import pytest
from scipy import stats

from skewproof import ConfusionMatrix, MulticlassConfusionMatrix, Prevalence, interval, project
from skewproof.curves import curve_bands
from skewproof.metrics import METRICS
from skewproof.plot import ClassRatesDisplay, ContourDisplay, CurveDisplay, PrevalenceDisplay

mpl.use("agg")

MATRIX = ConfusionMatrix(tp=70, fp=90, fn=30, tn=1910)


@pytest.fixture(autouse=True)
def _closed():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.mark.parametrize("display", [ContourDisplay, PrevalenceDisplay])
@pytest.mark.slow
def test_labels_and_estimators_are_counted(display):
    true = ["yes", "yes", "no", "no", "no"]
    features = [1, -1, 1, -1, -1]
    sign = SimpleNamespace(predict=lambda x: ["yes" if value > 0 else "no" for value in x])
    options = {"metric": "f1", "pos_label": "yes", "sample_weight": [1, 1, 1, 1, 3]}
    found = display.from_estimator(sign, features, true, **options)
    cells = [float(getattr(found.matrix, cell)) for cell in ("tp", "fp", "fn", "tn")]
    assert cells == [1, 1, 1, 4]
    assert found.figure_ is found.ax_.figure
    legend = [text.get_text() for text in found.ax_.get_legend().texts]
    assert "1:2.5" in " ".join([found.ax_.get_title(), *legend])
    assert found.plot(found.ax_).ax_ is found.ax_


@pytest.mark.slow
def test_the_dot_is_where_the_classifier_is():
    axes = ContourDisplay(metric="f1", matrix=MATRIX).plot().ax_
    (dot,) = [line for line in axes.lines if line.get_marker() == "o"]
    assert dot.get_xydata().tolist() == [[90 / 2000, 70 / 100]]
    label = dot.get_label().replace("\n", " ")
    assert label.startswith("F1 score = 0.538")  # 140/260
    assert label.endswith("in the population")
    assert axes.get_title() == "F1 score at the test set's 1:20"


@pytest.mark.slow
def test_a_logarithmic_axis_shows_few_false_alarms():
    few = ConfusionMatrix(tp=80, fp=3, fn=20, tn=9997)
    axes = ContourDisplay(metric="precision", matrix=few, at="1:100", fpr_scale="log").plot().ax_
    assert axes.get_xscale() == "log"
    assert axes.get_xlim() == pytest.approx((1e-5, 1))
    lines = axes.collections[1]
    (half,) = np.flatnonzero(np.isclose(lines.levels, 0.5))
    fpr, tpr = lines.get_paths()[half].vertices.T
    high = tpr > 0.1  # below, the grid of true positive rates is coarse
    np.testing.assert_allclose(np.log(tpr[high]), np.log(100 * fpr[high]), atol=0.05)
    with pytest.raises(ValueError, match="fpr_scale = 'logit'"):
        ContourDisplay(metric="precision", matrix=few, fpr_scale="logit")


def test_the_region_has_what_it_says():
    """The band contains 95 % of the draws from the posterior of both rates."""
    region = ContourDisplay(metric="f1", matrix=MATRIX)._region()
    random = np.random.default_rng(1)
    tpr, fpr = random.beta(70.5, 30.5, 20_000), random.beta(90.5, 1910.5, 20_000)
    path = mpl.path.Path(np.column_stack([region.fpr, region.tpr]))
    inside = path.contains_points(np.column_stack([fpr, tpr])).mean()
    assert inside == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / 20_000))


@pytest.mark.parametrize("key", ["f1", "mcc", "precision", "g_mean"])
@pytest.mark.slow
def test_the_band_has_the_ends_of_the_interval(key):
    metric = METRICS[key]
    display = PrevalenceDisplay(metric=key, matrix=MATRIX)
    for place, level in ((0, "1:1"), (24, "1:1000"), (48, "1:1000000")):
        there = replace(metric, formula=lambda matrix, to=level: metric(project(matrix, at=to)))
        found = interval(there, MATRIX)
        assert display.values[place] == pytest.approx(found.value, rel=1e-12)
        ends = (display.low[place], display.high[place])
        assert ends == pytest.approx((found.low, found.high), rel=1e-3)


@pytest.mark.parametrize(
    ("at", "odds", "title"),
    [
        ("1:4", 4, "precision at 1:4"),
        (0.25, 3, "precision at prevalence 0.25"),
        ("100/300", 2, "precision at prevalence 0.333"),
        ("0.1..0.5", 3, "precision at prevalence 0.25"),
    ],
)
@pytest.mark.slow
def test_contours_are_those_where_the_classifier_will_run(at, odds, title):
    """A precision of 0.5 is where the rates are in the ratio of the class sizes."""
    display = ContourDisplay(metric="precision", matrix=MATRIX, at=at).plot()
    assert display.ax_.get_title() == title
    lines = display.ax_.collections[1]
    (half,) = np.flatnonzero(np.isclose(lines.levels, 0.5))
    fpr, tpr = lines.get_paths()[half].vertices.T
    assert tpr.max() == 1
    np.testing.assert_allclose(tpr, odds * fpr, atol=0.02)
    found = interval("precision", MATRIX, at=at)
    (dot,) = [line for line in display.ax_.lines if line.get_marker() == "o"]
    label = dot.get_label().replace("\n", " ")
    assert str(found).startswith(label)


def marked(display):
    """Return the mark's place (x, y) and the ends of its error bars, to the sides, up and down."""
    axes = display.plot().ax_
    (container,) = axes.containers
    point, _, bars = container.lines
    return point.get_xydata()[0], *(bar.get_segments()[0] for bar in bars)


@pytest.mark.parametrize("at", ["population", "test set", "1:1000", 0.9, 1e-7])
@pytest.mark.slow
def test_the_mark_has_the_interval_where_the_classifier_will_run(at):
    display = PrevalenceDisplay(metric="f1", matrix=MATRIX, at=at)
    found = interval("f1", MATRIX, at=at)
    (x, y), upright = marked(display)
    share = found.at.share if found.at.elsewhere else 100 / 2100
    assert x == pytest.approx((1 - share) / share)
    assert y == found.value
    assert upright[:, 1].tolist() == pytest.approx([found.low, found.high])
    assert display.levels[0] <= x * (1 + 1e-9)
    assert x <= display.levels[-1] * (1 + 1e-9)
    labels = [text.get_text().replace("\n", " ") for text in display.ax_.get_legend().texts]
    assert "0.538 in the test set, 1:20" in labels
    assert str(found).removeprefix("f1").startswith(labels[-1].removeprefix("F1 score"))


@pytest.mark.parametrize(
    ("at", "posterior"),
    [
        (Prevalence.sampled(12, 4000), stats.beta(12.5, 3988.5)),
        (Prevalence.believed(2, 500), stats.beta(2, 500)),
    ],
)
@pytest.mark.slow
def test_a_prevalence_that_is_not_sure_has_an_error_bar_too(at, posterior):
    display = PrevalenceDisplay(metric="f1", matrix=MATRIX, at=at)
    (x, _), sideways, upright = marked(display)
    assert x == pytest.approx(1 / at.share - 1)
    assert sideways[:, 0].tolist() == pytest.approx(1 / posterior.ppf([0.975, 0.025]) - 1)
    found = interval("f1", MATRIX, at=at)
    assert upright[:, 1].tolist() == pytest.approx([found.low, found.high])


@pytest.mark.slow
def test_where_no_positive_was_seen_the_mark_is_at_the_edge():
    display = PrevalenceDisplay(metric="f1", matrix=MATRIX, at=Prevalence.sampled(0, 400))
    (x, _), sideways, _ = marked(display)
    assert x == display.levels[-1] == 1e6
    nearest = 1 / stats.beta(0.5, 400.5).ppf(0.975) - 1
    assert sideways[:, 0].tolist() == pytest.approx([nearest, 1e6])


@pytest.mark.slow
def test_a_range_is_shaded():
    display = PrevalenceDisplay(metric="f1", matrix=MATRIX, at=Prevalence.between(1e-7, 0.01))
    marked(display)
    (shaded,) = display.ax_.patches
    assert [shaded.get_x(), shaded.get_x() + shaded.get_width()] == pytest.approx([99, 1e7 - 1])
    assert display.levels[-1] == pytest.approx(1e7 - 1)


@pytest.mark.filterwarnings("error")
@pytest.mark.slow
def test_infinite_values_are_said_and_not_drawn():
    matrix = ConfusionMatrix(tp=70, fp=0, fn=30, tn=1910)
    display = PrevalenceDisplay(metric="diagnostic_odds_ratio", matrix=matrix)
    (container,) = display.plot().ax_.containers
    assert np.isnan(container.lines[0].get_ydata().astype(float)).all()
    display.figure_.draw_without_rendering()
    assert "to inf)" in display.ax_.get_legend().texts[-1].get_text().replace("\n", " ")


def test_metrics_that_depend_on_the_number_of_instances_need_it():
    with pytest.raises(ValueError, match=r"total = None: .* at any prevalence from 9.99999e-07"):
        PrevalenceDisplay(metric="laplace", matrix=MATRIX)
    with pytest.raises(ValueError, match="total = None: expected the number of instances at 1:10"):
        ContourDisplay(metric="laplace", matrix=MATRIX, at="1:1000")
    display = PrevalenceDisplay(metric="laplace", matrix=MATRIX, total=2002, at="1:1000")
    there = ConfusionMatrix.from_rates(0.7, 0.045, positives=1001, negatives=1001)
    assert display.values[0] == pytest.approx(METRICS["laplace"](there))
    found = interval("laplace", MATRIX, at="1:1000", total=2002)
    assert display.interval.value == pytest.approx(found.value)


def test_the_data_are_within_the_picture():
    """Most instances are positive, or one in ten million is."""
    mostly = PrevalenceDisplay(metric="f1", matrix=ConfusionMatrix(tp=70, fp=2, fn=20, tn=7))
    rare = PrevalenceDisplay(metric="f1", matrix=ConfusionMatrix(tp=1, fp=2, fn=0, tn=1e7))
    assert mostly.levels[0] == pytest.approx(0.1)
    assert rare.levels[-1] == pytest.approx(1e7)


@pytest.mark.slow
def test_a_cut_off_that_the_metric_would_choose_is_remarked_where_it_is_extreme():
    matrix = ConfusionMatrix(tp=800, fp=100, fn=200, tn=9900)
    rarer = PrevalenceDisplay(metric="accuracy", matrix=matrix, at="1:1000000").plot()
    # With half an instance more in each cell; the likelihood ratio of the best point is 10^6.
    mean = stats.norm.isf(100.5 / 10001) - stats.norm.isf(800.5 / 1001)
    found = stats.norm.sf(np.log(1e6) / mean + mean / 2 - mean)
    assert rarer.remark == (
        "Maximizing accuracy at 1:1000000, on the normal ROC curve through this classifier, finds"
        f" next to nothing: {100 * found:.2g} % of the positives."
    )
    texts = [text.get_text().replace("\n", " ") for text in rarer.ax_.get_legend().get_texts()]
    assert rarer.remark in texts
    minimized = PrevalenceDisplay(metric="error_rate", matrix=matrix, at="1:1000000")
    assert minimized.remark == rarer.remark.replace("Maximizing accuracy", "Minimizing error_rate")


@pytest.mark.parametrize(
    ("metric", "matrix"),
    [
        ("accuracy", ConfusionMatrix(tp=800, fp=100, fn=200, tn=9900)),
        ("frequency_bias", ConfusionMatrix(tp=800, fp=100, fn=200, tn=9900)),
        ("accuracy", ConfusionMatrix(tp=1, fp=90, fn=99, tn=10)),
    ],
)
@pytest.mark.slow
def test_no_remark_where_no_cut_off_is_extreme_or_none_is_chosen(metric, matrix):
    display = PrevalenceDisplay(metric=metric, matrix=matrix, at="1:2").plot()
    assert display.remark == ""
    assert "" not in [text.get_text() for text in display.ax_.get_legend().get_texts()]


@pytest.mark.parametrize("display", [ContourDisplay, PrevalenceDisplay])
@pytest.mark.slow
def test_a_name_with_dollar_signs_is_drawn_as_it_is(display):
    """Not as a formula, which "$$" and a single "_" are not."""
    figure = display(metric=replace(METRICS["f1"], name="$$_a$"), matrix=MATRIX).plot().figure_
    named = [text for text in figure.findobj(mpl.text.Text) if "_a" in text.get_text()]
    assert len(named) >= 3
    drawn = [text._preprocess_math(text.get_text()) for text in named]
    assert {math for _, math in drawn} == {False}
    assert all("$$_a$" in text for text, _ in drawn)
    figure.draw_without_rendering()


@pytest.mark.slow
def test_unbounded_metrics():
    """Each band of an odds ratio has a tenth of the picture, whatever its largest value."""
    axes = ContourDisplay(metric="diagnostic_odds_ratio", matrix=MATRIX).plot().ax_
    levels = axes.collections[0].levels
    rates = np.linspace(0, 1, 101)
    tpr, fpr = rates[:-1, None], rates[1:]  # where the ratio is a number
    counts, _ = np.histogram(tpr * (1 - fpr) / ((1 - tpr) * fpr), levels)
    np.testing.assert_allclose(counts, counts.sum() / 10, rtol=0, atol=99)  # so many are 1


@pytest.mark.parametrize("display", [ContourDisplay, PrevalenceDisplay])
@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (ConfusionMatrix(tp=0, fp=1, fn=0, tn=1), "no instances of the class 'positive'"),
        (project(MATRIX, at="1:1000"), "the matrix is projected to 1:1000: expected counts of in"),
        (ConfusionMatrix(tp=[1, 2], fp=1, fn=1, tn=1), "expected one matrix"),
    ],
)
def test_matrices_that_are_refused(display, matrix, message):
    with pytest.raises(ValueError, match=message):
        display(metric="f1", matrix=matrix)


OTHERS, EMPTY = (MulticlassConfusionMatrix(rows) for rows in (np.eye(3), [[1, 0], [0, 0]]))
SPRING = MulticlassConfusionMatrix([[8, 2, 0], [1, 4, 0], [0, 3, 1]], labels=["a", "b", "$c$"])


def written(display):
    return [text.get_text() for text in display.ax_.texts]


@pytest.mark.slow
def test_rates_are_drawn_row_by_row():
    display = ClassRatesDisplay(matrix=SPRING).plot()
    assert repr(display) == "ClassRatesDisplay(3 classes)"
    assert written(display) == [
        *("0.80", "0.20", "0.00"),
        *("0.20", "0.80", "0.00"),
        *("0.00", "0.75", "0.25"),
    ]
    np.testing.assert_allclose(display.ax_.images[0].get_array(), SPRING.rates.counts)
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == ["a", "b", r"\$c\$"]
    assert display.plot(display.ax_).ax_ is display.ax_


@pytest.mark.slow
def test_changes_are_differences_of_rates():
    true, predicted = ["a", "b", "$c$", "$c$"], ["a", "a", "$c$", "b"]
    same = SimpleNamespace(predict=lambda x: x)
    display = ClassRatesDisplay.from_estimator(same, predicted, true, reference=SPRING)
    assert repr(display) == "ClassRatesDisplay(3 classes, compared with a reference)"
    assert written(display) == [
        *("+0.20", "-0.20", "+0.00"),
        *("+0.80", "-0.80", "+0.00"),
        *("+0.00", "-0.25", "+0.25"),
    ]
    assert display.ax_.images[0].get_clim() == (-0.8, 0.8)


@pytest.mark.slow
def test_many_classes_have_no_numbers():
    assert not written(ClassRatesDisplay(matrix=MulticlassConfusionMatrix(np.eye(40))).plot())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"matrix": MATRIX}, "matrix = .*: expected a MulticlassConfusionMatrix"),
        ({"matrix": SPRING, "reference": 3}, "reference = 3: expected a MulticlassConfusionMatrix"),
        ({"matrix": SPRING, "reference": OTHERS}, "reference.labels = .*: expected those of the m"),
        ({"matrix": EMPTY}, "matrix has no instances of the class 1"),
    ],
)
def test_matrices_that_have_no_picture(given, message):
    with pytest.raises(ValueError, match=message):
        ClassRatesDisplay(**given)


@pytest.mark.parametrize("curve", ["roc", "precision_recall", "det"])
@pytest.mark.slow
def test_a_curve_is_drawn_with_its_band(curve):
    true = np.repeat([1, 0], [30, 120])
    scores = np.random.default_rng(0).normal(2 * true)
    display = CurveDisplay.from_predictions(true, scores, curve=curve, at="1:30")
    (line, _), (band,) = display.ax_.lines, display.ax_.patches
    found = display.bands
    of_x, of_y = found.x.between(found.x_low, found.x_high, "neither"), found.y.gt(found.y_low)
    within = of_x & of_y & found.y.lt(found.y_high)
    assert within.sum() > 50
    assert band.get_path().contains_points(line.get_xydata()[within.to_numpy()]).all()
    assert display.bands.equals(curve_bands(true, scores, curve=curve, at="1:30"))


@pytest.mark.slow
def test_a_curve_of_an_estimator_is_that_of_its_scores():
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    true = np.repeat([1, 0], [30, 120])
    features = np.random.default_rng(0).normal(2 * true)[:, np.newaxis]
    words = np.where(true == 1, "ill", "well")
    model = LogisticRegression().fit(features, words)
    found = CurveDisplay.from_estimator(model, features, words, pos_label="ill", at="1:9").bands
    scores = model.predict_proba(features)[:, 0]
    assert found.equals(curve_bands(true, scores, at="1:9"))
    margin = LinearSVC().fit(features, words)
    found = CurveDisplay.from_estimator(margin, features, words, pos_label="ill", at="1:9").bands
    assert found.equals(curve_bands(true, -margin.decision_function(features), at="1:9"))
    with pytest.raises(ValueError, match="pos_label = 1: expected one of the classes ill, well"):
        CurveDisplay.from_estimator(model, features, words)


def test_a_band_at_all_prevalences_has_the_whole_region_of_both_rates():
    matrix = ConfusionMatrix(tp=80, fp=30, fn=20, tn=870)
    each = PrevalenceDisplay(metric="f1", matrix=matrix)
    together = PrevalenceDisplay(metric="f1", matrix=matrix, simultaneous=True)
    assert (together.low < each.low).all()
    assert (together.high > each.high).all()
    assert together.values == pytest.approx(each.values)


def test_a_curve_has_its_area_and_that_of_chance():
    display = CurveDisplay.from_predictions([1, 0, 1, 0], [4, 3, 2, 1])
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts == ["band", "AUC = 0.75", "chance"]  # 3 of 4 pairs are in order
    assert repr(display) == "CurveDisplay(roc at 4 cut-offs)"
    precision = CurveDisplay.from_predictions(
        [1, 0, 1, 0], [4, 3, 2, 1], at=0.2, curve="precision_recall"
    )
    chance = precision.ax_.lines[-1]
    assert chance.get_ydata() == pytest.approx([0.2, 0.2])
