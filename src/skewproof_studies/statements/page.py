"""The pages of statements, written by ``python -m skewproof_studies.statements.page``.

Run in the project's folder, the command writes ``docs/guide/what_others_say.md`` with all verdicts,
a page for each subject into ``docs/guide/statements``, and the pictures into ``docs/images``.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from matplotlib import rc_context

from skewproof.reporting.style import STYLE
from skewproof.reporting.templates import render
from skewproof_studies.statements.all_statements import SUBJECTS
from skewproof_studies.statements.statement import Decision, Statement

PICTURE = "what_others_say_"
"""Prefix of the file names of the pictures."""

MOST_AUTHORS = 3
"""Largest number of authors that are all named in the table at the top."""

VERDICTS = {
    "proved": "proved",
    "true if": "true if …",
    "false": "false: counterexample",
    "cannot be tested as stated": "cannot be tested as stated",
}
"""Displayed texts of the verdicts."""


@dataclass(frozen=True)
class Decided:
    """A statement and the decision on it, as displayed on the page."""

    statement: Statement
    decision: Decision

    @property
    def heading(self) -> str:
        """The claim as a heading."""
        return self.statement.claim.removesuffix(".")

    @property
    def anchor(self) -> str:
        """Anchor that MyST gives the heading."""
        return re.sub(r"[^\w\- ]", "", self.heading.lower()).replace(" ", "-")

    @property
    def short_source(self) -> str:
        """Authors of the source, without initials, and its first year."""
        match = re.match(r"(.*?),? \(?((?:18|19|20)\d\d)\b", self.statement.source)
        if match is None:
            return self.statement.source
        authors = re.sub(r",(?: |-)(?:[A-Z]\.[ -]?)+", "", match[1]).replace(", and ", " and ")
        names = re.split(r",? and |, ", authors)
        many = len(names) > MOST_AUTHORS or names[-1] in ("others", "et al.")
        return f"{names[0]} et al. {match[2]}" if many else f"{authors} {match[2]}"

    @property
    def source(self) -> str:
        """The source with links."""
        text = re.sub(
            r"arXiv:(\d+\.\d+)", r"[arXiv:\1](https://arxiv.org/abs/\1)", self.statement.source
        )
        return re.sub(
            r"\bdoi:(10\.\S+?)(?=[.,;]?(?:\s|$))", r"[doi:\1](https://doi.org/\1)", text
        ).removesuffix(".")

    @property
    def verdict(self) -> str:
        """The verdict as displayed."""
        return VERDICTS[self.statement.verdict]

    @property
    def picture(self) -> str | None:
        """Name of the picture's file, or None."""
        return None if self.decision.figure is None else f"{PICTURE}{self.statement.name}.png"


def decided(subjects: Mapping[str, Sequence[Statement]]) -> dict[str, list[Decided]]:
    """Return statements with the decisions on them, by subject."""
    return {
        subject: [Decided(entry, entry.decide()) for entry in statements]
        for subject, statements in subjects.items()
    }


def file_name(subject: str) -> str:
    """Return the file name of a subject's page.

    Examples
    --------
    >>> file_name("Areas under curves")
    'areas_under_curves.md'
    """
    return f"{subject.lower().replace(' ', '_')}.md"


def statement_pages(subjects: Mapping[str, Sequence[Decided]]) -> dict[str, str]:
    """Write the pages in Markdown, by their paths in the guide."""
    folder = "skewproof_studies.statements"
    files = {subject: f"statements/{file_name(subject)}" for subject in subjects}
    verdicts = render(folder, "verdicts.md.jinja", subjects=subjects, files=files)
    return {"what_others_say.md": verdicts} | {
        files[subject]: render(folder, "page.md.jinja", subject=subject, statements=statements)
        for subject, statements in subjects.items()
    }


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="the folder of the pages")
    folder = parser.parse_args().docs
    subjects = decided(SUBJECTS)
    for old in (folder / "guide/statements").glob("*.md"):
        old.unlink()
    for name, text in statement_pages(subjects).items():
        page = folder / "guide" / name
        page.parent.mkdir(exist_ok=True)
        page.write_text(text, encoding="utf-8")
    for old in (folder / "images").glob(f"{PICTURE}*.png"):
        old.unlink()
    for entry in (entry for statements in subjects.values() for entry in statements):
        if entry.decision.figure is not None and entry.picture is not None:
            with rc_context(STYLE):
                entry.decision.figure.savefig(
                    folder / "images" / entry.picture, metadata={"Software": None}
                )


if __name__ == "__main__":
    main()
