"""Tanh-sinh quadrature on (0, 1), whose nodes are double exponentially close to the edges.

The method is that of Takahasi and Mori 1974.
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
"""Number of nodes on either side of 1/2. The coarser rule of the error estimate has every second
node."""

REACH = 3.45
"""End of the rule in the variable in which it is trapezoidal. The outermost nodes are 3e-22 from
the edges; the rest is below rounding up to 1:10^6."""

WIDTH = REACH / HALF_NODES
"""Distance of the nodes in that variable."""


class Rule(NamedTuple):
    """Nodes in (0, 1), their distances from 1, and weights that add up to 1."""

    nodes: Array
    complements: Array
    weights: Array


@functools.cache
def tanh_sinh(half_nodes: int = HALF_NODES) -> Rule:
    """Build the quadrature rule with a given number of nodes on either side of 1/2."""
    numbers = np.arange(2 * half_nodes + 1) * (HALF_NODES / half_nodes)
    nodes, complements = sigmoid_nodes(numbers)
    slopes = np.pi * np.cosh((numbers - HALF_NODES) * WIDTH)
    return Rule(nodes, complements, HALF_NODES / half_nodes * WIDTH * slopes * nodes * complements)


def sigmoid_nodes(numbers: ArrayLike) -> tuple[Array, Array]:
    """Compute the rule's nodes by number, or points between them, and their distances from 1.

    Both have full relative precision: 1 - node would lose it.
    """
    exponents = np.pi * np.sinh((np.asarray(numbers) - HALF_NODES) * WIDTH)
    return 1 / (1 + np.exp(-exponents)), 1 / (1 + np.exp(exponents))


def matrices_at_nodes(
    positives: float, negatives: float, classifiers: Classifiers = UNIFORM
) -> ConfusionMatrix:
    """Build the confusion matrices at all pairs of nodes.

    Rows have the nodes of tp/P and columns those of fp/N, or of the classifiers' two inputs.
    """
    nodes, complements, _ = tanh_sinh()
    square = nodes[:, np.newaxis], complements[:, np.newaxis], nodes, complements
    return classifiers.matrices(square, positives, negatives)
