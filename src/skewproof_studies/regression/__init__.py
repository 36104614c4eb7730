"""Comparison of the tables of a run with stored ones."""
