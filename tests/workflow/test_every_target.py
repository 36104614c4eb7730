"""Every target on one core, killed repeatedly, compared with an undisturbed run on two cores.

Children and groups are killed, by SIGKILL, SIGTERM and SIGINT, at moments that the seed draws. The
runs differ in locale, time zone, name of the folder and threads of the linear algebra, too.
"""

import os
import signal
import subprocess
import time

import numpy as np
import psutil

from study import EVERY_STUDY, SMALL, TARGETS, Study, supply

KILLS = 4
LONGEST_WAIT = 4.0
"""Largest number of seconds before a run is killed, once it has made a file."""

ELSEWHERE = {"LC_ALL": "C", "TZ": "Asia/Kathmandu", "OPENBLAS_NUM_THREADS": "2"}

SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]


def kill(study, rng):
    """Start a run and kill it, or one of its children, at a random moment."""
    run = study.start("--cores", "1", *TARGETS)
    before, wait = study.count(), rng.uniform(0, LONGEST_WAIT)
    while study.count() == before and run.poll() is None:
        time.sleep(0.02)
    time.sleep(wait)
    number = SIGNALS[rng.integers(len(SIGNALS))]
    one_child = rng.random() < 0.25 and psutil.Process(run.pid).children()
    if run.poll() is None:
        (os.kill if one_child else os.killpg)(one_child[0].pid if one_child else run.pid, number)
    try:
        run.wait(timeout=30)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    study.run("--unlock")


def test_nothing_is_lost_or_half_written_and_no_bit_depends_on_kills_or_cores(whole, tmp_path):
    study = Study.create(tmp_path / "another stüdy", SMALL | EVERY_STUDY, **ELSEWHERE)
    supply(study, "csv", "npz")
    rng = np.random.default_rng(0)
    expected = whole.produced()
    for _ in range(KILLS):
        kill(study, rng)
        for path, content in study.results().items():
            assert content == expected[path], path
    study.run("--cores", "1", *TARGETS)
    assert study.results() == expected
    assert "Nothing to be done" in study.run("--cores", "1", *TARGETS)
