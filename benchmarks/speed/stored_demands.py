"""Store the demands of the registered metrics, so that their cards need not compute them.

Run it after a change of a metric, of the default levels or of best points::

    python benchmarks/speed/stored_demands.py > src/skewproof/operating_points/demands.json
"""

import json

from skewproof.core.levels import DEFAULT_LEVELS, DEFAULT_POSITIVES
from skewproof.metrics import METRICS
from skewproof.operating_points.demands import level_row, limit_rows

lines = []
for key, metric in METRICS.items():
    rows = [level_row(metric, level, DEFAULT_POSITIVES) for level in DEFAULT_LEVELS]
    lines.append(f"{json.dumps(key)}: {json.dumps([*rows, *limit_rows(metric)], allow_nan=False)}")
print("{\n" + ",\n".join(lines) + "\n}")
