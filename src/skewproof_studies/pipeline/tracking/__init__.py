"""Which files and results a run depends on, and who may write them."""
