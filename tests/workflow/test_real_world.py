"""The real-data study, on data that ship with scikit-learn, and without any."""

import numpy as np
import pandas as pd
import pytest
from server import serve

from study import DIGITS, FILES, SMALL, real_data, supply


def test_a_value_for_every_data_set_metric_and_fold(whole):
    values = whole.table("real_world")
    assert len(values) == 3 * len(SMALL["metrics"]) * 3
    means = values.groupby(["dataset", "metric"])["value"].mean()
    printed = pd.read_csv(whole.folder / "results/tables/table_11.csv").set_index("metric")
    for (dataset, metric), mean in means.items():
        assert float(printed.loc[metric, dataset]) == pytest.approx(mean, abs=5.1e-5)


def test_on_balanced_data_metrics_are_their_variants(whole):
    pooled = pd.read_csv(whole.folder / "results/tables/table_11_pooled.csv").set_index("metric")
    for metric in ("f1", "mcc", "optimized_precision"):
        assert pooled.loc[metric, "even"] == pooled.loc[f"{metric}_i", "even"]
        assert pooled.loc[metric, "digits"] != pooled.loc[f"{metric}_i", "digits"]


def test_labels_of_cut_offs_at_one_half_are_the_predictions(whole):
    """The label ways count what the held-out scores say."""
    scores = np.load(whole.folder / "results/real_world/digits/held_out_scores.npy")
    ways = pd.read_csv(whole.folder / "results/real_world/digits/label_ways.csv")
    assert ways["count"].sum() == len(scores) == DIGITS
    for place, name in enumerate(ways.columns[1:-1], start=2):
        called = scores[:, place] > 0.5
        assert called.sum() == ways.loc[ways[name], "count"].sum()
        hits = ways.loc[ways[name] & ways["positive"], "count"].sum()
        assert (called & (scores[:, 0] == 1)).sum() == hits
    assert np.unique(scores[:, 1]).tolist() == [0, 1, 2]


def test_the_report_has_every_confidence(whole):
    text = (whole.folder / "results/ranking_flips.md").read_text()
    for name in ("ranking_flips", "ranking_flips_moved"):
        for row in whole.table(name).dropna(subset="modified").itertuples():
            for share in (row.confidence, row.modified_confidence, row.flip_confidence):
                assert f"{share:.2f}" in text
    assert "Invariance is not quality" in text


def test_the_search_for_the_shuffle_tries_each_seed(whole, tmp_path):
    study = whole.copy(tmp_path / "study")
    study.run("--cores", "2", "shuffle_search")
    # The data are not the paper's, which prints nothing about them.
    assert study.table("shuffle_search").empty
    assert "No data set is available." in (study.folder / "results/shuffle_search.md").read_text()


def test_another_metric_fits_nothing(whole, tmp_path):
    study = whole.copy(tmp_path / "study")
    study.configure(metrics=[*SMALL["metrics"], "mcc_f1"])
    output = study.run("--cores", "1", "--dry-run", "real_world")
    assert "real_world_tables" in output
    assert "fold_matrices" not in output
    assert "label_ways" not in output


def real(study, *kinds, digits_url="http://127.0.0.1:9/nowhere"):
    """Make a study with files of some formats in its folder."""
    study.configure(real_world=real_data(digits_url))
    return supply(study, *kinds)


def test_a_file_of_the_named_folder_comes_first_and_another_is_downloaded(
    fresh, tmp_path, monkeypatch
):
    (tmp_path / "data.csv").write_bytes(FILES["csv"])
    monkeypatch.setenv("SKEWPROOF_DATA_DIR", str(tmp_path))
    sources = [f"results/real_world/{name}/source.csv" for name in ("cancer", "digits")]
    with serve(FILES["npz"]) as server:
        real(fresh, digits_url=server.url).run("--cores", "2", *sources)
    assert str(tmp_path / "data.csv") in (fresh.folder / sources[0]).read_text()
    assert (fresh.folder / "downloads/data.npz").read_bytes() == FILES["npz"]


def test_a_missing_data_set_is_left_out_with_a_notice_until_it_is_there(fresh):
    output = real(fresh, "csv").run("--cores", "2", "real_world")
    assert "digits is left out. http://127.0.0.1:9/nowhere" in output
    table = fresh.folder / "results/tables/table_11.csv"
    assert list(pd.read_csv(table)) == ["metric", "cancer"]
    for name in ("9", "11", "11_pooled"):
        for ending in ("md", "tex"):
            text = table.with_name(f"table_{name}.{ending}").read_text()
            assert "digits is left out: its data file, data.npz, was not found" in text
            assert "even is left out: it is made from digits" in text
            assert "nowhere" not in text
            assert str(fresh.folder) not in text
    assert set(fresh.table("ranking_flips")["dataset"]) == {"cancer"}

    supply(fresh, "npz").run("--cores", "2", "results/tables/table_11.csv")
    assert list(pd.read_csv(table)) == ["metric", "cancer", "digits", "even"]
    assert "left out" not in table.with_suffix(".md").read_text()


def test_without_any_data(fresh):
    real(fresh).run("--cores", "2", "real_world")
    assert list(pd.read_csv(fresh.folder / "results/tables/table_11.csv")) == ["metric"]
    summary = (fresh.folder / "results/real_world_comparison.md").read_text()
    assert "Of 167 printed entries 5 were computed, and 5 of those agree." in summary
