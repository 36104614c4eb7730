"""The public names, and where they are."""

from .score_size import (
    ScorePlan as ScorePlan,
    plan_scores as plan_scores,
)
from .study_size import (
    Plan as Plan,
    plan as plan,
)
