"""Write kinked_indices.csv: indices of random formulas with kinks, by adaptive quadrature.

The column doubt has ten times how far mean and variance along one rate are from those along the
other, the tolerance and rounding: in indices, in the mean in standard deviations, and in the
variance relative to itself. Formulas that the file
has are left alone, so that a stopped run can be continued; all take about half an hour:

    python tests/reference/sensitivity/make_kinked_indices.py
"""

import csv
import sys
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from adaptive_quadrature import NotReachedError, moments
from kinked_formulas import cases, function_of, metric_of, nested, plausible

COLUMNS = ["kind", "formula", "negatives", "mean", "variance", "s1_tp", "s1_fp", "doubt"]
CASES_OF_A_KIND = 250
SEED = 2026

MOST_POINTS = 1e8
"""Points at which a formula is evaluated before it is left out."""


def reference(text, negatives):
    plain, seen = function_of(metric_of(text), negatives), 0

    def function(*rates):
        nonlocal seen
        seen += rates[0].size
        if seen > MOST_POINTS:
            raise NotReachedError
        return plain(*rates)

    mean, variance, s1, apart = moments(function, cuts=14)
    grid = (np.arange(60) + 0.5) / 60
    u, v = (part.ravel() for part in np.meshgrid(grid, grid))
    rounding = 1e-14 * np.abs(function(u, 1 - u, v, 1 - v)).max() / variance**0.5
    return [mean, variance, *s1, 10 * apart + 1e-12 + rounding]


def main():
    path = Path(__file__).with_name("kinked_indices.csv")
    known, counts = set(), Counter()
    if path.exists():
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                known.add((row["formula"], float(row["negatives"])))
                counts[row["kind"]] += 1
    with path.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if not known:
            writer.writerow(COLUMNS)
        for kind in (plausible, nested):
            for text, negatives in cases(kind, 2 * CASES_OF_A_KIND, SEED):
                if counts[kind.__name__] == CASES_OF_A_KIND:
                    break
                if (text, negatives) in known:
                    continue
                known.add((text, negatives))
                try:
                    numbers = [repr(float(value)) for value in reference(text, negatives)]
                except NotReachedError:
                    continue
                counts[kind.__name__] += 1
                writer.writerow([kind.__name__, text, negatives, *numbers])
                file.flush()


if __name__ == "__main__":
    main()
