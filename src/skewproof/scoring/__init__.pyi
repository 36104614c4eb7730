"""The public names, and where they are."""

from ..intervals.model_comparison import (
    Difference as Difference,
)
from .scoring import (
    get_scorer as get_scorer,
)
