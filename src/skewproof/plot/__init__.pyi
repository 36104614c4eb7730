"""The public names, and where they are."""

from .class_rates import (
    ClassRatesDisplay as ClassRatesDisplay,
)
from .curves import (
    CurveDisplay as CurveDisplay,
)
from .decision_curves import (
    DecisionCurveDisplay as DecisionCurveDisplay,
)
from .differences import (
    DifferencesDisplay as DifferencesDisplay,
)
from .forest import (
    ForestDisplay as ForestDisplay,
)
from .funnels import (
    FunnelDisplay as FunnelDisplay,
)
from .metric_displays import (
    ContourDisplay as ContourDisplay,
    PrevalenceDisplay as PrevalenceDisplay,
)
from .reliability import (
    ReliabilityDisplay as ReliabilityDisplay,
)
