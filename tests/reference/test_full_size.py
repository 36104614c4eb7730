"""The study at the paper's size: the paper's claims, and the stored results of an earlier run."""

import sys
from pathlib import Path

import pandas as pd
import pytest

from skewproof_studies.regression import main
from study import PROJECT, Study

sys.path.insert(0, str(PROJECT / "docs/filling"))
import markers
from values import VALUES

STORED = Path(__file__).parent / "results"

TABLES = [path.stem for path in STORED.glob("*.csv")] + [
    *("comparison", "verdicts", "scrambles", "half_widths", "salib_agreement", "orderings")
]

pytestmark = pytest.mark.full_size


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The results of a full run."""
    study = Study.create(tmp_path_factory.mktemp("full") / "study", {})
    study.run(
        "--cores", "2", *(f"results/{name}.csv" for name in TABLES), "results/discrepancies.md"
    )
    return study.folder / "results"


@pytest.fixture(scope="session")
def results(folder):
    """The tables of a full run, by name."""
    return {path.stem: pd.read_csv(path, dtype={"printed": str}) for path in folder.glob("*.csv")}


def test_results_are_the_stored_ones_and_those_of_the_pages(folder, capsys):
    assert main([str(folder), str(STORED)]) == 0, capsys.readouterr().out
    stored = {
        name.removeprefix("van_zyl."): value
        for name, value in markers.stored_values().items()
        if name.startswith("van_zyl.")
    }
    found = VALUES["van_zyl"](folder)
    assert {name: float(found[name]) for name in stored} == pytest.approx(stored, rel=1e-6)


def test_tables_5_to_8_are_as_printed_but_for_optimized_precision_i(results):
    comparison = results["comparison"]
    assert len(comparison) == 840
    assert comparison["agrees"].notna().all()
    of_types = comparison["table"].isin(["5", "6"])
    odd = of_types & (comparison["metric"] == "optimized_precision_i")
    others = comparison[comparison["table"].isin(["5", "6", "7", "8"]) & ~odd]
    assert others["agrees"].all()
    sigma = comparison[comparison["table"] == "7"]
    nonzero = sigma["printed"] != "0.0"
    assert nonzero.sum() == 48
    assert (sigma.loc[~nonzero, "computed"].astype(float) < 1e-9).all()


def test_scores_of_the_appendix(results):
    """They are within their half-widths, and exact indices come out to the digit but for one."""
    comparison = results["comparison"]
    appendix = comparison[comparison["table"].isin(["a12", "a13", "a14", "a15", "a16"])]
    scores = appendix[appendix["column"].isin(["tp", "fp"])]
    assert len(scores) == 240
    assert scores["agrees"].sum() >= 230
    missed = scores[~scores["exact_agrees"].astype(bool)]
    assert missed[["table", "metric", "column"]].to_numpy().tolist() == [["a16", "mcc_f1", "tp"]]
    numbers = appendix.astype({"computed": float, "printed": float}).pivot(
        index=["table", "metric"], columns="column", values=["computed", "printed"]
    )
    computed, printed = numbers["computed"], numbers["printed"]
    for name in ("tp", "fp"):
        distance = (computed[name] - printed[name]).abs()
        assert (distance <= computed[f"{name}_half_width"] + 0.01).all()
    exact = results["exact_importance"]
    assert len(exact) == 24 * 5 * 2
    assert exact["error_estimate"].max() <= 1e-12


def test_the_verdicts_agree_but_for_optimized_precision_i(results):
    verdicts = results["verdicts"]
    assert len(verdicts) == 24 * 4
    assert set(verdicts.loc[~verdicts["agree"], "metric"]) == {"optimized_precision_i"}
    proven = verdicts[["paper_contour", "symbolic", "exact", "statistical"]]
    assert (proven.nunique(axis=1) == 1).all()
    assert (proven["symbolic"] == "same").sum() == 12 * 4
    (row,) = results["scrambles"].itertuples()
    assert row.metric == "optimized_precision_i"
    assert row.rejections > row.pairs / 2


def test_salib_agrees(results):
    agreement = results["salib_agreement"]
    quantities = agreement.groupby("quantity")
    assert quantities.size().to_dict() == {"s1": 24 * 5 * 2, "s1_conf": 5 * 2}
    half_widths = quantities.get_group("s1_conf")
    assert half_widths.groupby("level")["metric"].nunique().eq(1).all()
    assert agreement["difference"].abs().max() <= 1e-12
    scores = results["importance_scores"].melt(
        ["metric", "level", "input"], ["s1", "s1_conf"], "quantity", "score"
    )
    both = agreement.merge(scores, on=["metric", "level", "input", "quantity"], validate="1:1")
    is_index = both["quantity"] == "s1"
    assert (both["score"] == both["salib"].where(is_index, both["ours"])).all()


def test_the_robust_metrics_are_nine_orderings(results):
    orderings = results["orderings"]
    assert len(orderings) == 12
    groups = orderings.groupby("ordering")["metric"].agg(set)
    assert len(groups) == 9
    assert sorted(map(sorted, groups[groups.map(len) > 1])) == [
        ["balanced_accuracy", "cohen_kappa_i", "sensitivity_specificity_root_mean"],
        ["f1_i", "gilbert_ratio_i"],
    ]
