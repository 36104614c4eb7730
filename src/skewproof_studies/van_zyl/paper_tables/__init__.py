"""The tables in the paper's layout, and their comparison with the printed ones."""
