"""The command ``skewproof list``."""

from skewproof.metrics import METRICS
from skewproof.metrics.atlas import ATLAS, CATALOG


def test_list_on_the_command_line(printed, parsed):
    assert [row["metric"] for row in parsed("list")] == list(METRICS)
    lines = printed("list").splitlines()
    assert [line.split()[0] for line in lines[2:] if line[0] != " "] == list(METRICS)
    assert "mcc                                    Matthews correlation coefficient" in lines


def test_the_whole_atlas_is_listed(parsed):
    rows = parsed("list", "--atlas")
    assert [row["metric"] for row in rows] == list(ATLAS)
    assert all(row["name"] and row["source"] for row in rows)


def test_metrics_with_a_word_in_their_names_are_listed(printed, parsed):
    rows = {row["metric"]: row["name"] for row in parsed("list", "skill")}
    named = {
        key
        for key, entry in CATALOG.items()
        if any("skill" in one.name.lower() for one in entry.names)
    }
    assert named <= set(rows)
    assert "Peirce skill score" in rows["youden_j"]
    assert printed("list", "skill")
    assert parsed("list", "GP1")[0]["name"] == "GP13"
