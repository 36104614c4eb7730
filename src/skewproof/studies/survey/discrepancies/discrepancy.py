"""What a discrepancy is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Discrepancy:
    """One place where the survey is not what it says."""

    place: str

    printed: str

    meant: str
    """What is meant, or what is so."""

    evidence: str
    """Numbers that show it, computed when the report is made."""

    shown: bool
    """Whether they do."""
