"""Decision curves compared with those of dcurves, stored by make_decision_curves.py."""

import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from skewproof import decision_curve

SCRIPT = runpy.run_path(str(Path(__file__).with_name("make_decision_curves.py")))
PREVALENCES, THRESHOLDS = SCRIPT["PREVALENCES"], SCRIPT["THRESHOLDS"]
STORED = pd.read_csv(Path(__file__).with_name("decision_curves.csv"))
STORED["model"] = STORED["model"].replace({"all": "treat all", "none": "treat none"})


@pytest.mark.parametrize("prevalence", PREVALENCES)
def test_curves_are_those_of_dcurves(prevalence):
    labels, fine, coarse = SCRIPT["predictions"]()
    curve = decision_curve(
        labels,
        {"fine": fine, "coarse": coarse},
        thresholds=THRESHOLDS,
        at=prevalence or "population",
    )
    stored = STORED[STORED["prevalence"] == str(prevalence or "of the labels")]
    both = curve.merge(stored, on=["model", "threshold"], suffixes=("", "_stored"))
    assert len(both) == len(stored) == 4 * len(THRESHOLDS)
    differences = both["net_benefit"] - both["net_benefit_stored"]
    assert np.abs(differences).max() < 1e-12
    # dcurves divides a difference of net benefits by the odds, which are small.
    scale = both["threshold"] / (1 - both["threshold"]) / 100
    differences = both["interventions_avoided"] - both["net_intervention_avoided"]
    assert np.abs(scale * differences).max() < 1e-12
