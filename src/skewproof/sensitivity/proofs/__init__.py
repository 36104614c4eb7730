"""Proofs and counterexamples of identities, invariance and orderings."""
