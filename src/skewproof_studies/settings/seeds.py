"""Seeds of what has its own draws, from the one seed of a study."""

from __future__ import annotations

import numpy as np


def random_state(seed: int, *numbers: int) -> int:
    """A seed as scikit-learn takes it, below 2^32.

    Parameters
    ----------
    seed
        Seed of the study, at least 0.
    numbers
        What tells these draws from the study's others, each at least 0.
    """
    return int(np.random.SeedSequence([seed, *numbers]).generate_state(1)[0])
