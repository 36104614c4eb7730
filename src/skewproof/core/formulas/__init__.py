"""Users' formulas, which are read as arithmetic and never run as code."""
