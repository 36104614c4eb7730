"""Labels, scores or a formula in, an answer out."""
