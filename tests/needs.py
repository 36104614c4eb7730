"""Programs that some tests need and that Python does not bring."""

import os
import shutil

import pytest


def needs(program, package):
    """Skip a test without a program; in continuous integration, with SKEWPROOF_CI=1, fail it."""
    if shutil.which(program) is None:
        reason = f"{program} is not installed: its package is {package}"
        if os.environ.get("SKEWPROOF_CI"):
            pytest.fail(reason)
        pytest.skip(reason)
