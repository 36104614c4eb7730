"""Instruments of the sensitivity analysis, which take a metric and return arrays or a frame."""
