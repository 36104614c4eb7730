"""The public names, and where they are."""

from ..core.data.frames import (
    GroupsWarning as GroupsWarning,
)
from .changes import (
    explain_change as explain_change,
)
from .counting import (
    count_slices as count_slices,
)
from .over_time.drift import (
    Drift as Drift,
    watch_drift as watch_drift,
)
from .pictures import (
    plot_changes as plot_changes,
)
