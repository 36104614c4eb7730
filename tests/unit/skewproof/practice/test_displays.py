from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pytest

from skewproof import (
    METRICS,
    ClassRatesDisplay,
    ConfusionMatrix,
    ContourDisplay,
    MulticlassConfusionMatrix,
    PrevalenceDisplay,
    interval,
    project,
)

mpl.use("agg")

MATRIX = ConfusionMatrix(tp=70, fp=90, fn=30, tn=1910)


@pytest.fixture(autouse=True)
def _closed():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


class AlwaysTheSame:
    """A classifier that calls positive what is above 0."""

    def predict(self, x):
        return ["yes" if value > 0 else "no" for value in x]


@pytest.mark.parametrize("display", [ContourDisplay, PrevalenceDisplay])
@pytest.mark.slow
def test_labels_and_estimators_are_counted(display):
    true = ["yes", "yes", "no", "no", "no"]
    features = [1, -1, 1, -1, -1]
    found = display.from_estimator(
        AlwaysTheSame(), features, true, metric="f1", pos_label="yes", sample_weight=[1, 1, 1, 1, 3]
    )
    cells = [float(getattr(found.matrix, cell)) for cell in ("tp", "fp", "fn", "tn")]
    assert cells == [1, 1, 1, 4]
    assert found.figure_ is found.ax_.figure
    assert "1:2.5" in " ".join(
        [found.ax_.get_title(), *(text.get_text() for text in found.ax_.get_legend().texts)]
    )
    assert found.plot(found.ax_).ax_ is found.ax_


@pytest.mark.slow
def test_the_dot_is_where_the_classifier_is():
    axes = ContourDisplay(metric="f1", matrix=MATRIX).plot().ax_
    (dot,) = [line for line in axes.lines if line.get_marker() == "o"]
    assert dot.get_xydata().tolist() == [[90 / 2000, 70 / 100]]
    assert dot.get_label() == "f1 = 0.538"  # 140/260


def test_the_region_has_what_it_says():
    """Of draws from the posterior of both rates 95 % lie within."""
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
        there = replace(metric, formula=lambda matrix, to=level: metric(project(matrix, to=to)))
        found = interval(there, MATRIX)
        assert display.values[place] == pytest.approx(found.value, rel=1e-12)
        ends = (display.low[place], display.high[place])
        assert ends == pytest.approx((found.low, found.high), rel=1e-3)


def test_the_data_are_within_the_picture():
    """Where most are positive, or one in ten million is."""
    mostly = PrevalenceDisplay(metric="f1", matrix=ConfusionMatrix(tp=70, fp=2, fn=20, tn=7))
    rare = PrevalenceDisplay(metric="f1", matrix=ConfusionMatrix(tp=1, fp=2, fn=0, tn=1e7))
    assert mostly.levels[0] == pytest.approx(0.1)
    assert rare.levels[-1] == pytest.approx(1e7)


@pytest.mark.parametrize("display", [ContourDisplay, PrevalenceDisplay])
@pytest.mark.slow
def test_a_name_with_dollar_signs_is_drawn_as_it_is(display):
    """Not as a formula, which "$$" and a single "_" are not."""
    figure = display(metric=replace(METRICS["f1"], key="$$_a$"), matrix=MATRIX).plot().figure_
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
        (ConfusionMatrix(tp=0, fp=1, fn=0, tn=1), "an empty class"),
        (project(MATRIX, at="1:1000"), "the matrix is projected to 1:1000: expected counts of in"),
        (ConfusionMatrix(tp=[1, 2], fp=1, fn=1, tn=1), "expected one matrix"),
    ],
)
def test_matrices_that_are_refused(display, matrix, message):
    with pytest.raises(ValueError, match=message):
        display(metric="f1", matrix=matrix)


def test_an_unknown_metric():
    with pytest.raises(KeyError, match="f11"):
        ContourDisplay(metric="f11", matrix=MATRIX)


SPRING = MulticlassConfusionMatrix([[8, 2, 0], [1, 4, 0], [0, 3, 1]], labels=["a", "b", "$c$"])


class Same:
    """A classifier that predicts what it is given."""

    def predict(self, x):
        return x


def written(display):
    return [text.get_text() for text in display.ax_.texts]


@pytest.mark.slow
def test_rates_are_drawn_row_by_row():
    display = ClassRatesDisplay(matrix=SPRING).plot()
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
    display = ClassRatesDisplay.from_estimator(Same(), predicted, true, reference=SPRING)
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
        (
            {"matrix": SPRING, "reference": MulticlassConfusionMatrix(np.eye(3))},
            "reference.labels = .*: expected those of the matrix",
        ),
        (
            {"matrix": MulticlassConfusionMatrix([[1, 0], [0, 0]])},
            "matrix has no instances of the class 1",
        ),
    ],
)
def test_matrices_that_have_no_picture(given, message):
    with pytest.raises(ValueError, match=message):
        ClassRatesDisplay(**given)
