"""Slices in time: periods, drift, and when something changed."""
