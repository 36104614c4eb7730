"""Metrics that are not registered, made of a function."""

from skewproof.core.metric import Metric


def made(function, **options):
    name = getattr(function, "__name__", "formula")
    return Metric(name, "m", "made for a test", "here", function, **options)
