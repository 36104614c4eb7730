from pathlib import Path

import pandas as pd
import pytest

from skewproof.core.formulas.metrics import parse_metric
from skewproof.metrics import METRICS
from skewproof_studies.reporting.table import WRITERS, to_markdown
from skewproof_studies.van_zyl.paper import importance_table_name
from skewproof_studies.van_zyl.paper_tables.tables import all_tables, contour_type_table
from written import check_written

LEVELS = ["1:1", "1:2", "1:50"]
KEYS = ["mcc", "optimized_precision_i", "f1_i"]


@pytest.fixture(scope="module")
def frames():
    """OP_i is rejected at 1:2 only, though its surface never moves; MCC moves at every level."""
    compared = pd.MultiIndex.from_product([LEVELS[1:], KEYS], names=["level", "metric"])
    compared = compared.to_frame(index=False)[["metric", "level"]]
    accepted = (compared["metric"] == KEYS[1]) & (compared["level"] == "1:50")
    p = compared["metric"].map({"mcc": 0.0, "optimized_precision_i": 0.01, "f1_i": 0.98765})
    sigma = 100.726 * (compared["metric"] == "mcc")
    types = [("mcc", "1", "1"), ("optimized_precision_i", "mixed", "5"), ("f1_i", "5", "5")]
    scores = [
        (metric, level, name, s1, 0.0061)
        for level in LEVELS
        for metric in KEYS
        for name, s1 in (("tp", 0.8145), ("fp", 0.1649))
    ]
    points = pd.MultiIndex.from_product([LEVELS, KEYS], names=["level", "metric"])
    points = points.to_frame(index=False).assign(base_points=1024, undefined="omit")
    undefined = (points["level"] == "1:2") & (points["metric"] == "mcc")
    return {
        "scores": pd.DataFrame(scores, columns=["metric", "level", "input", "s1", "s1_conf"]),
        "points": points.assign(undefined_base_points=3 * undefined),
        "p_values": compared.assign(p=p.mask(accepted, 1.0)),
        "deviations": compared.assign(sigma=sigma, points=99, undefined_points=1),
        "types": pd.DataFrame(types, columns=["metric", "importance", "contour"]).melt(
            "metric", var_name="verdict", value_name="type"
        ),
    }


@pytest.fixture(scope="module")
def tables(frames):
    return all_tables(**frames, alpha=0.05, registry=METRICS)


def test_names():
    assert importance_table_name("1:1000") == "a16"
    assert importance_table_name("7:3") == "a_7_3"


@pytest.mark.slow
def test_the_whole_tables(tables):
    """Table 6 says where Table 8 contradicts it; MCC is undefined at three points at 1:2."""
    layouts = {
        f"{name}{kind}": write(table)
        for name, table in tables.items()
        for kind, write in WRITERS.items()
    }
    check_written(Path(__file__).with_name("tables.txt"), **layouts)


@pytest.mark.parametrize(
    ("compared", "rows", "said"),
    [
        (1, ["1", "5"], "no level differs."),
        (3, ["1", "last 2 of 3", "last 1 of 3", "5"], "numbers types for its four levels only."),
        (4, ["1", "2", "3", "4", "5"], "Type k: exactly the last 5 - k levels differ."),
    ],
)
def test_a_table_of_types_has_those_that_there_are(compared, rows, said):
    levels = [f"1:{number}" for number in range(2, compared + 2)]
    deviations = pd.DataFrame({"metric": "f1", "level": levels})
    types = pd.DataFrame([("f1", "contour", "1")], columns=["metric", "verdict", "type"])
    table = contour_type_table(deviations, types, registry=METRICS)
    assert table.data["type"].to_list() == rows
    assert table.notes[0].endswith(said)


@pytest.mark.slow
def test_a_studys_own_metric_has_its_symbol(frames):
    own = METRICS.extended([parse_metric("tp/P", key="mine")])
    renamed = {name: frame.replace({"metric": {"f1_i": "mine"}}) for name, frame in frames.items()}
    tables = all_tables(**renamed, alpha=0.05, registry=own)
    for name in ("5", "6", "7", "8", "a12"):
        assert f"${own['mine'].symbol}$" in to_markdown(tables[name])
