"""The public names, and where they are."""

from .curves import (
    BibetaCurve as BibetaCurve,
    BinormalCurve as BinormalCurve,
    EmpiricalCurve as EmpiricalCurve,
    PowerLawCurve as PowerLawCurve,
)
from .cutoff_values import (
    cutoffs as cutoffs,
)
from .exchange import (
    ExchangeRate as ExchangeRate,
    exchange_rate as exchange_rate,
)
from .optimum import (
    BestPoint as BestPoint,
    best_point as best_point,
)
from .rarity import (
    best_points as best_points,
    rare_limit as rare_limit,
)
