"""Layout of results: tables, figures, printed numbers, and texts from templates."""
