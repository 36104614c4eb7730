"""Findings in the report."""

import pytest

from skewproof_studies.pipeline.report.findings import findings_text
from skewproof_studies.pipeline.report.page import html_of_markdown


def sentences(texts):
    return " ".join(findings_text(texts).split())


COMPARISON = """table,metric,column,printed,computed,agrees,exact,exact_agrees
a12,f1,tp,0.80,0.81,False,0.8,True
a12,f1,fp,0.20,0.21,False,0.21,False
a12,f1,ratio,4.00,4.0,True,4.0,True
7,f1,1:2,9.0,,,,
"""

VERDICTS = """metric,level,symbolic,agree
f1,1:2,differs,True
f1,1:10,same,False
g_mean,1:2,same,True
g_mean,1:10,same,True
mcc,1:2,undecided,True
mcc,1:10,same,True
"""

TYPES = """metric,verdict,type
f1,importance,1
f1,contour,5
g_mean,importance,5
g_mean,contour,5
"""

CASES = {
    "comparison.csv": (
        COMPARISON,
        [
            "1 of the 3 numbers that the paper prints and this study computes agree; the paper"
            " prints 4 in all.",
            "1 of 2 printed importance scores agree with the exact indices to the printed digit.",
        ],
    ),
    "verdicts.csv": (
        VERDICTS,
        [
            "Of 3 metrics 1 are proved to mean the same at every level, and 1 are shown",
            "agree in 5 of 6 cases",
        ],
    ),
    "behavior_types.csv": (
        TYPES,
        ["by contours.** 2 of type 5.", "importance scores.** 1 of type 1, 1 of type 5."],
    ),
    "real_world_comparison.csv": ("agrees\nTrue\n\nFalse\n", ["1 of the 2 printed entries"]),
    "ranking_flips.csv": ("flips,of\nTrue,1\n,1\nFalse,1\n", ["classifiers in 1 of 2 cases"]),
    "burduk/comparison.csv": ("agrees\nTrue\n", ["1 of the 1 printed numbers"]),
    "tharwat/examples.csv": ("agrees\nFalse\n", ["0 of the 1 printed numbers"]),
    "mullick/conditions.csv": (
        "index,agrees\na,True\nb,\n",
        ["The paper says 1 times whether an index meets a condition. 1 of these"],
    ),
    "discrepancies.md": (
        "# Discrepancies in a paper\n\n## 1. Here\n\n- x\n\n## 2. There\n\n## Not counted\n",
        ["mathematics: 2 in a paper."],
    ),
}


@pytest.mark.parametrize("path", CASES)
def test_the_numbers_are_those_of_the_table_and_of_no_other(path):
    text, expected = CASES[path]
    page = sentences({path: text})
    for sentence in expected:
        assert sentence in page
    others = [said for other in CASES if other != path for said in CASES[other][1]]
    assert not [said for said in others if said in page and said not in expected]


def test_it_names_the_targets_that_were_not_run():
    page = sentences({"verdicts.csv": VERDICTS, "tharwat/examples.csv": "agrees\nTrue\n"})
    assert "not run: real-world, burduk, mullick, mullick-experiment, survey." in page
    assert "for example `make real-world`" in page
    # Each finding is an item of a list.
    for paths in ([], ["comparison.csv"], list(CASES)):
        text = findings_text({path: CASES[path][0] for path in paths})
        html = html_of_markdown(text)
        assert html.count("<li>") == text.count("- **") >= len(paths)
        assert html.count("<ul>") == (1 if paths else 0)
