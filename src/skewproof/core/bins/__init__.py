"""Counts of scores in bins, which replace the rows of frames of any size."""
