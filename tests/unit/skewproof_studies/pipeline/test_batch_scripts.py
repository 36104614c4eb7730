"""Jobs that find nothing to do write a table without rows."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

SCRIPTS = Path(__file__).parents[4] / "workflow/scripts/van_zyl"


def run(name, folder, **params):
    """Run a script; returns the lines of what it writes."""
    path = folder / "table.csv"
    snakemake = SimpleNamespace(
        params=SimpleNamespace(own_metrics={}, metrics=["f1", "mcc"], positives=100, **params),
        output=[str(path)],
        log=[str(folder / "log")],
    )
    runpy.run_path(str(SCRIPTS / f"{name}.py"), {"snakemake": snakemake})
    return path.read_text().splitlines()


@pytest.mark.parametrize("name", ["invariance", "contour_deviation"])
def test_a_batch_of_the_baseline_alone(tmp_path, name):
    (header,) = run(name, tmp_path, levels=[], baseline="1:1", grid=5, undefined="omit")
    assert header.startswith("metric,level,")
