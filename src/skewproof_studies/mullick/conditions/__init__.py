"""Which measures satisfy the three conditions of Mullick et al. (Section 4), and their lemmas."""
