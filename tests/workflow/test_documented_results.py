"""Every result is an input of its target, which makes it again if it was removed, and is documented
with its columns."""

import re

import pandas as pd

from study import PROJECT, TARGETS, messages

INPUTS = """
include: "Snakefile"

for name in {targets!r}:
    for path in getattr(rules, name).input:
        print("an input:", path)
"""

STEPS = re.compile(
    r"results/(batches|indices|real_world)/"
    r"|results/mullick/(sensitivity|crossings|experiment/\w+)/\w+\.csv"
)
"""Files from which results are made."""

PAGE = (PROJECT / "docs/reference/outputs.md").read_text(encoding="utf-8")
COLUMNS = re.compile(r"\| `(results/[\w/]+\.csv)`[^|]* \| `((?:\w+, )+\w+)`:")
"""A file and all of its columns on the page of results."""

OF_NO_STUDY = {"results/README.md", "figures/README.md"}
OF_ITSELF = {"results/shuffle_search.csv"}
"""Results of a rule that is its own target."""


def test_every_result_is_an_input_of_a_target_that_makes_it_again(whole, tmp_path):
    study = whole.copy(tmp_path / "study")
    results = {path for path in study.produced() if not STEPS.match(path)}
    for name in ("orderings", "replicates", "robustness_ranking"):
        (study.folder / f"results/{name}.csv").unlink()
    (study.folder / "inputs.smk").write_text(INPUTS.format(targets=TARGETS))
    output = study.run("--snakefile", "inputs.smk", "--dry-run", "--cores", "1", "conclusions")
    inputs = set(re.findall(r"^an input: (.*)$", output, flags=re.MULTILINE))
    assert len(results) > 100
    assert results <= inputs
    documented = set(re.findall(r"`((?:results|figures)/[\w/]+\.(?:csv|md|json))`", PAGE))
    assert len(documented) > 50
    assert documented - OF_NO_STUDY - OF_ITSELF <= inputs
    assert {
        "Finding which of the metrics of the rates order classifiers alike",
        "Estimating the indices of every scramble at all levels",
        "Ranking the metrics by how much imbalance changes them",
    } <= set(messages(output))


def test_tables_have_the_documented_columns(whole):
    documented = dict(COLUMNS.findall(PAGE))
    assert len(documented) > 20
    for path, columns in documented.items():
        if path not in OF_ITSELF:
            assert ", ".join(pd.read_csv(whole.folder / path, nrows=0)) == columns, path
