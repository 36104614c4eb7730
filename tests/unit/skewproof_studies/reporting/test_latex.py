from pathlib import Path

import pandas as pd
import pytest

from skewproof_studies.reporting.latex import LENGTH, escaped, latex_table
from written import check_written


def made(display, bold=False, **options):
    frame = pd.DataFrame(display)
    flags = pd.DataFrame(bold, frame.index, frame.columns)
    return latex_table(frame, flags, **{"caption": "A caption.", "notes": ()} | options)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a_b & 5 % #1", r"a\_b \& 5 \% \#1"),
        (r"$x_1$ of x_1, $\mathrm{a}$", r"$x_1$ of x\_1, $\mathrm{a}$"),
        ("p >= 1, < 2, <= 3 ± 4", r"p $\ge$ 1, $<$ 2, $\le$ 3 $\pm$ 4"),
        ("π·κ", r"$\pi$$\cdot$$\kappa$"),
        (r"{\a} ~ ^", r"\{\textbackslash{}a\} \textasciitilde{} \textasciicircum{}"),
        ("5 $", r"5 \$"),
        (r"5 \$ or 6 \$", r"5 \$ or 6 \$"),
        (r"\$_ $y_1$", r"\$\_ $y_1$"),
    ],
)
def test_text_is_escaped_and_mathematics_is_not(text, expected):
    assert escaped(text) == expected


NUMBERS = {
    "Metric": ["$F_1$", "1", "3"],
    "$p$": ["0.5", "-12.25", "undefined"],
    "TP": ["5", "", "100"],
    "$t$": ["0.50 ± 0.01", "1.00 ± 0.12", "0.25 ± 0.00"],
    "Value": ["L2", "1", "2"],
}
LONG = {"Type": ["1"], "Metrics": ["$A$, $B$, and many others"]}
WIDE = "9" * int(LENGTH)


def columns(number):
    heads = [rf"$\Sigma_{{(1:{1000 + column})}}$" for column in range(number)]
    return {"Metric": ["$A$"], **{head: ["1679.97"] for head in heads}}


def test_tables():
    """A wide table stands along the page, or goes on in others, and text wraps if it is long."""
    check_written(
        Path(__file__).with_name("latex.txt"),
        numbers=made(NUMBERS),
        bold=made({"Metric": ["a_1"], "p": ["0.5"], "Note": ["b_1"]}, bold=True),
        long_text=made(LONG, notes=("5 %.",)),
        four_columns=made(columns(4)),
        eleven_columns=made(columns(11)),
        thirty_columns=made(columns(30)),
        a_column_wider_than_a_page=made({"Metric": ["$A$"], "a": [WIDE], "b": [WIDE]}),
    )
