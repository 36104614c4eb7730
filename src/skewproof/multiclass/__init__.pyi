"""The public names, and where they are."""

from .conditions import (
    condition_1 as condition_1,
    condition_2 as condition_2,
    condition_3 as condition_3,
)
from .declaration import (
    Measure as Measure,
    measure as measure,
)
from .lookup import (
    MEASURES as MEASURES,
)
from .matrix import (
    MulticlassConfusionMatrix as MulticlassConfusionMatrix,
)
