"""Proofs and counterexamples: identities, invariance, orderings."""
