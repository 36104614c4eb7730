"""Readers and checks of a configuration that all studies share."""
