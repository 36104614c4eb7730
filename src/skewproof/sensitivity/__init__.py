"""Instruments of the analysis: a metric in, arrays or a frame out."""
