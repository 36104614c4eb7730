"""Files that a script runs, found without running it."""

import functools
import modulefinder
from pathlib import Path

import pytest

from skewproof_studies.pipeline.tracking.sources import files_run_by

PROJECT = Path(__file__).parents[5]


def project(tmp_path, files):
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def names(folder, script="script.py"):
    found = files_run_by(folder / script, folder / "src")
    return [str(path.relative_to(folder / "src")) for path in found]


def test_modules_are_followed_into_functions_and_out_of_the_project_no_further(tmp_path):
    folder = project(
        tmp_path,
        {
            "script.py": "import json\nfrom pack.one import f\n",
            "src/pack/__init__.py": "",
            "src/pack/one.py": "def f():\n    from pack import two\n",
            "src/pack/two.py": "import numpy\n",
            "src/pack/other.py": "",
        },
    )
    assert names(folder) == ["pack/__init__.py", "pack/one.py", "pack/two.py"]


def test_data_that_a_module_names_count(tmp_path):
    folder = project(
        tmp_path,
        {
            "script.py": "import pack.one\n",
            "src/pack/__init__.py": "",
            "src/pack/one.py": "NAME = 'named.yaml'\n",
            "src/pack/named.yaml": "",
            "src/pack/unnamed.yaml": "",
        },
    )
    assert names(folder) == ["pack/__init__.py", "pack/named.yaml", "pack/one.py"]


def test_a_script_of_the_workflow():
    script = PROJECT / "workflow/scripts/van_zyl/p_values.py"
    found = {
        str(path.relative_to(PROJECT / "src")) for path in files_run_by(script, PROJECT / "src")
    }
    assert {
        "skewproof/sensitivity/sampling/welch.py",
        "skewproof_studies/pipeline/writing/files.py",
        "skewproof_studies/pipeline/writing/tables.py",
    } <= found
    assert "skewproof/sensitivity/quadrature/exact.py" not in found


@pytest.mark.slow
def test_modules_that_data_name_count():
    script = PROJECT / "workflow/scripts/survey/choosing_figures.py"
    found = {path.name for path in files_run_by(script, PROJECT / "src")}
    assert {"catalog.yaml", "choosing.yaml", "h_measure.py"} <= found


COMPILED = functools.cache(compile)
"""Scripts share modules: each is compiled once."""


@pytest.mark.slow
@pytest.mark.parametrize("room", ["van_zyl", "mullick", "survey", "tharwat", "burduk"])
def test_the_module_finder_of_python_finds_the_same_modules(monkeypatch, room):
    monkeypatch.setattr(modulefinder, "compile", COMPILED, raising=False)
    for script in (PROJECT / "workflow/scripts" / room).rglob("*.py"):
        finder = modulefinder.ModuleFinder(path=[str(PROJECT / "src")])
        finder.run_script(str(script))
        files = {module.__file__ for name, module in finder.modules.items() if name != "__main__"}
        expected = {Path(file) for file in files if file}
        found = {path for path in files_run_by(script, PROJECT / "src") if path.suffix == ".py"}
        named = {path for path in found - expected if "survey" in str(script)}
        assert found - named == expected, script
