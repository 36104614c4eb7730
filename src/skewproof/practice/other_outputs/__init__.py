"""Measures of other outputs: clusterings, ranked lists and regions."""
