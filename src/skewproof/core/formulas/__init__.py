"""Formulas that users write: read as arithmetic, never run as code."""
