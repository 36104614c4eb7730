"""Programs and packages that some tests need and that not every machine has."""

import os
import shutil
from importlib.metadata import version
from importlib.util import find_spec

import pytest


def needs(program, package):
    """Skip a test without a program; in continuous integration, with SKEWPROOF_CI=1, fail it."""
    if shutil.which(program) is None:
        is_missing(f"{program} is not installed: its package is {package}")


def needs_module(module):
    """Skip or fail likewise without a Python package of the dependency group `test`."""
    if find_spec(module) is None:
        is_missing(f"{module} is not installed: the dependency group test brings it")


def needs_version(package, locked):
    """Skip or fail likewise without the locked version; skip if RESOLUTION requires others."""
    if version(package) == locked:
        return
    reason = f"{package} {version(package)} is installed: the lock has {locked}"
    if os.environ.get("RESOLUTION"):
        pytest.skip(reason)
    is_missing(reason)


def is_missing(reason):
    """Skip a test; in continuous integration, where all can be had, fail it."""
    if os.environ.get("SKEWPROOF_CI"):
        pytest.fail(reason)
    pytest.skip(reason)
