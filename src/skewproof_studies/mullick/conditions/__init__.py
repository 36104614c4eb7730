"""The three conditions of Mullick et al. (Section 4), the measures that satisfy them, and the
lemmas."""
