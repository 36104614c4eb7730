"""The public names, and where they are."""

from .model_comparison import (
    Difference as Difference,
    compare as compare,
)
from .scoring import (
    get_scorer as get_scorer,
    score as score,
)
