"""Declarations of published measures by field, as similarities and as statistics of a table."""
