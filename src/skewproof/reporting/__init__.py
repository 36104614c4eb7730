"""Layout without a paper: tables, figures, printed numbers, and texts from templates."""
