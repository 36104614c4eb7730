import pytest

from skewproof.core.levels import Level
from skewproof.metrics.atlas import ATLAS
from skewproof_studies.choices.points import binormal_curves, chosen

KEYS = ("accuracy", "gilbert_ratio", "f1", "precision", "frequency_bias")


@pytest.fixture(scope="session")
def curves():
    return binormal_curves({"equal": {"d": 2, "b": 1}, "wide": {"d": 2, "b": 0.7}})


@pytest.fixture(scope="session")
def levels():
    return [Level(1, 1), Level(1, 1000)]


@pytest.fixture(scope="session")
def registry():
    return {key: ATLAS[key] for key in KEYS}


@pytest.fixture(scope="session")
def found(registry, curves, levels):
    return chosen(registry.values(), curves, levels, 100)
