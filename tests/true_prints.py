"""Scores of true confusion matrices, rounded as papers do, by fractions and decimals alone.

Nothing here uses the package: formulas are written out, and decimals have 80 digits.
"""

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from itertools import product

WAYS = ("half up", "half even", "truncated", "twice")
PRECISION = 80


def decimal(value):
    with localcontext(prec=PRECISION):
        return Decimal(value.numerator) / Decimal(value.denominator)


def root(value):
    with localcontext(prec=PRECISION):
        return decimal(value).sqrt()


def share(part, whole):
    return Fraction(part, whole) if whole else None


def mcc(tp, fp, fn, tn):
    margins = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    if not margins:
        return None
    with localcontext(prec=PRECISION):
        return Decimal(tp * tn - fp * fn) / Decimal(margins).sqrt()


SCORES = {
    "accuracy": lambda tp, fp, fn, tn: share(tp + tn, tp + fp + fn + tn),
    "true_positive_rate": lambda tp, fp, fn, tn: share(tp, tp + fn),
    "true_negative_rate": lambda tp, fp, fn, tn: share(tn, fp + tn),
    "precision": lambda tp, fp, fn, tn: share(tp, tp + fp),
    "f1": lambda tp, fp, fn, tn: share(2 * tp, 2 * tp + fp + fn),
    "balanced_accuracy": lambda tp, fp, fn, tn: (share(tp, tp + fn) + share(tn, fp + tn)) / 2,
    "g_mean": lambda tp, fp, fn, tn: root(share(tp, tp + fn) * share(tn, fp + tn)),
    "mcc": mcc,
}
"""Scores of whole counts of two classes that have instances; None where they are undefined."""


def mean(key, matrices):
    """Compute the exact mean of a score, or None if it is undefined in a fold."""
    values = [SCORES[key](*matrix) for matrix in matrices]
    if any(value is None for value in values):
        return None
    values = [decimal(value) if isinstance(value, Fraction) else value for value in values]
    with localcontext(prec=PRECISION):
        return sum(values) / len(values)


def rounded(value, digits, way):
    """Print a fraction or a decimal number with so many digits after the point."""
    with localcontext(prec=PRECISION):
        number = decimal(value) if isinstance(value, Fraction) else +value
        unit = Decimal(1).scaleb(-digits)
        if way == "twice":
            number = number.quantize(unit / 10, ROUND_HALF_UP)
        how = {"half even": ROUND_HALF_EVEN, "truncated": ROUND_DOWN}.get(way, ROUND_HALF_UP)
        return str(number.quantize(unit, how))


def drawn_scores(random, matrix, way):
    """Draw some scores of a matrix with their digits, and print them."""
    known = {key: score(*matrix) for key, score in SCORES.items()}
    keys = [key for key, value in known.items() if value is not None]
    chosen = random.sample(keys, random.randint(1, 4))
    return {key: rounded(known[key], random.randint(2, 4), way) for key in chosen}


def drawn_matrix(random, largest):
    """Draw tp, fp, fn and tn, at sizes up to a largest one that are even on a scale of logarithms,
    and for all qualities of a classifier."""
    positives, negatives = (int(largest ** random.random()) + 1 for _ in range(2))
    tp = round(positives * random.betavariate(2, 0.7))
    fp = round(negatives * random.betavariate(0.5, 3))
    return tp, fp, positives - tp, negatives - fp


def with_changed_digit(random, scores):
    """Change the last digit of one of the scores by 1 to 9."""
    key = random.choice(list(scores))
    digit = (int(scores[key][-1]) + random.randint(1, 9)) % 10
    return {**scores, key: f"{scores[key][:-1]}{digit}"}


def matrices_by_hand(intervals, positives, negatives):
    """List all (tp, fp) whose scores are in closed intervals of fractions, by trying each pair."""
    ends = [(SCORES[key], *map(decimal, interval)) for key, interval in intervals.items()]

    def fits(tp, fp):
        for score, low, high in ends:
            value = score(tp, fp, positives - tp, negatives - fp)
            exact = decimal(value) if isinstance(value, Fraction) else value
            if exact is None or not low <= exact <= high:
                return False
        return True

    return {
        (tp, fp) for tp, fp in product(range(positives + 1), range(negatives + 1)) if fits(tp, fp)
    }
