"""Studies in folders of their own."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import yaml

PROJECT = Path(__file__).parents[1]
PARTS = ["Snakefile", "config.yaml", "profiles", "resources", "src", "workflow"]

SMALL = {
    "levels": ["1:1", "1:10", "7:3"],
    "metrics": [
        "accuracy",
        "f1",
        "f1_i",
        "laplace",
        "laplace_i",
        "mcc",
        "mcc_i",
        "iba",
        "g_mean",
        "markedness",
        "optimized_precision",
        "optimized_precision_i",
    ],
    "sobol": {
        "log2_samples": 7,
        "resamples": 10,
        "confidence": 0.95,
        "undefined": "error",
        "estimator": "batched",
    },
    "sweep": {"from": "10:1", "to": "1:100", "points_per_decade": 1},
    "convergence": {"levels": ["1:1", "1:100"], "log2_samples": [4, 7]},
    "statistics": {
        "replicates": 8,
        "log2_samples": 7,
        "smallest_difference": 0.05,
        "scrambles": 10,
    },
    "contours": {"grid": 12, "undefined": "omit"},
    "robustness": {"grids": [12, 24], "undefined": ["omit", 0], "positives": [1, 100]},
    "figures": {"formats": ["png", "pdf"]},
}


class Study:
    """A copy of the workflow with a config of its own."""

    def __init__(self, folder):
        self.folder = folder

    @classmethod
    def create(cls, folder, changes):
        folder.mkdir()
        for part in map(PROJECT.joinpath, PARTS):
            if part.is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(part, folder / part.name, ignore=ignored)
            else:
                shutil.copy2(part, folder / part.name)
        study = cls(folder)
        study.configure(**changes)
        return study

    def copy(self, folder):
        shutil.copytree(self.folder, folder)  # keeps the times of all files
        return Study(folder)

    def configure(self, **changes):
        path = self.folder / "config.yaml"
        path.write_text(yaml.safe_dump(yaml.safe_load(path.read_text()) | changes))

    def command(self, *arguments):
        return [sys.executable, "-m", "snakemake", *arguments]

    def environment(self):
        return os.environ | {"PYTHONPATH": str(self.folder / "src")}

    def start(self, *arguments):
        """Start a run in a process group of its own."""
        return subprocess.Popen(
            self.command(*arguments),
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def run(self, *arguments, fails=False):
        """Run to the end; returns what was printed."""
        done = subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        output = done.stdout + done.stderr
        assert (done.returncode != 0) == fails, output
        return output

    def planned(self):
        """The messages of the jobs that the next run would do, sorted."""
        output = self.run("--cores", "1", "--dry-run")
        return sorted(re.findall(r"^Job \d+: (.*)$", output, flags=re.MULTILINE))

    def table(self, name):
        return pd.read_csv(self.folder / f"results/{name}.csv")

    def count(self):
        """How many files of results and figures there are, during a run too."""
        parts = (self.folder / name for name in ("results", "figures"))
        return sum(len(names) for part in parts for *_, names in os.walk(part))

    def produced(self):
        """The contents of every file of results and figures by its path.

        The record of what was computed together, which every run has, is left out.
        """
        files = [
            path
            for name in ("results", "figures")
            for path in (self.folder / name).rglob("*")
            if path.is_file() and path.name != "batches.json"
        ]
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in files}
