"""The declarations, one module a family. Importing this fills the registry."""

from skewproof.metrics.agreement import (
    accuracy,
    cohen_kappa,
    cohen_kappa_i,
    laplace,
    laplace_i,
    markedness,
    mcc,
    mcc_i,
    scott_pi,
)
from skewproof.metrics.composite import (
    mcc_f1,
    mcc_f1_i,
    optimized_precision,
    optimized_precision_i,
)
from skewproof.metrics.precision_recall import (
    f1,
    f1_i,
    fowlkes_mallows,
    gilbert_ratio,
    gilbert_ratio_i,
    precision,
    precision_i,
    precision_recall_mean,
    precision_recall_mean_i,
    precision_recall_root_mean,
)
from skewproof.metrics.sensitivity_specificity import (
    balanced_accuracy,
    g_mean,
    hmnc,
    iba,
    sensitivity_specificity_harmonic_mean,
    sensitivity_specificity_root_mean,
)
from skewproof.registry import REGISTRY, get_metric

__all__ = [
    "REGISTRY",
    "accuracy",
    "balanced_accuracy",
    "cohen_kappa",
    "cohen_kappa_i",
    "f1",
    "f1_i",
    "fowlkes_mallows",
    "g_mean",
    "get_metric",
    "gilbert_ratio",
    "gilbert_ratio_i",
    "hmnc",
    "iba",
    "laplace",
    "laplace_i",
    "markedness",
    "mcc",
    "mcc_f1",
    "mcc_f1_i",
    "mcc_i",
    "optimized_precision",
    "optimized_precision_i",
    "precision",
    "precision_i",
    "precision_recall_mean",
    "precision_recall_mean_i",
    "precision_recall_root_mean",
    "scott_pi",
    "sensitivity_specificity_harmonic_mean",
    "sensitivity_specificity_root_mean",
]
