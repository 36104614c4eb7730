"""Studies in folders of their own."""

import functools
import io
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from sklearn.datasets import load_breast_cancer, load_digits

from skewproof_studies.van_zyl.real_data.datasets import git_blob_id

PROJECT = Path(__file__).parents[1]
PARTS = ["Snakefile", "profiles", "resources", "src", "workflow"]

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
        "half_widths": "skewproof",
        "keep_samples": False,
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
    "figures": {"formats": ["png"]},
}


TEMPORARY = ("results/samples/", "results/metric_values/")
"""Folders of arrays that a run deletes when it no longer needs them."""

TARGETS = (
    "all",
    "conclusions",
    "real_world",
    "burduk",
    "mullick",
    "mullick_experiment",
    "survey",
    "tharwat",
    "classifiers",
    "atlas",
    "choices",
    "made_for_imbalance",
)


def _csv_of_breast_cancer():
    features, labels = load_breast_cancer(return_X_y=True)
    frame = pd.DataFrame(features / features.max(axis=0)).assign(**{"class": 1 - labels})
    return frame.to_csv(index=False).encode()


DIGITS = 900
"""Instances of the data of digits."""


def _npz_of_digits():
    features, labels = load_digits(return_X_y=True)
    file = io.BytesIO()
    np.savez(file, X=features[:DIGITS] / 16, y=(labels[:DIGITS] == 8).astype(int))
    return file.getvalue()


FILES = {"csv": _csv_of_breast_cancer(), "npz": _npz_of_digits()}
"""Data files by their format."""


def _source(kind, url="http://127.0.0.1:9/nowhere"):
    return {
        "name": "one of scikit-learn's",
        "file": f"data.{kind}",
        "url": url,
        "license": "BSD",
        "format": kind,
        "git_blob": git_blob_id(FILES[kind]),
        "reference": "scikit-learn",
    }


def real_data(digits_url="http://127.0.0.1:9/nowhere"):
    """Make settings of the study of real data: one file, another, and that one undersampled."""
    return {
        "data_dir": "data",
        "insecure_urls": True,
        "logistic_regression": {"max_iter": 100, "tol": 1e-4, "C": 1.0},
        "folds": 3,
        "shuffles": 2,
        "shuffle_seeds": 2,
        "draws": 50,
        "datasets": {
            "cancer": _source("csv"),
            "digits": _source("npz", digits_url),
            "even": {"name": "as many of each", "undersampled": "digits"},
        },
    }


EVERY_STUDY = {
    "burduk": {"positives": 1000, "negatives": [10, 50], "grid": 20},
    "mullick": {
        "condition_classes": [2, 3],
        "search_points": 100,
        "search_starts": 1,
        "representatives": [1, 10],
        "instances": 1000,
        "classes": [2, 3],
        "ratios": [10],
        "log2_samples": 5,
        "replicates": 3,
    },
    "mullick_experiment": {
        "runs": 2,
        "folds": 2,
        "trees": 2,
        "hidden_units": 4,
        "iterations": 20,
        "resamples": 2,
        "neighbors": 3,
        "problems": {
            "iris_2_1": {"data": "iris", "classes": [[2], [1]], "imbalance_ratio": 5},
            "iris_three": {"data": "iris", "classes": [[2], [1], [0]], "imbalance_ratio": 4},
        },
    },
    "survey": {"items": 10, "k": 2, "replicates": 2, "log2_samples": 6},
    "tharwat": {"separation": 1.0, "replicates": 3, "folds": 3},
    "atlas": {
        "measures": [
            "accuracy",
            "precision",
            "f1",
            "f1_i",
            "error_rate",
            "symmetric_extremal_dependence_index",
        ],
        "orderings": ["1:1", "1:100"],
        "map": ["1:1", "1:100"],
        "classifiers": 40,
        "label_errors": {
            "levels": ["1:1", "1:10"],
            "largest_false_positive_rate": 0.1,
            "largest_false_negative_rate": 0.1,
            "replicates": 2,
            "log2_samples": 6,
        },
    },
    "choices": {
        "measures": ["precision", "f1", "gilbert_ratio", "frequency_bias", "error_rate"],
        "curves": {"equal": {"d": 2, "b": 1}, "wide": {"d": 2, "b": 0.7}},
    },
    "made_for_imbalance": {"measures": ["robust_mcc(d=0.5)", "f1", "precision"]},
    "real_world": real_data(),
}


def supply(study, *kinds):
    """Put data files where a study looks for them."""
    (study.folder / "data").mkdir(exist_ok=True)
    for kind in kinds:
        (study.folder / f"data/data.{kind}").write_bytes(FILES[kind])
    return study


def messages(output):
    """List the messages of the jobs of a run, or of those that it plans, sorted."""
    return sorted(re.findall(r"^(?:Job \d+:|\d\d:\d\d:\d\d) (.*)$", output, flags=re.MULTILINE))


class Study:
    """A copy of the workflow with a config of its own."""

    def __init__(self, folder, **variables):
        """Make a study in a folder, whose runs have these environment variables."""
        self.folder, self.variables = folder, variables

    @classmethod
    def create(cls, folder, changes, **variables):
        folder.mkdir()
        for part in map(PROJECT.joinpath, PARTS):
            if part.is_dir():
                shutil.copytree(part, folder / part.name)
            else:
                shutil.copy2(part, folder / part.name)
        shutil.copy2(PROJECT / "config/paper.yaml", folder / "config.yaml")
        study = cls(folder, **variables)
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
        return os.environ | {"PYTHONPATH": str(self.folder / "src")} | self.variables

    def start(self, *arguments):
        """Start a run in a process group of its own.

        The run and all that it starts react to SIGINT, which a process in the background ignores.
        """
        return subprocess.Popen(
            self.command(*arguments),
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
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

    def planned(self, *targets):
        """List the messages of the jobs that the next run would do, sorted."""
        return messages(self.run("--cores", "1", "--dry-run", *targets))

    def table(self, name):
        return pd.read_csv(self.folder / f"results/{name}.csv")

    def count(self):
        """Count the files of results and figures, also during a run."""
        parts = (self.folder / name for name in ("results", "figures"))
        return sum(len(names) for part in parts for *_, names in os.walk(part))

    def produced(self, of=""):
        """Read every file of results and figures by its path, of one study if it is named."""
        files = [
            path
            for name in ("results", "figures")
            for path in (self.folder / name / of).rglob("*")
            if path.is_file()
        ]
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in files}

    def results(self):
        """Read what `produced` reads, without what a killed run may leave beside the results."""
        return {
            path: content
            for path, content in self.produced().items()
            if not path.endswith(".unfinished") and not path.startswith(TEMPORARY)
        }
