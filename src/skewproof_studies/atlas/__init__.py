"""The atlas: every published measure of two classes, what it equals, and what prevalence does to
it. No paper is behind it; the measures are those of :mod:`skewproof.metrics.atlas`."""
