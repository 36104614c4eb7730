"""Counts of many slices, the parts of a change between them, and alarms over time."""
