"""Seeds of independent draws, derived from the one seed of a study."""

from __future__ import annotations

import numpy as np


def random_state(seed: int, *numbers: int) -> int:
    """Return a seed for scikit-learn, below 2^32.

    Parameters
    ----------
    seed
        Seed of the study, at least 0.
    numbers
        Numbers that identify these draws in the study, each at least 0.
    """
    return int(np.random.SeedSequence([seed, *numbers]).generate_state(1)[0])
