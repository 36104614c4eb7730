"""The public names, and where they are."""

from .estimates import (
    Interval as Interval,
)
from .metric_interval import (
    interval as interval,
)
