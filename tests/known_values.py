"""Every registered metric at tp = 9, fp = 4, fn = 3, tn = 20 (P = 12, N = 24), by hand."""

from math import log, pi, sqrt

MCC = ((9 * 20 - 4 * 3) / sqrt(13 * 12 * 24 * 23) + 1) / 2
MCC_I = ((3 / 4 * 5 / 6 - 1 / 6 * 1 / 4) / sqrt((3 / 4 + 1 / 6) * (5 / 6 + 1 / 4)) + 1) / 2
F1 = 18 / (18 + 3 + 4)
F1_I = (6 / 4) / (6 / 4 + 1 / 4 + 1 / 6)

KNOWN_VALUES = {
    "accuracy": (9 + 20) / 36,
    "gilbert_ratio": 9 / (9 + 3 + 4),
    "balanced_accuracy": (3 / 4 + 5 / 6) / 2,
    "f1": F1,
    "cohen_kappa": (2 * (9 * 20 - 4 * 3) / (13 * 24 + 12 * 23) + 1) / 2,
    "laplace": (9 + 1) / (9 + 4 + 2),
    "mcc": MCC,
    "markedness": (9 / 13 + 20 / 23) / 2,
    "fowlkes_mallows": sqrt(9 / 13 * 9 / 12),
    "optimized_precision": (29 / 36 - (5 / 6 - 3 / 4) / (5 / 6 + 3 / 4) + 1) / 2,
    "mcc_f1": 1 - sqrt((F1 - 1) ** 2 + (MCC - 1) ** 2) / sqrt(2),
    "g_mean": sqrt(3 / 4 * 5 / 6),
    "iba": (1 + 3 / 4 - 5 / 6) * 3 / 4 * 5 / 6,
    "gilbert_ratio_i": (3 / 4) / (3 / 4 + 1 / 4 + 1 / 6),
    "f1_i": F1_I,
    "cohen_kappa_i": (3 / 4 + 5 / 6) / 2,
    "laplace_i": (3 * 3 / 4 + 3) / (3 / 4 + 1 / 6 + 2) - 1,
    "mcc_i": MCC_I,
    "optimized_precision_i": ((3 / 4 + 5 / 6) / 2 - (1 / 12) / (19 / 12) + 1) / 2,
    "mcc_f1_i": 1 - sqrt((F1_I - 1) ** 2 + (MCC_I - 1) ** 2) / sqrt(2),
    "precision": 9 / 13,
    "precision_i": (3 / 4) / (3 / 4 + 1 / 6),
    "precision_recall_mean_i": ((3 / 4) / (3 / 4 + 1 / 6) + 3 / 4) / 2,
    "precision_recall_mean": (9 / 13 + 9 / 12) / 2,
    "precision_recall_root_mean": sqrt((9 / 13 + 9 / 12) / 2),
    "sensitivity_specificity_harmonic_mean": 2 / (4 / 3 + 6 / 5),
    "hmnc": 9 * 20 * 36 / ((9 + 20) * 12 * 24),
    "scott_pi": (
        (29 / 36 - ((25 / 72) ** 2 + (47 / 72) ** 2)) / (1 - ((25 / 72) ** 2 + (47 / 72) ** 2)) + 1
    )
    / 2,
    "sensitivity_specificity_root_mean": sqrt((3 / 4 + 5 / 6) / 2),
    "error_rate": 7 / 36,
    "true_positive_rate": 9 / 12,
    "true_negative_rate": 20 / 24,
    "false_positive_rate": 4 / 24,
    "false_negative_rate": 3 / 12,
    "negative_predictive_value": 20 / 23,
    "false_discovery_rate": 4 / 13,
    "false_omission_rate": 3 / 23,
    "positive_likelihood_ratio": 9 / 2,
    "negative_likelihood_ratio": 3 / 10,
    "diagnostic_odds_ratio": 15,
    "youden_j": 7 / 12,
    "discriminant_power": sqrt(3) / pi * (log(9 / 2) + log(10 / 3)),
    "balanced_error_rate": 5 / 24,
    "mcc_unscaled": (9 * 20 - 4 * 3) / sqrt(13 * 12 * 24 * 23),
    "markedness_unscaled": 9 / 13 + 20 / 23 - 1,
    "f2": 5 * (9 / 13 * 3 / 4) / (4 * 9 / 13 + 3 / 4),
    "f0_5": 1.25 * (9 / 13 * 3 / 4) / (0.25 * 9 / 13 + 3 / 4),
    "adjusted_f": sqrt(45 / (45 + 4 * 3 + 4) * 100 / (100 + 4 + 4 * 3)),
    "adjusted_g_mean": (sqrt(3 / 4 * 5 / 6) + 5 / 6 * 24) / (1 + 24),
}

INVARIANT = {
    "balanced_accuracy",
    "balanced_error_rate",
    "cohen_kappa_i",
    "diagnostic_odds_ratio",
    "discriminant_power",
    "f1_i",
    "false_negative_rate",
    "false_positive_rate",
    "g_mean",
    "gilbert_ratio_i",
    "iba",
    "laplace_i",
    "mcc_f1_i",
    "mcc_i",
    "negative_likelihood_ratio",
    "optimized_precision_i",
    "positive_likelihood_ratio",
    "precision_i",
    "precision_recall_mean_i",
    "sensitivity_specificity_harmonic_mean",
    "sensitivity_specificity_root_mean",
    "true_negative_rate",
    "true_positive_rate",
    "youden_j",
}
"""Functions of the rates alone: the metrics of Type 5 in Tables 6 and 8, and others like them."""
