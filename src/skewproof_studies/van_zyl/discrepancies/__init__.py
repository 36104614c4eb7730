"""Where the paper's text, formulas and tables contradict each other, with evidence to recompute."""
