"""Declarations of published measures, a module for each field or form."""
