import pandas as pd
import pytest

from skewproof.metrics import METRICS
from skewproof_studies.reporting.table import (
    Table,
    metric_label,
    plain,
    to_csv,
    to_latex,
    to_markdown,
)


@pytest.fixture
def table():
    data = pd.DataFrame({"metric": ["f1", "mcc"], "1:2": ["0.50", "0.25"]})
    display = pd.DataFrame({"Metric": ["$F_1$", "$M$"], "$p$": ["0.50 ± 0.01", "0.25"]})
    bold = pd.DataFrame({"Metric": [False, False], "$p$": [False, True]})
    return Table("A caption.", data, display, bold, notes=("A note on p >= 0.05.",))


def test_csv_is_the_data_and_markdown_the_display_with_caption_and_notes(table):
    assert to_csv(table) == "metric,1:2\nf1,0.50\nmcc,0.25\n"
    assert to_markdown(table).splitlines() == [
        "**A caption.**",
        "",
        "| Metric   | $p$         |",
        "|:---------|:------------|",
        "| $F_1$    | 0.50 ± 0.01 |",
        "| $M$      | **0.25**    |",
        "",
        "A note on p >= 0.05.",
    ]


def test_latex_has_bold_cells_and_notes_below(table):
    text = to_latex(table)
    assert r"$M$ & \bfseries 0.25 \\" in text
    assert r"$F_1$ & 0.50 \pm 0.01 \\" in text
    assert text.index("A note on p $\\ge$ 0.05.") > text.index(r"\bottomrule")
    display = pd.DataFrame({"Name": [plain("5 $_ or 6 $_"), metric_label(METRICS["mcc"])]})
    other = Table("A caption.", display, display)
    assert r"5 \$\_ or 6 \$\_ \\" in to_latex(other)
    assert r"5 \$_ or 6 \$_" in to_markdown(other)
    assert r"| $\mathrm{MCC}$" in to_markdown(other)
