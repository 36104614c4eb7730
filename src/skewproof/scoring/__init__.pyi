"""The public names, and where they are."""

from .difference import (
    Difference as Difference,
)
from .model_comparison import (
    compare as compare,
)
from .scoring import (
    get_scorer as get_scorer,
    score as score,
)
