"""Rules of docs/develop/english.md that a program can check."""

import re

from study import PROJECT

FOLDERS = ("src", "workflow", "benchmarks", "docs", "tests")
QUESTION_OR_PREPOSITION = re.compile(
    r'^ *r?"""(?:What|Whether|How|Which|Who|Where|When|Of|To|From|By|For|At|On)\b.*', re.MULTILINE
)


def test_no_docstring_opens_with_a_question_or_a_preposition():
    found = [
        f"{path.relative_to(PROJECT)}: {line}"
        for folder in FOLDERS
        for path in (PROJECT / folder).rglob("*.py")
        for line in QUESTION_OR_PREPOSITION.findall(path.read_text(encoding="utf-8"))
    ]
    assert found == []
