"""Mullick et al. reproduced: conditions on performance measures under imbalance.

S. S. Mullick, S. Datta, S. G. Dhekane, S. Das, *Appropriateness of performance indices for
imbalanced data classification: An analysis*, Pattern Recognition 102 (2020), 107197.
"""
