"""Jobs that find nothing to do write a table without rows."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest

SCRIPTS = Path(__file__).parents[4] / "workflow/scripts/van_zyl"


def run(name, folder, **params):
    """Run a script; returns the lines of what it writes."""
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    path = folder / "table.csv"
    script.main(
        SimpleNamespace(
            params=SimpleNamespace(own_metrics={}, metrics=["f1", "mcc"], positives=100, **params),
            output=[str(path)],
            log=[str(folder / "log")],
        )
    )
    return path.read_text().splitlines()


@pytest.mark.parametrize("name", ["invariance", "contour_deviation"])
def test_a_batch_of_the_baseline_alone(tmp_path, name):
    (header,) = run(name, tmp_path, levels=[], baseline="1:1", grid=5, undefined="omit")
    assert header.startswith("metric,level,")
