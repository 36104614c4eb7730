"""The engines that are compared, each on one study: design, evaluation and indices."""

import dataclasses
import warnings
from typing import NamedTuple

import numpy as np

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.metrics import get_metric
from skewproof_studies.van_zyl.paper import PAPER_METRICS

POSITIVES = 100
CONFIDENCE = 0.95
SEED = 1


def batched(metrics, level, options):
    """Run the package's estimator as in the study: first-order indices and half-widths."""
    from skewproof.sensitivity.sampling.sampled import sobol_indices

    sobol_indices(
        metrics,
        level,
        POSITIVES,
        log2_samples=options.log2_samples,
        resamples=options.resamples,
        confidence=CONFIDENCE,
        seed=SEED,
        total=False,
        threads=options.threads,
    )


def salib(metrics, level, options):
    """Run the plain script: SALib's sample and analyze, one metric at a time."""
    from SALib.analyze import sobol as analysis
    from SALib.sample import sobol as design

    negatives = level.negatives(POSITIVES)
    bounds = [[0, POSITIVES], [0, negatives]]
    problem = {"num_vars": 2, "names": ["tp", "fp"], "bounds": bounds}
    points = design.sample(problem, 2**options.log2_samples, calc_second_order=False, seed=SEED)
    matrix = at(points, negatives)
    for metric in metrics:
        analysis.analyze(
            problem,
            metric(matrix),
            calc_second_order=False,
            num_resamples=options.resamples,
            conf_level=CONFIDENCE,
            seed=SEED,
        )


def scipy(metrics, level, options):
    """Run SciPy's sobol_indices with its own bootstrap."""
    from scipy import stats

    negatives = level.negatives(POSITIVES)
    inputs = [stats.uniform(0, POSITIVES), stats.uniform(0, negatives)]
    for metric in metrics:

        def values(points, metric=metric):
            return np.array(metric(at(points.T, negatives)))  # SciPy changes them in place

        found = stats.sobol_indices(
            func=values,
            n=2**options.log2_samples,
            dists=inputs,
            rng=np.random.default_rng(SEED),
        )
        found.bootstrap(confidence_level=CONFIDENCE, n_resamples=options.resamples)


def openturns(metrics, level, options):
    """Run OpenTURNS' Saltelli estimator with its bootstrap, for all metrics of a level at once."""
    import openturns as ot

    negatives = level.negatives(POSITIVES)
    inputs = ot.JointDistribution([ot.Uniform(0, POSITIVES), ot.Uniform(0, negatives)])
    design = ot.SobolIndicesExperiment(inputs, 2**options.log2_samples).generate()
    matrix = at(np.asarray(design), negatives)
    outputs = ot.Sample(np.column_stack([metric(matrix) for metric in metrics]))
    found = ot.SaltelliSensitivityAlgorithm(design, outputs, 2**options.log2_samples)
    found.setUseAsymptoticDistribution(False)
    found.setBootstrapSize(options.resamples)
    found.setConfidenceLevel(CONFIDENCE)
    for index in range(len(metrics)):
        found.getFirstOrderIndices(index)
    found.getFirstOrderIndicesInterval()


def exact(metrics, level, _):
    """Run the package's quadrature."""
    from skewproof.sensitivity.quadrature.exact import exact_indices

    exact_indices(metrics, positives=POSITIVES, negatives=level.negatives(POSITIVES))


def at(points, negatives):
    """Return the confusion matrices at rows of (tp, fp)."""
    return ConfusionMatrix.from_tp_fp(*points.T, positives=POSITIVES, negatives=negatives)


ENGINES = {
    "batched": (batched, "skewproof.sensitivity.sampling.sampled"),
    "salib": (salib, "SALib.analyze.sobol", "SALib.sample.sobol"),
    "scipy": (scipy, "scipy.stats"),
    "openturns": (openturns, "openturns"),
    "exact": (exact, "skewproof.sensitivity.quadrature.exact"),
}
"""Functions, and the modules that each imports, before it is timed."""


class Study(NamedTuple):
    """Sizes of a study."""

    log2_samples: int = 16
    metrics: int = 24
    """The metrics of the paper, repeated up to this number."""
    levels: int = 5
    """Those of the paper, or so many of 1:1, 1:2, ..."""
    resamples: int = 100
    threads: int = 1
    """Threads of the batched engine."""


def study(engine, sizes):
    """Run an engine on a study."""
    warnings.simplefilter("ignore")
    options = Study(**sizes)
    known = [get_metric(key) for key in PAPER_METRICS]
    metrics = [
        dataclasses.replace(known[index % len(known)], key=f"metric_{index}")
        for index in range(options.metrics)
    ]
    paper = [1, 2, 10, 100, 1000]
    for size in paper if options.levels == len(paper) else range(1, options.levels + 1):
        ENGINES[engine][0](metrics, Level(1, size), options)
