"""TensorFlow Lite's block-sparse constants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.convert.graph import Constant


@dataclass(frozen=True)
class Level:
    """One level of the tree in which a sparse tensor is stored.

    Parameters
    ----------
    axis : int
        Which dimension this level walks along. Numbers from the tensor's rank upwards are positions inside a block.
    size : int or None
        Number of children where all are stored; None where only some are.
    segments, indices : sequence of int
        Where only some are stored: the children of node k are entries ``segments[k]`` to ``segments[k + 1]`` of
        `indices`, which holds their positions.
    """

    axis: int
    size: int | None
    segments: Sequence[int] = ()
    indices: Sequence[int] = ()


def densify(values: Constant, shape: Sequence[int], levels: Sequence[Level], block_axes: Sequence[int]) -> Constant:
    """Expand a sparse constant to its dense array.

    Parameters
    ----------
    values : ndarray, shape (N,)
        The values that are stored, in the order of the tree's leaves.
    shape : sequence of int
        Shape of the dense array.
    levels : sequence of Level
        From the root to the leaves.
    block_axes : sequence of int
        Dimension of the tensor that each dimension of a block lies along; empty without blocks.

    Returns
    -------
    ndarray
        The dense array, zero where nothing is stored.
    """
    rank = len(shape)
    nodes: NDArray[np.int64] = np.zeros((1, rank), np.int64)
    block = np.ones(rank, np.int64)
    for level in levels:
        if level.axis >= rank and level.size is not None:
            block[block_axes[level.axis - rank]] = level.size
    for level in levels:
        if level.size is not None:
            counts = np.full(len(nodes), level.size)
            places = np.tile(np.arange(level.size), len(nodes))
        else:
            bounds = np.asarray(level.segments, np.int64)
            counts = np.diff(bounds[: len(nodes) + 1])
            places = np.asarray(level.indices, np.int64)[: int(counts.sum())]
        nodes = np.repeat(nodes, counts, axis=0)
        if level.axis < rank:
            nodes[:, level.axis] += places * block[level.axis]
        else:
            nodes[:, block_axes[level.axis - rank]] += places
    dense = np.zeros(tuple(shape), values.dtype)
    dense[tuple(nodes.T)] = values[: len(nodes)]
    return dense
