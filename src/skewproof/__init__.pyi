"""The public names, and where they are."""

from . import (
    curves as curves,
    decisions as decisions,
    metrics as metrics,
    operating_points as operating_points,
    plot as plot,
    probabilities as probabilities,
    sensitivity as sensitivity,
    slices as slices,
    unlabeled as unlabeled,
)
from .audits.auditing import (
    audit as audit,
)
from .audits.choosing.tree import (
    choose as choose,
)
from .audits.finding import (
    find as find,
)
from .audits.printed_scores import (
    printed as printed,
)
from .core.confusion import (
    ConfusionMatrix as ConfusionMatrix,
)
from .core.levels import (
    Level as Level,
)
from .core.metric import (
    Metric as Metric,
    metric as metric,
)
from .core.normalize import (
    normalized as normalized,
)
from .curves.areas.area_interval import (
    area_interval as area_interval,
)
from .decisions.costs import (
    expected_cost as expected_cost,
)
from .decisions.net_benefit import (
    decision_curve as decision_curve,
)
from .decisions.promised_threshold import (
    choose_threshold as choose_threshold,
)
from .decisions.threshold_search import (
    best_threshold as best_threshold,
)
from .evaluation.report_page import (
    report as report,
)
from .inspection.inspection import (
    inspect_predictions as inspect_predictions,
)
from .intervals.label_shift import (
    check_fit as check_fit,
)
from .intervals.metric_interval import (
    interval as interval,
)
from .metrics import (
    atlas as atlas,
)
from .metrics.lookup import (
    get_metric as get_metric,
)
from .multiclass.matrix import (
    MulticlassConfusionMatrix as MulticlassConfusionMatrix,
)
from .planning.study_size import (
    plan as plan,
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
from .probabilities.reliability import (
    calibration_error as calibration_error,
    reliability_curve as reliability_curve,
)
from .probabilities.scores import (
    probability_scores as probability_scores,
)
from .scoring.model_comparison import (
    compare as compare,
)
from .scoring.scoring import (
    get_scorer as get_scorer,
    score as score,
)
from .slices.changes import (
    explain_change as explain_change,
)
from .slices.counting import (
    count_slices as count_slices,
)
from .slices.over_time.drift import (
    watch_drift as watch_drift,
)
from .unlabeled.labeled_estimates import (
    estimate_from_labels as estimate_from_labels,
)
from .unlabeled.labeling import (
    plan_labels as plan_labels,
)
from .unlabeled.prevalence_estimates import (
    estimate_prevalence as estimate_prevalence,
)
from .unlabeled.unlabeled_slices import (
    score_unlabeled as score_unlabeled,
)

__version__: str
__all__: list[str]
