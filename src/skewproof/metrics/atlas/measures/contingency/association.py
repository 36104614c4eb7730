"""Association in 2 x 2 tables: correlations of truth and calls, with and without a sign."""

from skewproof.core.algebra import Value, log, pi, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.entry import (
    ASSOCIATION,
    RULES,
    SIMILARITY,
    UNBOUNDED,
    published,
)
from skewproof.metrics.atlas.measures.elementary import (
    cosine,
    determinant,
    larger,
    margins,
    smaller,
    tanh,
    where_positive,
)


@published(r"|\phi|", ASSOCIATION("Cramér's V", "Cramér 1946"), direction="association")
def cramer_v(c: ConfusionMatrix) -> Value:
    """Absolute correlation."""
    return ratio(abs(determinant(c)), sqrt(margins(c)))


@published(
    r"\tilde V",
    ASSOCIATION("Cramér's V, corrected for bias", "Bergsma 2013"),
    direction="association",
    remark="torchmetrics applies this correction to Yates' chi-squared.",
)
def cramer_v_corrected(c: ConfusionMatrix) -> Value:
    """Cramér's V minus its value by chance, but at least 0; it depends on the counts."""
    excess = ratio(1, c.total - 1)
    return sqrt(ratio(larger(phi_squared(c) - excess, 0), 1 - excess))


@published(
    r"1-\phi",
    SIMILARITY("correlation distance", "scipy 1.17.1: distance.correlation"),
    bounds=(0, 2),
    direction="lower",
)
def correlation_distance(c: ConfusionMatrix) -> Value:
    """1 minus the correlation."""
    return 1 - ratio(determinant(c), sqrt(margins(c)))


@published(r"z_\phi", ASSOCIATION("Fisher's z", "Fisher 1921"), bounds=(-UNBOUNDED, UNBOUNDED))
def fisher_z(c: ConfusionMatrix) -> Value:
    """Inverse hyperbolic tangent of the correlation, whose variance depends little on it."""
    covariance = determinant(c)
    # The root of the product of the four sums, which equals |covariance| if phi is 1 or -1, also in
    # floats.
    triples = c.tp * c.fp * (c.fn + c.tn) + c.fn * c.tn * (c.tp + c.fp)
    root = sqrt(covariance**2 + c.total * triples)
    return log(ratio(root + covariance, root - covariance)) / 2


@published(
    r"\phi^2", ASSOCIATION("mean square contingency", "Pearson 1904"), direction="association"
)
def phi_squared(c: ConfusionMatrix) -> Value:
    """Squared correlation."""
    return ratio(determinant(c) ** 2, margins(c))


@published(
    "C",
    ASSOCIATION("Pearson's contingency coefficient", "Pearson 1904"),
    bounds=(0, 0.5**0.5),
    direction="association",
)
def contingency_coefficient(c: ConfusionMatrix) -> Value:
    """Root of chi-squared over itself and the number of instances."""
    squared = determinant(c) ** 2
    return sqrt(ratio(squared, margins(c) + squared))


@published(
    r"C_{\mathrm{adj}}",
    ASSOCIATION("Sakoda's adjusted contingency coefficient", "Sakoda 1977"),
    direction="association",
)
def adjusted_contingency_coefficient(c: ConfusionMatrix) -> Value:
    """Pearson's contingency coefficient as a share of its largest value."""
    squared = determinant(c) ** 2
    return sqrt(ratio(2 * squared, margins(c) + squared))


@published(
    r"C_{\pm}",
    ASSOCIATION("mean square contingency correlation", "Cole 1949"),
    bounds=(-1, 1),
    remark="Hubálek and Choi et al. attribute it to Cole. It is the C5 that he discusses; his own"
    " is C7.",
)
def signed_contingency_coefficient(c: ConfusionMatrix) -> Value:
    """Sakoda's coefficient with the sign of the correlation."""
    squared = determinant(c) ** 2
    return ratio(determinant(c), sqrt((margins(c) + squared) / 2))


@published(
    r"\phi|\phi|",
    ASSOCIATION("signed squared correlation", "abydos 0.5.0: PearsonChiSquared.corr"),
    bounds=(-1, 1),
)
def signed_phi_squared(c: ConfusionMatrix) -> Value:
    """Squared correlation with its sign."""
    return ratio(determinant(c) * abs(determinant(c)), margins(c))


@published(
    r"\mathrm{P}_{III}",
    SIMILARITY("Pearson III", "Choi et al. 2010"),
    bounds=(-UNBOUNDED, 0.5**0.5),
    bounds_of_counts=(-1, 3**-0.5),
    remark="Choi et al. take the root of rho/(n + rho), which is undefined if rho is below 0;"
    " abydos takes that of |rho|/(n + rho) with the sign of rho, as here.",
)
def pearson_iii(c: ConfusionMatrix) -> Value:
    """Root of the correlation over itself and the number of instances, with its sign."""
    correlation = ratio(determinant(c), sqrt(margins(c)))
    root = sqrt(ratio(abs(correlation), c.total + correlation))
    return where_positive(correlation, root, -root)


@published("Q", ASSOCIATION("Yule's Q", "Yule 1900"), bounds=(-1, 1))
def yule_q(c: ConfusionMatrix) -> Value:
    """Odds ratio minus 1 over itself and 1."""
    return ratio(determinant(c), c.tp * c.tn + c.fp * c.fn)


@published(
    "1-Q", SIMILARITY("Yule Q distance", "Choi et al. 2010"), bounds=(0, 2), direction="lower"
)
def yule_q_distance(c: ConfusionMatrix) -> Value:
    """1 minus Yule's Q."""
    return ratio(2 * c.fp * c.fn, c.tp * c.tn + c.fp * c.fn)


@published("Y", ASSOCIATION("Yule's Y, colligation", "Yule 1912"), bounds=(-1, 1))
def yule_y(c: ConfusionMatrix) -> Value:
    """Yule's Q of the roots of the cells."""
    right, wrong = sqrt(c.tp * c.tn), sqrt(c.fp * c.fn)
    return ratio(right - wrong, right + wrong)


@published(
    "Y^*",
    ASSOCIATION("Bonett and Price's Y*", "Bonett and Price 2007; psych, YuleBonett"),
    bounds=(-1, 1),
    remark="Bonett and Price estimate it with 0.1 added to each cell.",
)
def bonett_price_y(c: ConfusionMatrix) -> Value:
    """Yule's Q of the cells to a power from 1/4 to 1/2, the larger the nearer the smallest share of
    a class, true or called, is to 1/2."""
    classes = c.positives, c.negatives, c.predicted_positives, c.predicted_negatives
    share = ratio(smaller(*classes), c.total)
    power = (1 + 4 * share * (1 - share)) / 4
    # (w - 1)/(w + 1) of a power w of the odds ratio; SymPy takes minutes for w at long fractions.
    return tanh(power * log(ratio(c.tp * c.tn, c.fp * c.fn)) / 2)


@published("H", ASSOCIATION("Digby's H", "Digby 1983"), bounds=(-1, 1))
def digby_h(c: ConfusionMatrix) -> Value:
    """Yule's Q of the cells to the power 3/4, near the tetrachoric correlation."""
    right, wrong = sqrt(c.tp * c.tn), sqrt(c.fp * c.fn)
    right, wrong = right * sqrt(right), wrong * sqrt(wrong)
    return ratio(right - wrong, right + wrong)


@published("Q_E", ASSOCIATION("Edwards' Q", "Edwards 1957; Becker and Clogg 1988"), bounds=(-1, 1))
def edwards_q(c: ConfusionMatrix) -> Value:
    """Yule's Q of the cells to the power pi/4, near the tetrachoric correlation."""
    odds = ratio(c.tp * c.tn, c.fp * c.fn)
    return 1 - ratio(2, odds ** (pi(odds) / 4) + 1)


@published(
    r"\rho_{\cos}",
    ASSOCIATION(
        "cosine approximation of the tetrachoric correlation", "Yule 1900; Pearson 1900, his Q3"
    ),
    bounds=(-1, 1),
    remark="binsdpy uses 180 instead of pi, as an angle in radians.",
)
def tetrachoric_cosine(c: ConfusionMatrix) -> Value:
    """Cosine of half a turn's share that the roots of wrong pairs have."""
    right, wrong = sqrt(c.tp * c.tn), sqrt(c.fp * c.fn)
    share = ratio(wrong, right + wrong)
    return cosine(pi(share) * share)


@published(
    r"\tau_c",
    ASSOCIATION("Stuart's tau c", "Stuart 1953"),
    bounds=(-1, 1),
    remark="abydos has 4(tp + tn - fp - fn)/n² instead of 4(tp·tn - fp·fn)/n².",
)
def stuart_tau_c(c: ConfusionMatrix) -> Value:
    """Four times the covariance of calls and truth."""
    return ratio(4 * determinant(c), c.total**2)


@published(
    r"s_{CT}", ASSOCIATION("covariance of calls and truth", "Warrens 2008"), bounds=(-0.25, 0.25)
)
def dispersion(c: ConfusionMatrix) -> Value:
    """Share of the hits minus that of chance."""
    return ratio(determinant(c), c.total**2)


@published(
    "C_7",
    ASSOCIATION("Cole's coefficient of association", "Cole 1949, his C7"),
    bounds=(-1, 1),
    remark="Cole assumes that fp is at most fn; abydos and binsdpy always use the cases of that"
    " order.",
)
def cole_c7(c: ConfusionMatrix) -> Value:
    """Deviation of the hits from chance over the largest of that sign at these class sizes."""
    return ratio(determinant(c), _largest_of_its_sign(c))


def _largest_of_its_sign(c: ConfusionMatrix) -> Value:
    """Compute the largest size of tp·tn - fp·fn at these class sizes, with its sign."""
    positive = smaller(c.predicted_positives * c.negatives, c.positives * c.predicted_negatives)
    negative = smaller(c.positives * c.predicted_positives, c.negatives * c.predicted_negatives)
    return where_positive(determinant(c), positive, negative)


@published(
    "C_7'",
    SIMILARITY("Cole's C7 in one order", "abydos 0.5.0: Cole.corr"),
    bounds=(-1, 1),
    remark="Cole (1949) puts the rarer class first; if fp is above fn, his coefficient is another"
    " one.",
)
def cole_c7_in_one_order(c: ConfusionMatrix) -> Value:
    """Deviation of the hits from chance over P' and N where it is above 0, as where fp is at most
    fn."""
    positive = c.predicted_positives * c.negatives
    negative = smaller(c.positives * c.predicted_positives, c.negatives * c.predicted_negatives)
    return ratio(determinant(c), where_positive(determinant(c), positive, negative))


@published(
    r"\mathrm{RLD}",
    RULES("relative linkage disequilibrium", "Kenett and Salini 2008; arules, RLD"),
    direction="association",
)
def relative_linkage_disequilibrium(c: ConfusionMatrix) -> Value:
    """Size of Cole's coefficient."""
    return ratio(abs(determinant(c)), _largest_of_its_sign(c))
