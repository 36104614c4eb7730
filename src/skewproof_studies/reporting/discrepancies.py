"""Places where a paper contradicts itself or the mathematics, and the report of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skewproof.reporting.templates import render


@dataclass(frozen=True, kw_only=True)
class Discrepancy:
    """One place where a paper is not what it says."""

    place: str

    printed: str

    meant: str
    """What is meant, or what is so."""

    evidence: str
    """Numbers that show it, computed when the report is made."""

    shown: bool
    """Whether they do."""


def report_of_discrepancies(
    found: Sequence[Discrepancy],
    *,
    title: str,
    kind: str,
    sources: str = "",
    meant: str = "Meant",
) -> str:
    """The discrepancies that the evidence shows, as Markdown.

    Parameters
    ----------
    found
        The known discrepancies, in the order of the report.
    title
        What "Discrepancies in" goes on with.
    kind
        What "places where" goes on with: how the paper contradicts what.
    sources
        What "computed when the report is made" goes on with: from which numbers, if from others
        than the definitions.
    meant
        How what is meant is headed.

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
        discrepancies=[one for one in found if one.shown],
        title=title,
        kind=kind,
        sources=sources,
        meant=meant,
    )
