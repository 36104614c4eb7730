import os
import subprocess
import sys

import numpy as np
import pytest
from made_metrics import made

from skewproof.core.algebra import sqrt
from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.sensitivity.sampling import resampling
from skewproof.sensitivity.sampling.resampling import BLOCK
from skewproof.sensitivity.sampling.saltelli import saltelli_blocks
from skewproof.sensitivity.sampling.sampled import sobol_indices

OPTIONS = {"resamples": 100, "confidence": 0.95, "seed": 0}


def indices(metrics, level="1:1", *, log2_samples=12, positives=100, **options):
    return sobol_indices(
        metrics, Level.parse(level), positives, log2_samples=log2_samples, **OPTIONS | options
    )


def design(level="1:1", *, log2_samples=12, seed=0):
    blocks = saltelli_blocks(Level.parse(level), 100, log2_samples=log2_samples, seed=seed)
    shape = (2, 2, min(BLOCK, 2**log2_samples))
    return [(np.broadcast_to(c.tp, shape), np.broadcast_to(c.fp, shape)) for c in blocks]


def test_each_level_and_seed_has_its_own_scramble():
    designs = [design(), design("1:2"), design("2:1"), design(seed=1)]
    assert len({blocks[0][0].tobytes() for blocks in designs}) == 4
    np.testing.assert_array_equal(design(), design())


def test_half_width_grows_with_confidence():
    narrow, wide = (indices([METRICS["f1"]], confidence=level).s1_conf for level in (0.5, 0.99))
    assert (wide > narrow).all()


@pytest.mark.slow
def test_a_metric_does_not_depend_on_its_company():
    alone = indices([METRICS["mcc"]], log2_samples=14)
    together = indices([METRICS["f1"], METRICS["mcc"], METRICS["iba"]], log2_samples=14)
    for one, many in zip(alone, together, strict=True):
        np.testing.assert_allclose(many[1], one[0], rtol=0, atol=1e-13)


@made
def root(c):
    """Take a root, undefined where tpr < 1/8: in A or AB_fp (the same tp), or in B or AB_tp."""
    with np.errstate(invalid="ignore"):
        return sqrt(c.tpr - 1 / 8) * (1 + c.tnr)


def test_without_total_indices_the_others_are_the_same():
    metrics = [METRICS["f1"], METRICS["mcc"]]
    whole, first_order = (indices(metrics, total=total) for total in (True, False))
    np.testing.assert_allclose(first_order.s1, whole.s1, rtol=0, atol=1e-14)
    np.testing.assert_allclose(first_order.s1_conf, whole.s1_conf, rtol=0, atol=1e-14)
    assert np.isnan([first_order.st, first_order.st_conf]).all()


@pytest.mark.parametrize(("salib_draws", "undefined"), [(0, "error"), (2**27, "omit"), (0, 0.5)])
@pytest.mark.slow
def test_threads_do_not_change_a_bit(monkeypatch, salib_draws, undefined):
    monkeypatch.setattr(resampling, "SALIB_DRAWS", salib_draws)
    metrics = [METRICS["mcc"], METRICS["f1"]] + [root] * (undefined != "error")
    options = {"log2_samples": 15, "resamples": 3, "undefined": undefined}  # eight chunks
    alone, together = (indices(metrics, "1:10", threads=threads, **options) for threads in (1, 3))
    for ours, theirs in zip(together, alone, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.slow
def test_half_widths_of_counts_drawn_by_block_are_those_of_salibs(monkeypatch):
    """Standard deviations over 2000 resamples: their standard error is 1/sqrt(4000) of them."""
    metrics, options = [METRICS["mcc"], METRICS["f1"]], {"resamples": 2000, "log2_samples": 13}
    salibs = indices(metrics, "1:10", **options)
    monkeypatch.setattr(resampling, "SALIB_DRAWS", 0)
    drawn = indices(metrics, "1:10", **options)
    np.testing.assert_array_equal(drawn.s1, salibs.s1)
    np.testing.assert_allclose(drawn.s1_conf, salibs.s1_conf, rtol=4 * np.sqrt(2 / 4000))
    assert (drawn.s1_conf != salibs.s1_conf).all()


def test_undefined_values_are_counted_and_refused():
    blocks = design("1:2", log2_samples=13)  # two chunks
    count = sum(np.count_nonzero((tp / 100 < 1 / 8).any(axis=(0, 1))) for tp, _ in blocks)
    expected = rf"^root is undefined at {count} of 8192 base points at 1:2: "
    with pytest.raises(ValueError, match=expected):
        indices([METRICS["f1"], root], "1:2", log2_samples=13)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.nan, "never is undefined at every base point"),
        (1 / 3, r"never is constant \(0\.33"),
    ],
)
def test_what_has_no_indices_is_refused(value, message):
    @made
    def never(c):
        return 0 * c.tp + value

    with pytest.raises(ValueError, match=message):
        indices([never], undefined="omit")


PRINT_INDICES = """
import numpy as np
import scipy.special
from threadpoolctl import threadpool_limits
from skewproof import Level
from skewproof.metrics import METRICS
from skewproof.sensitivity import sobol_indices

options = {"log2_samples": 10, "resamples": 20, "undefined": 0.0, "seed": 1}
metrics = [metric for metric in METRICS.values() if metric.bounds == (0, 1)]
for threads in (1, 2, 4):
    with threadpool_limits(threads):
        found = sobol_indices(metrics, Level(1, 2), 100, **options)
    print(np.concatenate(found[:4]).tobytes().hex())
"""


@pytest.mark.slow
def test_threads_of_the_linear_algebra_change_no_bit_and_its_kernels_agree():
    """OpenBLAS alone would split these products among threads.

    A processor of another kind has a kernel of its own; `make kernels` compares pages.
    """
    indices = []
    for kernel in ("Haswell", "Nehalem"):
        printed = subprocess.run(
            [sys.executable, "-c", PRINT_INDICES],
            env=os.environ | {"OPENBLAS_CORETYPE": kernel, "OPENBLAS_NUM_THREADS": "4"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        assert len(printed) == 3
        assert len(set(printed)) == 1
        indices.append(np.frombuffer(bytes.fromhex(printed[0])))
    np.testing.assert_allclose(*indices, rtol=1e-9, atol=1e-12)
