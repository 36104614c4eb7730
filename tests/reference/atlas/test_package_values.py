"""The stored values of packages are those of the locked versions."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from needs import needs_version
from reference.atlas.package_values import PACKAGES, drawn_matrices, is_number

HERE = Path(__file__).parent

with (HERE / "package_values.csv").open(encoding="utf-8") as file:
    HEAD, *ROWS = csv.reader(file)

LOCK = (HERE.parents[2] / "locks/tests.lock").read_text(encoding="utf-8")

STORED = {row[0]: np.array(row[1:], dtype=float) for row in ROWS}


def test_the_matrices_are_those_of_the_script():
    assert HEAD[1:] == [" ".join(map(str, cells)) for cells in drawn_matrices()]


@pytest.mark.parametrize("package", ["pycm", "scikit-learn", "imbalanced-learn", "scipy"])
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_locked_package_gives_the_stored_values(package):
    [locked] = re.findall(rf"^{package}==(\S+)", LOCK, re.M)
    prefix = f"{package} {locked}: "
    stored = {name: values for name, values in STORED.items() if name.startswith(prefix)}
    assert stored, f"{prefix}has no stored values"
    needs_version(package, locked)
    places = [0, 1, 7]
    matrices = drawn_matrices()
    for place in places:
        found = PACKAGES[package](*matrices[place])
        for name, values in stored.items():
            value = found[name.removeprefix(prefix)]
            assert is_number(value)
            np.testing.assert_allclose(value, values[place], rtol=1e-12, err_msg=name)
