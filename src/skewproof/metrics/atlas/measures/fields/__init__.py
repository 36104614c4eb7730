"""Measures of particular fields of use, with a module per field."""
