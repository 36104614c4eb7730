"""The public names, and where they are."""

from .audits.auditing import (
    audit as audit,
)
from .audits.choosing.worth import (
    metrics_by_worth as metrics_by_worth,
)
from .audits.finding import (
    find as find,
)
from .core.confusion import (
    ConfusionMatrix as ConfusionMatrix,
)
from .core.formulas.metrics import (
    FormulaError as FormulaError,
    parse_metric as parse_metric,
)
from .core.formulas.symbolic import (
    describe as describe,
)
from .core.levels import (
    DEFAULT_LEVELS as DEFAULT_LEVELS,
    Level as Level,
)
from .core.metric import (
    Metric as Metric,
    UndefinedMetricWarning as UndefinedMetricWarning,
    metric as metric,
)
from .core.normalize import (
    normalized as normalized,
)
from .core.registry import (
    Registry as Registry,
)
from .core.scales import (
    bounded as bounded,
)
from .curves.areas.area import (
    area as area,
)
from .curves.areas.area_interval import (
    area_interval as area_interval,
)
from .curves.areas.binormal import (
    binormal_area as binormal_area,
)
from .curves.areas.chance import (
    chance_area as chance_area,
)
from .curves.areas.roc import (
    multiclass_auc as multiclass_auc,
)
from .curves.bands import (
    curve_bands as curve_bands,
)
from .curves.bins import (
    area_bounds as area_bounds,
    count_scores as count_scores,
)
from .curves.roc_pr_det import (
    det_curve as det_curve,
    equal_error_rate as equal_error_rate,
    interpolated_precision as interpolated_precision,
    precision_recall_curve as precision_recall_curve,
    roc_curve as roc_curve,
)
from .curves.thresholds import (
    mcc_f1_curve as mcc_f1_curve,
    mcc_f1_score as mcc_f1_score,
    threshold_matrices as threshold_matrices,
)
from .decisions.costs import (
    cost_curve as cost_curve,
    expected_cost as expected_cost,
)
from .decisions.decision_display import (
    DecisionCurveDisplay as DecisionCurveDisplay,
)
from .decisions.implied import (
    implied_thresholds as implied_thresholds,
)
from .decisions.net_benefit import (
    decision_curve as decision_curve,
    useful_thresholds as useful_thresholds,
)
from .decisions.promised_threshold import (
    PromisedThreshold as PromisedThreshold,
    choose_threshold as choose_threshold,
)
from .decisions.threshold_search import (
    BestThreshold as BestThreshold,
    best_threshold as best_threshold,
)
from .intervals.label_shift import (
    check_fit as check_fit,
)
from .intervals.metric_interval import (
    interval as interval,
)
from .intervals.model_comparison import (
    compare_models as compare_models,
)
from .metrics import (
    METRICS as METRICS,
    get_metric as get_metric,
)
from .metrics.agreement import (
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
from .metrics.atlas import (
    ATLAS as ATLAS,
    CATALOG as CATALOG,
    undefined_cells as undefined_cells,
)
from .metrics.composite import (
    adjusted_f as adjusted_f,
    adjusted_g_mean as adjusted_g_mean,
    mcc_f1 as mcc_f1,
    mcc_f1_i as mcc_f1_i,
    optimized_precision as optimized_precision,
    optimized_precision_i as optimized_precision_i,
)
from .metrics.diagnostic import (
    balanced_error_rate as balanced_error_rate,
    diagnostic_odds_ratio as diagnostic_odds_ratio,
    discriminant_power as discriminant_power,
    negative_likelihood_ratio as negative_likelihood_ratio,
    positive_likelihood_ratio as positive_likelihood_ratio,
    youden_j as youden_j,
)
from .metrics.precision_recall import (
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
from .metrics.rates import (
    error_rate as error_rate,
    false_discovery_rate as false_discovery_rate,
    false_negative_rate as false_negative_rate,
    false_omission_rate as false_omission_rate,
    false_positive_rate as false_positive_rate,
    negative_predictive_value as negative_predictive_value,
    true_negative_rate as true_negative_rate,
    true_positive_rate as true_positive_rate,
)
from .metrics.sensitivity_specificity import (
    balanced_accuracy as balanced_accuracy,
    g_mean as g_mean,
    hmnc as hmnc,
    iba as iba,
    sensitivity_specificity_harmonic_mean as sensitivity_specificity_harmonic_mean,
    sensitivity_specificity_root_mean as sensitivity_specificity_root_mean,
)
from .multiclass import (
    MEASURES as MEASURES,
    get_measure as get_measure,
)
from .multiclass.conditions import (
    condition_1 as condition_1,
    condition_2 as condition_2,
    condition_3 as condition_3,
)
from .multiclass.declaration import (
    Measure as Measure,
    measure as measure,
)
from .multiclass.matrix import (
    MulticlassConfusionMatrix as MulticlassConfusionMatrix,
)
from .operating_points.curves import (
    BibetaCurve as BibetaCurve,
    BinormalCurve as BinormalCurve,
    EmpiricalCurve as EmpiricalCurve,
    PowerLawCurve as PowerLawCurve,
)
from .operating_points.cutoff_values import (
    cutoffs as cutoffs,
)
from .operating_points.exchange import (
    ExchangeRate as ExchangeRate,
    exchange_rate as exchange_rate,
)
from .operating_points.optimum import (
    BestPoint as BestPoint,
    best_point as best_point,
)
from .operating_points.rarity import (
    best_points as best_points,
    rare_limit as rare_limit,
)
from .planning.study_size import (
    plan as plan,
)
from .plot.class_rates import (
    ClassRatesDisplay as ClassRatesDisplay,
)
from .plot.contours import (
    ContourDisplay as ContourDisplay,
)
from .plot.curves import (
    CurveDisplay as CurveDisplay,
)
from .plot.prevalences import (
    PrevalenceDisplay as PrevalenceDisplay,
)
from .prevalence.adjusting import (
    adjust_probabilities as adjust_probabilities,
)
from .prevalence.prevalence import (
    Prevalence as Prevalence,
)
from .prevalence.projection import (
    project as project,
)
from .probabilities.binormal import (
    binormal_score as binormal_score,
)
from .probabilities.display import (
    ReliabilityDisplay as ReliabilityDisplay,
)
from .probabilities.reliability import (
    calibration_error as calibration_error,
    reliability_curve as reliability_curve,
)
from .probabilities.scores import (
    probability_scores as probability_scores,
)
from .scoring.scoring import (
    get_scorer as get_scorer,
    score_all as score_all,
)
from .sensitivity.behavior_types import (
    behavior_type as behavior_type,
)
from .sensitivity.classifiers import (
    Classifiers as Classifiers,
    MeasuredClassifiers as MeasuredClassifiers,
)
from .sensitivity.label_errors.indices import (
    label_error_indices as label_error_indices,
)
from .sensitivity.label_errors.model import (
    with_label_errors as with_label_errors,
)
from .sensitivity.proofs.invariance import (
    invariance as invariance,
)
from .sensitivity.quadrature.exact import (
    exact_indices as exact_indices,
)
from .sensitivity.sampling.sampled import (
    sobol_indices as sobol_indices,
)
from .sensitivity.surfaces.grid import (
    deviation as deviation,
    surface as surface,
)
from .sensitivity.surfaces.shift import (
    mean_shift as mean_shift,
)
from .slices.changes import (
    explain_change as explain_change,
)
from .slices.counting import (
    count_slices as count_slices,
)
from .slices.over_time.drift import (
    Drift as Drift,
    watch_drift as watch_drift,
)
from .slices.pictures import (
    change_figure as change_figure,
    drift_figure as drift_figure,
)
from .unlabeled.frame_labeling import (
    plan_labels_in_frame as plan_labels_in_frame,
)
from .unlabeled.labeling import (
    estimate_from_labels as estimate_from_labels,
    plan_labels as plan_labels,
)
from .unlabeled.prevalence_estimates import (
    estimate_prevalence as estimate_prevalence,
)
from .unlabeled.unlabeled_figure import (
    unlabeled_figure as unlabeled_figure,
)
from .unlabeled.unlabeled_slices import (
    check_estimates as check_estimates,
    score_unlabeled as score_unlabeled,
)

__version__: str
__all__: list[str]
