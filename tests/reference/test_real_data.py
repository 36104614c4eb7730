"""Table 11 on the paper's own data, where they are at hand."""

import os
from pathlib import Path

import pandas as pd
import pytest
import yaml
from needs import is_missing

from study import PROJECT, Study

NAMED = os.environ.get("SKEWPROOF_DATA_DIR")
FOLDERS = [*([Path(NAMED)] if NAMED else []), PROJECT / "data", PROJECT.parent / "shared/data"]
AT_HAND = ("D2", "D4")

pytestmark = pytest.mark.full_size


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """A run on the data sets that are at hand."""
    config = yaml.safe_load((PROJECT / "config/paper.yaml").read_text())["real_world"]
    files = {config["datasets"][key]["file"] for key in AT_HAND}
    folder = next((path for path in FOLDERS if all((path / name).exists() for name in files)), None)
    if folder is None:
        is_missing(f"{' and '.join(sorted(files))} are in none of {', '.join(map(str, FOLDERS))}")
    config["datasets"] = {key: config["datasets"][key] for key in AT_HAND}
    config["data_dir"] = str(folder)
    study = Study.create(tmp_path_factory.mktemp("real") / "study", {"real_world": config})
    study.run("--cores", "2", "real_world")
    return study


@pytest.fixture(scope="module")
def comparison(study):
    path = study.folder / "results/real_world_comparison.csv"
    return pd.read_csv(path, dtype={"table": str, "printed": str})


def test_what_the_data_are(comparison):
    nine = comparison[comparison["table"] == "9"].dropna(subset="agrees")
    assert len(nine) == 6
    (other,) = nine[~nine["agrees"].astype(bool)].itertuples()
    assert (other.row, other.column, other.computed) == ("D4", "imbalance", "1:7.88")
    assert other.note == "its decimals are cut off, not rounded"


def test_table_11_agrees_within_the_spread_over_shuffles(comparison):
    """All 48 means over folds are below the mean of the shuffles, so they are not independent."""
    values = comparison[comparison["table"] == "11"].dropna(subset="agrees")
    assert len(values) == 48
    assert values["agrees"].all()
    printed = values["printed"].astype(float)
    to_mean = (values["mean"] - printed).abs().mean()
    assert to_mean < (values["pooled"] - printed).abs().mean()
    assert (printed < values["mean"]).all()


def test_robust_and_other_metrics_flip_less_once_cut_offs_move(study):
    """Several metrics choose otherwise than their variants on D4 at 0.5."""
    at_half, moved = (
        study.table(name).dropna(subset="modified").query("dataset == 'D4'")["flips"]
        for name in ("ranking_flips", "ranking_flips_moved")
    )
    assert at_half.astype(bool).sum() > moved.astype(bool).sum()
