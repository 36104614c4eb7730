"""The public names, and where they are."""

from .inspection import (
    Inspection as Inspection,
    inspect_predictions as inspect_predictions,
)
