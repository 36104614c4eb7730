"""The public names, and where they are."""

from .auditing import (
    audit as audit,
)
from .card import (
    Card as Card,
)
from .choosing.tree import (
    choose as choose,
)
from .choosing.worth import (
    metrics_by_worth as metrics_by_worth,
)
from .finding import (
    Finding as Finding,
    find as find,
)
from .printed_scores import (
    Explanation as Explanation,
    PrintedMeans as PrintedMeans,
    PrintedScores as PrintedScores,
    printed as printed,
    printed_means as printed_means,
)
