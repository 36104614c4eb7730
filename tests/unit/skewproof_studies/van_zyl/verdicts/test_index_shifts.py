import numpy as np
import pandas as pd
import pytest

from skewproof_studies.van_zyl.verdicts.index_shifts import (
    EXACT_ERROR,
    index_shift_errors,
    index_shifts,
    largest_index_shifts,
)

EXACT = pd.DataFrame(
    [
        ("accuracy", "1:1", 0.5, 0.5, 1e-14),
        ("accuracy", "1:2", 0.2, 0.8, 3e-14),
        ("mine", "1:1", 0.9, 0.1, 1e-10),
        ("mine", "1:2", 0.7, 0.15, 2e-10),
        ("unresolved", "1:1", 0.3, 0.7, 1e-12),
        ("unresolved", "1:2", np.nan, np.nan, 1e-2),
    ],
    columns=["metric", "level", "tp", "fp", "error_estimate"],
).melt(["metric", "level", "error_estimate"], var_name="input", value_name="s1")


def test_distances_are_from_the_baseline_of_the_same_metric_and_input():
    shifts = index_shifts(EXACT, baseline="1:1")
    assert set(shifts.index.get_level_values("level")) == {"1:2"}
    assert shifts["1:2", "mine", "tp"] == pytest.approx(0.2)
    assert shifts["1:2", "mine", "fp"] == pytest.approx(0.05)
    back = index_shifts(EXACT, baseline="1:2")
    assert back["1:1", "mine", "tp"] == shifts["1:2", "mine", "tp"]
    largest = largest_index_shifts(EXACT, baseline="1:1")
    assert largest["accuracy", "1:2"] == pytest.approx(0.3)
    assert largest["mine", "1:2"] == pytest.approx(0.2)
    assert np.isnan(largest["unresolved", "1:2"])
    errors = index_shift_errors(EXACT, baseline="1:1")
    assert errors["mine", "1:2"] == pytest.approx(3e-10 + 2 * EXACT_ERROR)
    assert errors["accuracy", "1:2"] == pytest.approx(4e-14 + 2 * EXACT_ERROR)
