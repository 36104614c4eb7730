"""The command ``skewproof list``."""

import json

from skewproof.metrics import METRICS


def test_list_on_the_command_line(run):
    code, output, _ = run("list", "--json")
    assert code == 0
    assert [row["metric"] for row in json.loads(output)] == list(METRICS)
    lines = run("list")[1].splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines[2:] if line[0] != " "] == list(METRICS)
    assert "mcc                                    Matthews correlation coefficient" in lines
