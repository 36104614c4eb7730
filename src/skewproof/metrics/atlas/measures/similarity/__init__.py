"""Similarity of two sets, truth and calls, with a module for each form of the formula."""
