"""A second run in a folder is refused until the first one ends, however it ends."""

import os
import signal
import subprocess
import sys

import pytest

from skewproof_studies.pipeline.tracking.one_run import hold

HOLDING = """
import sys, time
from skewproof_studies.pipeline.tracking.one_run import hold
kept = hold(sys.argv[1])
print(kept is not None, flush=True)
time.sleep(60)
"""


@pytest.mark.slow
def test_the_lock_is_dropped_with_the_process(tmp_path):
    path = tmp_path / "run.lock"
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDING, path], stdout=subprocess.PIPE, text=True
    )
    assert other.stdout.readline().strip() == "True"
    assert hold(path) is None
    os.kill(other.pid, signal.SIGKILL)
    other.wait()
    assert hold(path) is not None
