import matplotlib as mpl
import numpy as np
import pytest
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from skewproof import reliability_curve
from skewproof.plot import ReliabilityDisplay

mpl.use("agg")

RANDOM = np.random.default_rng(5)
TRUE = np.repeat([1, 0], [80, 420])
SCORES = RANDOM.normal(1.5 * TRUE)
P = expit(1.5 * SCORES - 1)


@pytest.fixture(autouse=True)
def _closed():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.mark.slow
def test_the_curve_is_drawn():
    display = ReliabilityDisplay.from_predictions(TRUE, P, bins=5, at=0.2, name="model")
    curve = reliability_curve(TRUE, P, bins=5, at=0.2)
    line = display.ax_.lines[0]
    assert line.get_xdata() == pytest.approx(curve["forecast"])
    assert line.get_ydata() == pytest.approx(curve["frequency"])
    (band,) = display.ax_.collections
    drawn = band.get_paths()[0].vertices[:, 1]
    assert (drawn.min(), drawn.max()) == pytest.approx((curve["low"].min(), curve["high"].max()))
    texts = [text.get_text() for text in display.ax_.get_legend().texts]
    assert texts == ["model", "95 % band for each bin", "calibrated"]
    assert display.ax_.get_xscale() == "linear"
    assert display.figure_ is display.ax_.figure


@pytest.mark.slow
def test_axes_are_logarithmic_where_positives_are_rare_and_can_be_shared():
    first = ReliabilityDisplay.from_predictions(TRUE, P, at="1:1000", bins=4, name="alone")
    least = first.ax_.get_xlim()[0]
    second = ReliabilityDisplay.from_predictions(
        TRUE, P, at="1:1000", trained="1:1", bins=4, name="adjusted", ax=first.ax_, color="k"
    )
    assert second.ax_ is first.ax_
    assert first.ax_.get_xscale() == first.ax_.get_yscale() == "log"
    assert second.ax_.get_xlim()[0] <= least
    assert second.curve["forecast"].min() > second.ax_.get_xlim()[0]
    assert second.ax_.get_title() == "reliability at 1:1000"
    assert len(second.ax_.collections) == 2


@pytest.mark.slow
def test_the_line_of_an_estimator_has_its_name():
    model = LogisticRegression().fit(SCORES[:, np.newaxis], TRUE)
    display = ReliabilityDisplay.from_estimator(
        model, SCORES[:, np.newaxis], TRUE, simultaneous=True
    )
    texts = [text.get_text() for text in display.ax_.get_legend().texts]
    assert texts[:2] == ["LogisticRegression", "95 % band for all bins at once"]
    assert repr(display) == "ReliabilityDisplay(10 bins, 95 % band for all bins at once)"
