"""The public names, and where they are."""

from .costs import (
    cost_curve as cost_curve,
    expected_cost as expected_cost,
)
from .implied import (
    implied_thresholds as implied_thresholds,
)
from .net_benefit import (
    decision_curve as decision_curve,
    useful_thresholds as useful_thresholds,
)
from .promised_threshold import (
    PromisedThreshold as PromisedThreshold,
    choose_threshold as choose_threshold,
)
from .threshold_search import (
    BestThreshold as BestThreshold,
    best_threshold as best_threshold,
)
