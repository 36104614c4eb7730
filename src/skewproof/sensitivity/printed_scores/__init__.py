"""Confusion matrices whose scores print as given texts, found by a search that proves the rest."""
