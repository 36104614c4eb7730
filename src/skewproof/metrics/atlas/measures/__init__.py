"""Declarations of published measures: by field, as similarities, as statistics of a table."""
