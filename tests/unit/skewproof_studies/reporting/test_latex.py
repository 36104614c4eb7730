import re

import pandas as pd
import pytest

from skewproof_studies.reporting.latex import LENGTH, escaped, latex_table


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


def test_numbers_are_in_columns_of_siunitx_that_hold_the_longest():
    text = made(
        {
            "Metric": ["$F_1$", "1", "3"],
            "$p$": ["0.5", "-12.25", "undefined"],
            "TP": ["5", "", "100"],
            "$t$": ["0.50 ± 0.01", "1.00 ± 0.12", "0.25 ± 0.00"],
            "Value": ["L2", "1", "2"],
        }
    )
    (kinds,) = re.findall(r"\\begin\{tabular\}\{(.*)\}", text)
    assert re.fullmatch(
        r"lS\[table-format=-2\.2,.*\]S\[table-format=3\.0,.*\]S\[table-format=1\.2\(2\),.*\]l",
        kinds,
    )
    assert r"$F_1$ & 0.5 & 5 & 0.50 \pm 0.01 & L2 \\" in text
    assert r"Metric & {$p$} & {TP} & {$t$} & Value \\" in text
    assert r"1 & -12.25 & {} & 1.00 \pm 0.12 & 1 \\" in text
    assert "{undefined}" in text


def test_bold_numbers_and_bold_text():
    text = made({"Metric": ["a_1"], "p": ["0.5"], "Note": ["b_1"]}, bold=True)
    assert r"\textbf{a\_1} & \bfseries 0.5 & \textbf{b\_1} \\" in text


def test_long_text_wraps():
    text = made({"Type": ["1"], "Metrics": ["$A$, $B$, and many others"]}, notes=("5 %.",))
    assert r"\begin{tabularx}{\linewidth}{l>{\raggedright\arraybackslash}X}" in text
    assert r"\footnotesize 5 \%." in text


@pytest.mark.parametrize(
    ("columns", "expected"),
    [(4, ["table"]), (11, ["sidewaystable"]), (30, ["sidewaystable"] * 3)],
)
def test_a_wide_table_stands_along_the_page_and_goes_on_in_another(columns, expected):
    heads = [rf"$\Sigma_{{(1:{1000 + number})}}$" for number in range(columns)]
    text = made({"Metric": ["$A$"], **{head: ["1679.97"] for head in heads}})
    tables = re.findall(r"\\begin\{(\w*table)\}.*?\\end\{\w*table\}", text, flags=re.DOTALL)
    assert tables == expected
    assert [head for head in heads if head in text] == heads
    assert text.count("(continued)") == len(expected) - 1


def test_one_column_too_wide_for_a_page_stands_alone():
    wide = "9" * int(LENGTH)
    text = made({"Metric": ["$A$"], "a": [wide], "b": [wide]})
    assert text.count(r"\begin{sidewaystable}") == 2
