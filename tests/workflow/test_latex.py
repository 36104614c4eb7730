"""Every table of a small run, and some that it does not have, in one LaTeX document."""

import re
import subprocess

import pandas as pd
from needs import needs

from skewproof.core.formulas.metrics import parse_metric
from skewproof.metrics import METRICS
from skewproof_studies.reporting.latex import PACKAGES
from skewproof_studies.reporting.table import to_latex
from skewproof_studies.van_zyl.paper_tables.tables import deviation_table, p_value_table
from skewproof_studies.van_zyl.real_data.tables import (
    characteristics_table,
    missing_notes,
    value_table,
)

TOLERATED = 0.1
"""Points by which a line may be too wide: rounding of lengths."""

OWN_KEY = "a_key_of_ones_own"


def tables_of_12_levels():
    """Make Tables 5 and 7 of all metrics and a user's own, printed with all digits."""
    registry = METRICS.extended([parse_metric("tp/P", key=OWN_KEY)])
    levels = [f"1:{10**6 - number}" for number in range(11)]
    rows = [(key, level) for level in levels for key in registry]
    frame = pd.DataFrame(rows, columns=["metric", "level"])
    deviations = frame.assign(sigma=9876.54, points=10_000, undefined_points=12)
    p_values = frame.assign(p=[0.5 if key == OWN_KEY else 0.0 for key, _ in rows])
    return [
        deviation_table(deviations, registry=registry),
        p_value_table(p_values, alpha=0.05, registry=registry),
    ]


def tables_of_missing_data():
    """Make Tables 9 and 11 with characters that are special in LaTeX."""
    datasets = {"my_data": {"name": "100 % & $5 #1_{a}^~\\"}, "half": {"undersampled": "other_1"}}
    datasets["other_1"] = {}
    sources = pd.DataFrame(
        [("my_data", "a.npz", "a.npz"), ("other_1", "x_%1.npz", None)],
        columns=["dataset", "file", "path"],
    )
    notes = missing_notes(sources, datasets)
    characteristics = pd.DataFrame(
        [("my_data", 41188, 62, 4640, "Some & others 2014, doi:10.1/a_b%20c")],
        columns=["dataset", "instances", "attributes", "positives", "reference"],
    )
    values = pd.DataFrame(
        [("my_data", "f1", 0.5), ("my_data", "mcc", float("nan"))],
        columns=["dataset", "metric", "value"],
    )
    names = {"my_data": datasets["my_data"]["name"]}
    return [
        characteristics_table(characteristics, names, notes=notes),
        value_table(values, caption="Of real data.", notes=notes, registry=METRICS),
        value_table(values.iloc[:0], caption="Of none.", notes=notes, registry=METRICS),
    ]


def test_latex_sets_every_table_within_the_page(whole, tmp_path):
    needs("pdflatex", "texlive-science")
    produced = {
        path: content.decode()
        for path, content in whole.produced().items()
        if path.endswith(".tex")
    }
    assert {f"results/tables/table_{name}.tex" for name in ("5", "9", "10", "11")} <= set(produced)
    texts = list(produced.values())
    texts += map(to_latex, [*tables_of_12_levels(), *tables_of_missing_data()])
    document = "\n".join(
        [
            r"\documentclass{article}",
            PACKAGES,
            r"\begin{document}",
            *(text + r"\clearpage" for text in texts),
            r"\end{document}",
        ]
    )
    (tmp_path / "tables.tex").write_text(document)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    log = (tmp_path / "tables.log").read_text(errors="replace")
    wide = re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)", log)
    assert [float(points) for points in wide if float(points) > TOLERATED] == []
    assert "Missing character" not in log
