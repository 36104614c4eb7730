"""The public names, and where they are."""

from ..decisions.decision_display import (
    DecisionCurveDisplay as DecisionCurveDisplay,
)
from ..probabilities.display import (
    ReliabilityDisplay as ReliabilityDisplay,
)
from .class_rates import (
    ClassRatesDisplay as ClassRatesDisplay,
)
from .contours import (
    ContourDisplay as ContourDisplay,
)
from .curves import (
    CurveDisplay as CurveDisplay,
)
from .prevalences import (
    PrevalenceDisplay as PrevalenceDisplay,
)
