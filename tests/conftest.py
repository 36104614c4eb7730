"""How many examples the laws are tried on: few while one works, more in `make test`."""

import gc
import os

from hypothesis import settings

# Tests run on all cores: further threads of the linear algebra would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("fast", max_examples=4, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=20, deadline=None, derandomize=True)
settings.load_profile("fast")


def pytest_collection_modifyitems(items):
    """What takes longest comes first, so that no core waits for it in the end."""
    items.sort(key=lambda item: "every_target" not in item.nodeid)


def pytest_collection_finish():
    """Search what the imports left for garbage no more: a tenth of the time."""
    gc.collect()
    gc.freeze()
