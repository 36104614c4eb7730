"""Samples with known rates, what is true of their population, and whether intervals hold it."""

from typing import Any, NamedTuple

import numpy as np
from pages import standard_error
from scipy import stats

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics import get_metric
from skewproof.prevalence.prevalence import Prevalence


def true_value(key: str, tpr: Any, fpr: Any, share: float) -> float:
    """Compute a metric of a population with rates and a prevalence."""
    matrix = ConfusionMatrix.from_rates(tpr, fpr, positives=share, negatives=1 - share)
    return float(get_metric(key)(matrix))


def holds(low: Array, high: Array, value: Any, slack: float = 0.0) -> Array:
    """Mark intervals that contain a value; ends that miss it by rounding alone count."""
    return np.asarray((low <= value + slack) & (value - slack <= high))


def covering(low: Array, high: Array, value: Any, kept: Any = slice(None)) -> dict[str, float]:
    """Return the share of intervals that contain a value, and their mean width."""
    width = float((high - low)[kept].mean())
    return {"coverage": float(holds(low, high, value)[kept].mean()), "width": width}


def share_of(name: str, marks: Any) -> dict[str, float]:
    """Return the share of marks that are true, and its standard error."""
    share = float(np.mean(marks))
    return {name: share, "standard_error": standard_error(share, len(marks))}


def likely_range(rate: float, samples: int) -> tuple[float, float]:
    """Return the range of 95 % of the shares that are measured if the true one is this rate."""
    low, high = stats.binom(samples, rate).interval(0.95)
    return low / samples, high / samples


def labels(sizes: tuple[int, int], random: np.random.Generator, at: Any = None) -> Array:
    """Draw labels, 1 and 0: of these class sizes, or of a population that has them on average."""
    positives, size = sizes[0], sum(sizes)
    if at == "population":
        positives = int(random.binomial(size, positives / size))
    return np.repeat([1, 0], [positives, size - positives])


def labels_of_both(sizes: tuple[int, int], random: np.random.Generator, at: Any = None) -> Array:
    """Draw labels as they are, or one by one from a population until both classes are there."""
    true = np.repeat([1, 0], sizes)
    while at == "population":
        true = (random.random(sum(sizes)) < sizes[0] / sum(sizes)).astype(int)
        if 0 < true.sum() < true.size:
            break
    return true


def uneven_rates(recalls: Array, evenness: float, random: np.random.Generator) -> Array:
    """Draw rates of a classifier whose misses are spread by a Dirichlet distribution."""
    rates = np.diag(recalls)
    misses = random.dirichlet(np.full(len(recalls) - 1, evenness), len(recalls))
    rates[~np.eye(len(recalls), dtype=bool)] = ((1 - recalls)[:, np.newaxis] * misses).ravel()
    return rates


class Unsure(NamedTuple):
    """A prevalence that another sample shows, that is believed, or that lies in a range."""

    share: float = 0.0
    sample: int = 0
    belief: tuple[float, float] = (1, 1)
    ends: tuple[float, float] = (0, 1)

    @property
    def believed(self) -> Prevalence:
        """Return the belief as a prevalence."""
        return Prevalence.believed(*self.belief)

    def drawn(
        self, kind: str, random: np.random.Generator, size: int | None = None
    ) -> tuple[Prevalence, Any]:
        """Draw what is known of the prevalence, and true ones: for a range either end."""
        if kind == "sampled":
            count = int(random.binomial(self.sample, self.share))
            return Prevalence.sampled(count, self.sample), np.full(size or (), self.share)[()]
        if kind == "believed":
            return self.believed, random.beta(*self.belief, size)
        if kind == "between":
            return Prevalence.between(*self.ends), random.choice(self.ends, size)
        share = Prevalence.given(kind).share
        return Prevalence.given(kind), np.full(size or (), share)[()]
