"""The public names, and where they are."""

from ..intervals.label_shift import (
    check_fit as check_fit,
)
from .labeled_estimates import (
    estimate_from_labels as estimate_from_labels,
)
from .labeling import (
    plan_labels as plan_labels,
)
from .prevalence_estimates import (
    estimate_prevalence as estimate_prevalence,
)
from .unlabeled_figure import (
    plot_estimates as plot_estimates,
)
from .unlabeled_slices import (
    check_estimates as check_estimates,
    score_unlabeled as score_unlabeled,
)
