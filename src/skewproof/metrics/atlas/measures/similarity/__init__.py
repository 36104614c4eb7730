"""Similarity of two sets, truth and calls: a module for each form that the formula has."""
