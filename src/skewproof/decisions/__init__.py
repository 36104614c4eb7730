"""Decisions at a cut-off: its choice, the promises that can be made of it, and its worth."""
