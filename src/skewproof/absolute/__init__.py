"""The survey's other absolute measures, help in choosing one, and what imbalance does to them.

S. Beddar-Wiesing, A. Moallemy-Oureh, M. Kempkes and J. M. Thomas, *Absolute evaluation measures for
machine learning: a survey*, 2025. Equation numbers in this package are theirs.
"""
