"""Places where a paper contradicts itself or the mathematics, and the report of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skewproof.reporting.templates import render


@dataclass(frozen=True, kw_only=True)
class Discrepancy:
    """A place where a paper contradicts itself or the mathematics."""

    place: str

    printed: str

    meant: str
    """Intended or true statement."""

    evidence: str
    """Numbers that show the discrepancy, computed when the report is made."""

    shown: bool
    """True if the numbers show it."""


def report_of_discrepancies(
    discrepancies: Sequence[Discrepancy],
    *,
    title: str,
    kind: str,
    sources: str = "",
    meant: str = "Meant",
) -> str:
    """Write the discrepancies that the evidence shows as Markdown.

    Parameters
    ----------
    discrepancies
        The known discrepancies, in the order of the report.
    title
        Rest of the heading after "Discrepancies in".
    kind
        Rest of the sentence after "places where": what the paper contradicts, and how.
    sources
        Words after "computed when the report is made": the numbers used, unless these are
        definitions only.
    meant
        Label of what is meant.

    Examples
    --------
    >>> slip = Discrepancy(
    ...     place="Eq. 1", printed="1 + 1 = 3.", meant="2.", evidence=f"{1 + 1}.", shown=1 + 1 != 3
    ... )
    >>> text = report_of_discrepancies([slip], title="a paper", kind="a sum is wrong")
    >>> print("\\n".join(text.splitlines()[4:]))
    ## 1. Eq. 1
    <BLANKLINE>
    - Printed: 1 + 1 = 3.
    - Meant: 2.
    - Evidence: 2.
    """
    return render(
        "skewproof_studies.reporting",
        "discrepancies.md.jinja",
        discrepancies=[discrepancy for discrepancy in discrepancies if discrepancy.shown],
        title=title,
        kind=kind,
        sources=sources,
        meant=meant,
    )
