"""Indices and shifts over other classifiers than all: what of the ranking stays, and what must."""
