"""Places where the survey's text and formulas contradict each other or the mathematics, with
evidence."""
