"""Statements on resampling the training data.

Scores are normal in each class, with equal standard deviations, so that log odds are linear and
rates at any cut-off are known without a test sample.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr
from sklearn.linear_model import LogisticRegression

from skewproof.operating_points import BinormalCurve, best_point
from skewproof.reporting.style import BLUE, GREEN, STYLE, VERMILION
from skewproof_studies.statements.statement import Decision, Statement

Array = NDArray[np.float64]

MEAN = 2.0
"""Distance between the means of the classes, in standard deviations."""

RATIOS = (2, 10, 100, 1000, 10_000)
"""Negatives per positive."""

MOST = 10**5
"""Largest ratio up to which turning points are searched for."""


class Rates(NamedTuple):
    """Rates at a cut-off."""

    tpr: float
    fpr: float


def rates_at(cutoff: float, ratio: float, mean: float = MEAN) -> Rates:
    """Return the rates if everything with at least this probability is called positive."""
    threshold = (np.log(ratio) + np.log(cutoff / (1 - cutoff))) / mean + mean / 2
    return Rates(float(ndtr(mean - threshold)), float(ndtr(-threshold)))


def f1_of(rates: Rates, ratio: float) -> float:
    """Return F1 of rates."""
    return 2 * rates.tpr / (1 + rates.tpr + ratio * rates.fpr)


def after_undersampling(probability: float, kept: float) -> float:
    """Return a probability after training with only a share of the negatives."""
    return probability / (probability + kept * (1 - probability))


def cutoff_of_undersampling(kept: float, cutoff: float = 0.5) -> float:
    """Return the cut-off on all data that calls the same instances positive as one after
    undersampling."""
    return kept * cutoff / (1 - cutoff + kept * cutoff)


def gain_in_f1(ratio: float, mean: float = MEAN) -> float:
    """Return the gain in F1 by balanced undersampling at the cut-off 1/2."""
    moved = rates_at(cutoff_of_undersampling(1 / ratio), ratio, mean)
    return f1_of(moved, ratio) - f1_of(rates_at(0.5, ratio, mean), ratio)


def turning_ratios(mean: float = MEAN) -> list[float]:
    """Return the ratios of the classes at which the gain in F1 changes its sign."""
    logs = np.linspace(0.05, np.log(MOST), 120)
    signs = np.sign([gain_in_f1(np.exp(log), mean) for log in logs])
    return [
        float(np.exp(brentq(lambda x: gain_in_f1(np.exp(x), mean), *logs[step : step + 2])))
        for step in np.flatnonzero(np.diff(signs))
    ]


def is_a_cutoff() -> Decision:
    """Decide whether undersampling is equivalent to another cut-off."""
    rows = []
    best = {
        ratio: best_point("f1", BinormalCurve(mean=MEAN), at=f"1:{ratio}").value for ratio in RATIOS
    }
    for ratio in RATIOS:
        plain, moved = (
            f1_of(rates_at(cutoff, ratio), ratio)
            for cutoff in (0.5, cutoff_of_undersampling(1 / ratio))
        )
        shown = (f"{value:.4f}" for value in (plain, moved, best[ratio]))
        rows.append((f"1:{ratio:,}", *shown))
    columns = ["level", "cut-off 1/2", "undersampled, cut-off 1/2", "best cut-off"]
    table = pd.DataFrame(rows, columns=columns)
    lost, won = turning_ratios()
    (turn,) = turning_ratios(MEAN + 1)
    fallen = table.set_index("level").loc["1:10"]
    return Decision(
        verdict="proved",
        sentence=(
            "Proved for known probabilities. A cut-off t after keeping a share β of the negatives "
            "is the cut-off βt/(1 - t + βt) on all data. A cut-off of 1/2 after balancing is the "
            "prevalence on all data, where balanced accuracy is highest, whatever metric is "
            "reported. F1 at 1/2 need not rise: for normal scores two deviations apart it falls "
            f"between 1:{lost:.2f} and 1:{won:,.0f}, for example from {fallen.iloc[0]} to "
            f"{fallen.iloc[1]} at 1:10, and rises below and above. For scores three deviations "
            f"apart it falls from 1:{turn:.2f} to at least 1:{MOST:,}. The best cut-off on all "
            f"data is never worse ({fallen.iloc[2]} at 1:10)."
        ),
        computed=(
            "Keeping a random share β of the negatives multiplies the odds of a probability by "
            "1/β, so the order of instances, the ROC curve and the best value of every metric "
            "stay the same. Rates are normal tails at the threshold of a probability, $t = d/2 + "
            "\\ln(r\\,p/(1 - p))/d$ for means *d* deviations apart and *r* negatives for each "
            "positive. Levels at which the change of F1 is 0 were found as roots, up to "
            f"1:{MOST:,}."
        ),
        table=table,
        figure=_cutoff_figure(best),
        caption=(
            "F1 on one curve: at the cut-off 1/2, at 1/2 after balanced undersampling, and at the "
            "best cut-off."
        ),
    )


def _cutoff_figure(best: Mapping[int, float]) -> Figure:
    ratios = np.geomspace(1, RATIOS[-1], 60)
    lines = {
        "cut-off 1/2": ([0.5] * len(ratios), BLUE, "-"),
        "undersampled, cut-off 1/2": (
            [cutoff_of_undersampling(1 / ratio) for ratio in ratios],
            VERMILION,
            "--",
        ),
    }
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(4.6, 3), layout="constrained")
        axes = figure.subplots()
        for name, (cutoffs, color, line) in lines.items():
            values = [
                f1_of(rates_at(cutoff, ratio), ratio)
                for cutoff, ratio in zip(cutoffs, ratios, strict=True)
            ]
            axes.plot(ratios, values, color=color, linestyle=line, label=name)
        axes.plot(
            list(best),
            list(best.values()),
            color=GREEN,
            linestyle=":",
            marker="o",
            label="best cut-off",
        )
        axes.set(xscale="log", yscale="log", xlabel="negatives for each positive", ylabel="F1")
        axes.legend(frameon=False)
    return figure


FEATURES, TRAINED, RATIO, FITS, SEED = 5, 4200, 20, 8, 20261123
"""Numbers of features, instances, negatives per positive, and runs of the simulation, and its
seed."""

WAYS = ("all data, 1/2", "undersampled, 1/2", "all data, prevalence", "all data, best")


@lru_cache(maxsize=1)
def regressions() -> pd.DataFrame:
    """Return mean area, rates and F1 of logistic regressions on all data and after undersampling.

    Returns
    -------
    Frame with one row for each kind of training data and cut-off: area, tpr, fpr, f1.
    """
    random = np.random.default_rng(SEED)
    positives = TRAINED // (1 + RATIO)
    truth = np.repeat([1, 0], [positives, TRAINED - positives])
    shift = np.full(FEATURES, MEAN / np.sqrt(FEATURES))
    fits = []
    for _ in range(FITS):
        features = random.normal(size=(TRAINED, FEATURES)) + np.outer(truth, shift)
        kept = np.concatenate(
            [
                np.arange(positives),
                random.choice(np.arange(positives, TRAINED), positives, replace=False),
            ]
        )
        everything, balanced = (
            LogisticRegression(C=1e6).fit(features[rows], truth[rows])
            for rows in (slice(None), kept)
        )
        fits.append(_cut(everything, balanced, shift))
    return pd.DataFrame(
        np.mean(fits, axis=0), index=list(WAYS), columns=["area", "tpr", "fpr", "f1"]
    )


def _cut(everything: LogisticRegression, balanced: LogisticRegression, shift: Array) -> Array:
    """Return area, rates and F1 of both regressions in the population."""
    rows = []
    for model, log_odds in (
        (everything, np.zeros(1)),
        (balanced, np.zeros(1)),
        (everything, np.array([-np.log(RATIO)])),
        (everything, np.linspace(-np.log(RATIO), 2, 400)),
    ):
        weights = model.coef_[0]
        length = float(np.linalg.norm(weights))
        apart = float(weights @ shift) / length
        thresholds = (log_odds - model.intercept_[0]) / length
        tpr, fpr = ndtr(apart - thresholds), ndtr(-thresholds)
        values = 2 * tpr / (1 + tpr + RATIO * fpr)
        best = int(np.argmax(values))
        rows.append([ndtr(apart / np.sqrt(2)), tpr[best], fpr[best], values[best]])
    return np.array(rows)


Shares = tuple[int, int, int, int]

RAISED: tuple[Shares, Shares] = (1, 4, 3, 2), (2, 1, 1, 6)
LOWERED: tuple[Shares, Shares] = (1, 5, 2, 2), (3, 3, 1, 3)
"""Tenths of the positives and of the negatives with the features (0, 0), (1, 0), (0, 1) and (1, 1),
in two populations whose log odds are not linear and in which balancing raises or lowers the
area."""

CORNERS = np.array([(0, 0), (1, 0), (0, 1), (1, 1)])


def population_area(shares: tuple[Shares, Shares], ratio: int) -> float:
    """Return the area of a linear logistic regression fitted to the whole population of the
    training data."""
    weights = np.concatenate([np.array(shares[0]), ratio * np.array(shares[1])])
    model = LogisticRegression(C=1e12, tol=1e-12, max_iter=10_000)
    model.fit(np.vstack([CORNERS, CORNERS]), np.repeat([1, 0], 4), weights)
    scores = CORNERS @ model.coef_[0]
    wins = (np.sign(np.subtract.outer(scores, scores)) + 1) / 2
    return float(np.array(shares[0]) @ wins @ np.array(shares[1])) / 100


def same_by_threshold() -> Decision:
    """Decide whether resampling is equivalent to moving the threshold."""
    means = regressions()
    table = means.map(lambda value: f"{value:.4f}").rename_axis("training data, cut-off")
    areas = means["area"]
    raised, lowered = (
        [population_area(shares, ratio) for ratio in (100, 1)] for shares in (RAISED, LOWERED)
    )
    return Decision(
        verdict="true if",
        sentence=(
            "True in a population if the model can represent the log odds: they only shift. In "
            f"samples it holds up to chance: at 1:{RATIO}, on {FITS} samples of "
            f"{TRAINED:,} instances, logistic regression has the mean area {areas[WAYS[0]]:.4f} on "
            f"all data and {areas[WAYS[1]]:.4f} after undersampling. The cut-off 1/2 after "
            f"undersampling has the mean TPR {means.loc[WAYS[1], 'tpr']:.3f} and FPR "
            f"{means.loc[WAYS[1], 'fpr']:.3f}; the prevalence as cut-off on all data has "
            f"{means.loc[WAYS[2], 'tpr']:.3f} and {means.loc[WAYS[2], 'fpr']:.3f}. Otherwise it "
            "can be false: if the log odds are not linear in the features, balancing can change "
            f"the area, from {raised[0]:.3f} to {raised[1]:.3f} in one population of two binary "
            f"features and from {lowered[0]:.3f} to {lowered[1]:.3f} in another."
        ),
        computed=(
            f"Features are normal in each class with means {MEAN:g} deviations apart, so that a "
            "linear model is right. Rates and areas of each fitted model are those in the "
            "population, by normal tails, without a test sample. The table has means over the "
            "samples; the best cut-off is the one with the highest F1 in the population. In the "
            "two counterexamples the regression is fitted to the population itself, at 1:100 and "
            "at 1:1, so chance plays no part. A model that cannot be right everywhere fits best "
            "where most of the weight is, and balancing shifts the weight. Whether the area rises "
            "or falls is not known beforehand."
        ),
        table=table.reset_index(),
    )


LEARNED = 20
"""Number of features of the classifier whose training set is designed."""

DESIGNED = 1122
"""Number of instances of its training set, which can be split 1:1, 1:10 and 1:50."""

DRAWS = 20_000


def variance_factor(positives: float, negatives: float) -> float:
    """Return the variance of each component of the difference of class means, in squared
    deviations."""
    return 1 / positives + 1 / negatives


def expected_area(positives: float, negatives: float) -> float:
    """Return the mean area of the linear discriminant with known covariances, over training
    sets."""
    random = np.random.default_rng(SEED)
    spread = np.sqrt(variance_factor(positives, negatives))
    along = MEAN + spread * random.normal(size=DRAWS)
    across = spread**2 * random.chisquare(LEARNED - 1, DRAWS)
    apart = MEAN * along / np.sqrt(along**2 + across)
    return float(ndtr(apart / np.sqrt(2)).mean())


def balanced_training() -> Decision:
    """Decide whether balanced training data are best for the area under the ROC curve."""
    rows = []
    for ratio in (1, 10, 50):
        positives = DESIGNED // (1 + ratio)
        drawn = expected_area(positives, DESIGNED - positives)
        rows.append((f"1:{ratio}", positives, f"{drawn:.4f}"))
    ratio = 50
    rare = DESIGNED // (1 + ratio)
    kept, thrown = expected_area(rare, ratio * rare), expected_area(rare, rare)
    growth = variance_factor(rare, rare) / variance_factor(rare, ratio * rare)
    return Decision(
        verdict="true if",
        sentence=(
            "The first half is true of linear discriminants with known covariance, for normal "
            "features, if the number of training instances is fixed and their classes can be "
            f"chosen. With {DESIGNED:,} instances, half of them positive, such a discriminant of "
            f"{LEARNED} features reaches a mean area of {rows[0][2]}, against {rows[-1][2]} at "
            f"1:{ratio}. It is false of them if negatives are discarded: the variance of what is "
            f"learned then grows by 2r/(1 + r), {growth:.2f} times at 1:{ratio}, and the mean area "
            f"falls from {kept:.4f} to {thrown:.4f}. For other classifiers, such as the trees of "
            "the source, and for accuracy nothing is decided."
        ),
        computed=(
            "With normal features of known covariance the discriminant depends on the difference "
            "of the class means. Each component of it has the variance 1/n + 1/m with n positives "
            "and m negatives in training. The learned direction has the cosine x/√(x² + c) with "
            "the right one, where x is normal around the true distance over the deviation, and c "
            "is χ² of the other dimensions. It rises with x, so the mean area falls as the "
            "variance grows. For a given "
            "n + m it is smallest at n = m. It rises from (1 + 1/r)/n to 2/n if all but n of rn "
            f"negatives are discarded. Mean areas are over {DRAWS:,} draws of the difference, of "
            "which only the part along the true difference and the length of the rest matter."
        ),
        table=pd.DataFrame(rows, columns=["training data", "positives", "mean area"]),
    )


STATEMENTS = (
    Statement(
        name="undersampling_is_a_cutoff",
        claim=(
            "Undersampling the negatives does not change the ranking, and amounts to another"
            " cut-off."
        ),
        source=(
            "Dal Pozzolo, A., Caelen, O., Johnson, R. A., and Bontempi, G. (2015). Calibrating "
            "probability with undersampling for unbalanced classification. IEEE SSCI. "
            "doi:10.1109/SSCI.2015.33"
        ),
        read="abstract",
        decide=is_a_cutoff,
        recompute="""\
import numpy as np
from scipy.stats import norm
for ratio in (2, 10, 10_000):
    threshold = np.array([1 + np.log(ratio) / 2, 1])  # where p is 1/2, and the prevalence
    u, v = norm.sf(threshold - 2), norm.sf(threshold)
    print(ratio, (2 * u / (1 + u + ratio * v)).round(4))
""",
    ),
    Statement(
        name="resampling_is_a_threshold",
        claim=(
            "Resampling does not raise the area under the ROC curve, and gives nothing that"
            " another threshold does not give."
        ),
        source=(
            "van den Goorbergh, R., van Smeden, M., Timmerman, D., and Van Calster, B. (2022). The "
            "harm of class imbalance corrections for risk prediction models: illustration and "
            "simulation using logistic regression. JAMIA 29(9), 1525-1534. "
            "doi:10.1093/jamia/ocac093; likewise Elor, Y., and Averbuch-Elor, H. (2022). To SMOTE, "
            "or not to SMOTE? arXiv:2201.08528"
        ),
        read="abstract",
        decide=same_by_threshold,
        recompute="""\
import numpy as np
from sklearn.linear_model import LogisticRegression
x, y = np.array([(0, 0), (1, 0), (0, 1), (1, 1)] * 2), np.repeat([1, 0], 4)
for ratio in (100, 1):
    weight = np.r_[1, 4, 3, 2, np.multiply(ratio, [2, 1, 1, 6])]
    print(ratio, LogisticRegression(C=1e12, tol=1e-12).fit(x, y, weight).coef_.round(2))
""",
    ),
    Statement(
        name="balanced_training_for_area",
        claim=(
            "A balanced training set is good for the area under the ROC curve, and the natural "
            "class distribution for accuracy."
        ),
        source=(
            "Weiss, G. M., and Provost, F. (2003). Learning when training data are costly: the "
            "effect of class distribution on tree induction. JAIR 19, 315-354. "
            "doi:10.1613/jair.1199"
        ),
        read="abstract",
        decide=balanced_training,
        recompute="""\
import numpy as np
positives, negatives = np.array([561, 22, 22]), np.array([561, 1100, 22])
variance = 1 / positives + 1 / negatives  # balanced; 1:50; 1:50 after balancing
print(variance.round(4), (variance[2] / variance[1]).round(2))
""",
    ),
)
