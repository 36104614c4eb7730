"""Study of the atlas: every published binary measure, its equivalents, and the effect of prevalence
on it. The study reproduces no paper; the measures are those of :mod:`skewproof.metrics.atlas`."""
