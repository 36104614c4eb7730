"""The command ``skewproof list``."""

import json

from skewproof.metrics import METRICS
from skewproof.metrics.atlas import ATLAS, CATALOG


def test_list_on_the_command_line(run):
    code, output, _ = run("list", "--json")
    assert code == 0
    assert [row["metric"] for row in json.loads(output)] == list(METRICS)
    lines = run("list")[1].splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines[2:] if line[0] != " "] == list(METRICS)
    assert "mcc                                    Matthews correlation coefficient" in lines


def test_the_whole_atlas_is_listed(run):
    code, output, _ = run("list", "--atlas", "--json")
    assert code == 0
    rows = json.loads(output)
    assert [row["metric"] for row in rows] == list(ATLAS)
    assert all(row["name"] and row["source"] for row in rows)


def test_metrics_with_a_word_in_their_names_are_listed(run):
    rows = {row["metric"]: row["name"] for row in json.loads(run("list", "skill", "--json")[1])}
    named = {
        key
        for key, entry in CATALOG.items()
        if any("skill" in one.name.lower() for one in entry.names)
    }
    assert named <= set(rows)
    assert "Peirce skill score" in rows["youden_j"]
    assert max(map(len, run("list", "skill")[1].splitlines())) <= 80
    assert json.loads(run("list", "GP1", "--json")[1])[0]["name"] == "GP13"


def test_a_word_in_no_name(run):
    code, output, errors = run("list", "heidkee")
    assert (code, output) == (2, "")
    assert "no metric has 'heidkee' in its names; did you mean 'cohen_kappa' (Heidke)?" in errors
    assert run("list", "...")[0] == 2
