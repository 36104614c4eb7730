"""Writes decision_curves.csv: net benefit and interventions avoided by dcurves 1.1.7.

It runs in an environment of its own: ``pip install dcurves==1.1.7``, then ``python
make_decision_curves.py``. Data are made without random numbers, so that the test makes the same.
"""

from pathlib import Path

INSTANCES = 1200
THRESHOLDS = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9]
PREVALENCES = [None, 0.001, 0.02, 0.6]


def predictions():
    """Make labels and the probabilities of two models; many of the second model are tied."""
    fine = [7919 * number % 1009 / 1008 for number in range(1, INSTANCES + 1)]
    labels = [int(104729 * n % 997 / 996 < p**3) for n, p in enumerate(fine, 1)]
    coarse = [round(20 * (0.7 * p + 0.3 * (31 * n % 101) / 101)) / 20 for n, p in enumerate(fine)]
    return labels, fine, coarse


def main():
    import pandas as pd
    from dcurves import dca

    labels, fine, coarse = predictions()
    data = pd.DataFrame({"y": labels, "fine": fine, "coarse": coarse})
    tables = []
    for prevalence in PREVALENCES:
        published = dca(data, "y", ["fine", "coarse"], THRESHOLDS, prevalence=prevalence, nper=100)
        columns = ["model", "threshold", "net_benefit", "net_intervention_avoided"]
        tables.append(published[columns].assign(prevalence=prevalence or "of the labels"))
    pd.concat(tables).to_csv(Path(__file__).with_name("decision_curves.csv"), index=False)


if __name__ == "__main__":
    main()
