"""Decisions at a cut-off: which to choose, what may be promised of it, and what it is worth."""
