"""Files and results that a run depends on, and the right to write them."""
