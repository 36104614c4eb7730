"""The public names, and where they are."""

from ..core.levels import (
    DEFAULT_LEVELS as DEFAULT_LEVELS,
    Level as Level,
)
from .behavior_types import (
    behavior_type as behavior_type,
)
from .classifiers import (
    Classifiers as Classifiers,
    MeasuredClassifiers as MeasuredClassifiers,
)
from .label_errors.indices import (
    label_error_indices as label_error_indices,
)
from .label_errors.model import (
    with_label_errors as with_label_errors,
)
from .proofs.invariance import (
    invariance as invariance,
)
from .quadrature.exact import (
    exact_indices as exact_indices,
)
from .sampling.sampled import (
    sobol_indices as sobol_indices,
)
from .surfaces.grid import (
    deviation as deviation,
    surface as surface,
)
from .surfaces.shift import (
    mean_shift as mean_shift,
)
