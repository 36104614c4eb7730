"""How many examples the laws are tried on: few while one works, more in `make test`."""

import gc
import os

from hypothesis import settings

# Tests run on all cores: further threads of the linear algebra would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("fast", max_examples=4, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=20, deadline=None, derandomize=True)
settings.load_profile("fast")


def pytest_collection_finish():
    """Search what the imports left for garbage no more: a tenth of the time."""
    gc.collect()
    gc.freeze()
