"""Measure how often intervals of areas cover, and write ``docs/images/area_coverage.csv``.

Scores are drawn from binormal populations; what they should cover is ``binormal_area``.
"""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from skewproof import area_interval, binormal_area, h_measure
from skewproof.practice.areas.binormal import INTEGRALS

OUTPUT = Path(__file__).parents[1] / "docs/images/area_coverage.csv"
SIZES = [("1:10", (5, 50)), ("1:10", (20, 200)), ("1:100", (100, 10_000))]
POPULATIONS = [(0, 1), (1, 1), (2, 1), (3, 1), (1.5, 2)]
SAME = {
    "normalized_average_precision": "average_precision",
    "normalized_precision_recall_area": "interpolated_average_precision",
    "balanced_average_precision": "calibrated_average_precision",
}
"""Areas whose intervals are the others', moved and stretched: they cover as often."""
REPETITIONS = 300
OF_H = 100
"""Repetitions of the H-measure, whose curves are drawn one by one."""
DRAWS = 500


def measured(area, level, positives, negatives, mean, deviation):
    """How often the interval of an area covers, how often it is above or below, how wide it is."""
    value = binormal_area(area, level, mean=mean, deviation=deviation)
    true = np.repeat([1, 0], [positives, negatives])
    repetitions = OF_H if area is h_measure else REPETITIONS
    found = []
    for seed in range(repetitions):
        random = np.random.default_rng([seed, positives])
        scores = random.normal(mean * true, np.where(true, deviation, 1))
        found.append(area_interval(area, true, scores, draws=DRAWS, seed=seed)[1:3])
    low, high = np.transpose(found)
    return {
        "sizes": f"{positives}:{negatives}",
        "mean": mean,
        "deviation": deviation,
        "area": area.__name__,
        "value": value,
        "covered": ((low <= value) & (value <= high)).mean(),
        "above": (low > value).mean(),
        "below": (high < value).mean(),
        "width": (high - low).mean(),
        "repetitions": repetitions,
    }


def main():
    areas = [area for area in INTEGRALS if area.__name__ not in SAME]
    areas.sort(key=lambda area: area is h_measure)
    rows = []
    for area, (level, sizes), population in product(areas, SIZES, POPULATIONS):
        rows.append(measured(area, level, *sizes, *population))
        print(*rows[-1].values(), flush=True)
        pd.DataFrame(rows).round(6).to_csv(OUTPUT, index=False)


if __name__ == "__main__":
    main()
