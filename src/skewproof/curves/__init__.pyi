"""The public names, and where they are."""

from .areas.area import (
    area as area,
)
from .areas.area_interval import (
    area_interval as area_interval,
)
from .areas.binormal import (
    binormal_area as binormal_area,
)
from .areas.chance import (
    chance_area as chance_area,
)
from .areas.roc import (
    multiclass_auc as multiclass_auc,
)
from .bands import (
    curve_bands as curve_bands,
)
from .bins import (
    area_bounds as area_bounds,
    count_scores as count_scores,
)
from .precision_recall import (
    interpolated_precision as interpolated_precision,
    precision_recall_curve as precision_recall_curve,
)
from .thresholds import (
    equal_error_rate as equal_error_rate,
    mcc_f1_curve as mcc_f1_curve,
    mcc_f1_score as mcc_f1_score,
    threshold_matrices as threshold_matrices,
)
