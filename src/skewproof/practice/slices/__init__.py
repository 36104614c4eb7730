"""Counts of many slices, what a change between them consists of, and alarms over time."""
