"""Tanh-sinh quadrature on (0, 1): nodes double exponentially close to the edges.

Takahasi and Mori 1974.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.sensitivity.classifiers import UNIFORM, Classifiers

HALF_NODES = 128
"""Nodes on either side of 1/2. The coarser rule of the error estimate has every second node."""

REACH = 3.45
"""End of the rule in the variable in which it is trapezoidal: the outermost nodes are 3e-22 from
the edges, and what lies beyond is lost in rounding up to 1:10^6."""

WIDTH = REACH / HALF_NODES
"""Distance of the nodes in that variable."""


class Rule(NamedTuple):
    """Nodes in (0, 1), their distances from 1, and weights that add up to 1."""

    nodes: Array
    complements: Array
    weights: Array


@functools.cache
def tanh_sinh(half_nodes: int = HALF_NODES) -> Rule:
    """The quadrature rule with a given number of nodes on either side of 1/2."""
    numbers = np.arange(2 * half_nodes + 1) * (HALF_NODES / half_nodes)
    nodes, complements = sigmoid_nodes(numbers)
    slopes = np.pi * np.cosh((numbers - HALF_NODES) * WIDTH)
    return Rule(nodes, complements, HALF_NODES / half_nodes * WIDTH * slopes * nodes * complements)


def sigmoid_nodes(numbers: ArrayLike) -> tuple[Array, Array]:
    """The rule's nodes by number, or points between them, and their distances from 1.

    Both have full relative precision: 1 - node would lose it.
    """
    exponents = np.pi * np.sinh((np.asarray(numbers) - HALF_NODES) * WIDTH)
    return 1 / (1 + np.exp(-exponents)), 1 / (1 + np.exp(exponents))


def matrices_at_nodes(
    positives: float, negatives: float, classifiers: Classifiers = UNIFORM
) -> ConfusionMatrix:
    """The confusion matrices at all pairs of nodes: rows are those of tp/P, columns of fp/N, or of
    the classifiers' inputs in their places."""
    nodes, complements, _ = tanh_sinh()
    u, fnr, v, tnr = classifiers.rates(
        nodes[:, np.newaxis], complements[:, np.newaxis], nodes, complements
    )
    return ConfusionMatrix.from_rates(
        u, v, positives=positives, negatives=negatives, fnr=fnr, tnr=tnr
    )
