"""Random formulas of counts and of rates with kinks, whose ranges are searched."""

import numpy as np
from kinked_formulas import RATES, plausible

COUNTS = ["tp", "fp", "fn", "tn"]
SIZES = ["P", "N"]


def term(random):
    """Draw a count, or a root, power or product of counts and class sizes, maybe with a factor."""
    one, other = (COUNTS[number] for number in random.integers(4, size=2))
    size = SIZES[random.integers(2)]
    factor = round(float(random.uniform(0.2, 5)), 1)
    forms = [
        *(one, f"{one}**2", f"{one}*{other}", f"sqrt({one})", f"{size}*{one}", f"{factor}*{one}"),
        *(f"{factor}*{one}*{other}", f"{factor}*{one}**2", f"sqrt({one}*{other})", f"{size}"),
    ]
    return forms[random.integers(len(forms))]


def total(random):
    """Draw a sum of one or two terms."""
    if random.random() < 0.4:
        return term(random)
    return f"{term(random)} {'+-'[random.integers(2)]} {term(random)}"


def of_counts(random):
    """Draw one or two kinks between sums of terms."""
    a, b, c = (total(random) for _ in range(3))
    forms = [
        *(f"min({a}, {b})", f"max({a}, {b})", f"abs({a} - ({b}))", f"(min({a}, {b}))/(P + N)"),
        *(f"min({a}, {b}) + {c}", f"max(min({a}, {b}), {c})", f"min(max({a}, {b}), {c})"),
        *(f"min({a}, {b})*({c})", f"abs({a} - ({b})) - abs({c})", f"max({a}, {b})/(1 + abs({c}))"),
        *(f"exp(-abs({a} - ({b}))/(P*N))", f"min({a}, min({b}, {c}))"),
    ]
    return forms[random.integers(len(forms))]


def of_rates(random):
    """Draw a formula that a user might write, or a minimum of three weighted rates."""
    if random.random() < 0.7:
        return plausible(random)
    a, b, c = (RATES[number] for number in random.integers(len(RATES), size=3))
    weight = round(float(random.uniform(0.1, 2)), 2)
    return f"min({weight}*{a}, max({b}, 1 - {c}))"


def cases(count, seed):
    """Draw different formulas that vary, half of them of counts."""
    random, found = np.random.default_rng(seed), []
    while len(found) < count:
        kind = (of_counts, of_rates)[len(found) % 2]
        text = kind(random)
        if any(name in text for name in ("min", "max", "abs")) and text not in found:
            found.append(text)
    return found
