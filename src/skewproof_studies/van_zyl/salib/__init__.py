"""Indices of the study computed by SALib itself."""
