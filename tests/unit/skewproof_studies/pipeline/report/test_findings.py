"""Findings in the report."""

from pathlib import Path

from skewproof_studies.pipeline.report.findings import findings_text
from skewproof_studies.pipeline.report.page import html_of_markdown
from written import check_written

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
mcc,importance,last 2 of 3
mcc,contour,mixed
"""

TEXTS = {
    "comparison.csv": COMPARISON,
    "verdicts.csv": VERDICTS,
    "behavior_types.csv": TYPES,
    "real_world_comparison.csv": "agrees\nTrue\n\nFalse\n",
    "ranking_flips.csv": "flips,of\nTrue,1\n,1\nFalse,1\n",
    "burduk/comparison.csv": "agrees\nTrue\n",
    "tharwat/examples.csv": "agrees\nFalse\n",
    "mullick/conditions.csv": "index,agrees\na,True\nb,\n",
    "discrepancies.md": "# Discrepancies in A\n\n## 1. Here\n\n## 2. There\n\n## Others\n",
}


def test_the_findings_of_each_table_and_the_targets_that_were_not_run():
    each = {path: findings_text({path: text}) for path, text in TEXTS.items()}
    every = findings_text(TEXTS)
    check_written(Path(__file__).with_name("findings.txt"), **each, of_all=every)
    # Each finding is an item of a list.
    html = html_of_markdown(every)
    assert html.count("<li>") == every.count("- **") >= len(TEXTS)
    assert html.count("<ul>") == 1
