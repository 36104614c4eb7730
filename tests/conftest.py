"""The number of examples on which laws are tried, and the order of the tests.

Few examples while one works, more in `make test`.
"""

import gc
import itertools
import os
from pathlib import Path

from hypothesis import settings

# Tests run on all cores: further threads of the linear algebra would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("fast", max_examples=4, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=20, deadline=None, derandomize=True)
settings.load_profile("fast")

FOLDERS = ("workflow", "reference", "browser", "unit")
"""Those with the longest tests first."""

FOLDERS_OF_OTHERS = ("reference", "workflow", "browser", "unit")
"""The same for all workers but the first, which would wait for its complete study."""


def pytest_collection_modifyitems(config, items):
    """Start with the longest tests, so that no worker runs one alone at the end.

    Each of n workers gets the same number of consecutive tests and later takes over what another
    has not begun: every n-th file goes to the same worker.
    """
    tests = Path(__file__).parent
    files = [
        (path, list(group)) for path, group in itertools.groupby(items, lambda item: item.path)
    ]
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    dealt = []
    for worker in range(workers):
        order = FOLDERS_OF_OTHERS if worker else FOLDERS
        hand = sorted(
            files[worker::workers],
            key=lambda file: [tests / folder not in file[0].parents for folder in order],
        )
        dealt += [group for _, group in hand]
    items[:] = itertools.chain.from_iterable(dealt)


def pytest_collection_finish():
    """Search what the imports left for garbage no more: a tenth of the time."""
    gc.collect()
    gc.freeze()
