"""The public names, and where they are."""

from ..core.formulas.metrics import (
    parse_metric as parse_metric,
)
from ..core.formulas.reader import (
    FormulaError as FormulaError,
)
from ..core.formulas.symbolic import (
    describe as describe,
)
from ..core.metric import (
    UndefinedMetricWarning as UndefinedMetricWarning,
)
from ..core.registry import (
    Registry as Registry,
)
from ..core.scales import (
    bounded as bounded,
)
from . import (
    atlas as atlas,
)
from .agreement import (
    accuracy as accuracy,
    cohen_kappa as cohen_kappa,
    cohen_kappa_i as cohen_kappa_i,
    laplace as laplace,
    laplace_i as laplace_i,
    markedness as markedness,
    mcc as mcc,
    mcc_i as mcc_i,
    scott_pi as scott_pi,
)
from .composite import (
    adjusted_f as adjusted_f,
    adjusted_g_mean as adjusted_g_mean,
    mcc_f1 as mcc_f1,
    mcc_f1_i as mcc_f1_i,
    optimized_precision as optimized_precision,
    optimized_precision_i as optimized_precision_i,
)
from .diagnostic import (
    balanced_error_rate as balanced_error_rate,
    diagnostic_odds_ratio as diagnostic_odds_ratio,
    discriminant_power as discriminant_power,
    negative_likelihood_ratio as negative_likelihood_ratio,
    positive_likelihood_ratio as positive_likelihood_ratio,
    youden_j as youden_j,
)
from .lookup import (
    get_metric as get_metric,
)
from .precision_recall import (
    f0_5 as f0_5,
    f1 as f1,
    f1_i as f1_i,
    f2 as f2,
    f_beta as f_beta,
    fowlkes_mallows as fowlkes_mallows,
    gilbert_ratio as gilbert_ratio,
    gilbert_ratio_i as gilbert_ratio_i,
    precision as precision,
    precision_i as precision_i,
    precision_recall_mean as precision_recall_mean,
    precision_recall_mean_i as precision_recall_mean_i,
    precision_recall_root_mean as precision_recall_root_mean,
)
from .rates import (
    error_rate as error_rate,
    false_discovery_rate as false_discovery_rate,
    false_negative_rate as false_negative_rate,
    false_omission_rate as false_omission_rate,
    false_positive_rate as false_positive_rate,
    negative_predictive_value as negative_predictive_value,
    true_negative_rate as true_negative_rate,
    true_positive_rate as true_positive_rate,
)
from .registered import (
    METRICS as METRICS,
)
from .sensitivity_specificity import (
    balanced_accuracy as balanced_accuracy,
    g_mean as g_mean,
    hmnc as hmnc,
    iba as iba,
    sensitivity_specificity_harmonic_mean as sensitivity_specificity_harmonic_mean,
    sensitivity_specificity_root_mean as sensitivity_specificity_root_mean,
)
