"""How many positives and negatives a study needs."""
