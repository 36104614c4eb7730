"""Counts of scores in bins, through which frames of any size are read."""
