"""The public names, and where they are."""

from .study_size import (
    Plan as Plan,
    plan as plan,
)
