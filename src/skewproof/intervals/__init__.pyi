"""The public names, and where they are."""

from .estimates import (
    Interval as Interval,
)
from .grouped.correlations import (
    design_effect as design_effect,
    intraclass_correlation as intraclass_correlation,
)
from .metric_interval import (
    interval as interval,
)
