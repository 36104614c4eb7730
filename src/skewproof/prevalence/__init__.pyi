"""The public names, and where they are."""

from .adjusting import (
    adjust_probabilities as adjust_probabilities,
)
from .prevalence import (
    Prevalence as Prevalence,
)
from .projection import (
    project as project,
)
