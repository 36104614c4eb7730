"""S. Beddar-Wiesing, A. Moallemy-Oureh, M. Kempkes and J. M. Thomas, Absolute evaluation measures
for machine learning: a survey (2025), arXiv:2507.03392."""
