"""Rules of docs/develop/english.md that a program can check."""

import ast
import re

import pytest

from study import PROJECT

FOLDERS = ("src", "workflow", "benchmarks", "docs", "tests")

QUESTION_OR_PREPOSITION = re.compile(
    r"(What|Whether|How|Which|Who|Where|When|Of|To|From|By|For|At|On)\b"
)


def documented(tree):
    """Yield the docstrings and the strings below constants of a module, with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.lineno, node.value.value


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
def test_no_docstring_opens_with_a_question_or_a_preposition(folder):
    found = [
        f"{path.relative_to(PROJECT)}:{line}: {text.splitlines()[0]}"
        for path in (PROJECT / folder).rglob("*.py")
        for line, text in documented(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(text, str) and QUESTION_OR_PREPOSITION.match(text)
    ]
    assert found == []
