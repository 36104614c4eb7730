"""Probabilities where a classifier will run: adjusted, scored, and checked for calibration."""
