"""Measures that forget the rarest class, and the imbalance at which they do."""
