"""The public names, and where they are."""

from .binormal import (
    binormal_score as binormal_score,
)
from .reliability import (
    calibration_error as calibration_error,
    reliability_curve as reliability_curve,
)
from .scores import (
    probability_scores as probability_scores,
)
