"""How near two maps are: order, error after alignment, change from frame to frame, distance of edges. NumPy only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Map = NDArray[np.floating]


def ranks(values: Map) -> NDArray[np.float64]:
    """Return the rank of each value, from 0; equal values share the mean of their ranks."""
    _, group, counts = np.unique(values.ravel(), return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts + 1) / 2)[group]


def spearman(first: Map, second: Map) -> float:
    """Return the rank correlation of two arrays of the same size; 0 if one of them is constant."""
    a, b = ranks(first), ranks(second)
    a, b = a - a.mean(), b - b.mean()
    norm = np.sqrt((a @ a) * (b @ b))
    return float(a @ b / norm) if norm else 0.0


def aligned(depth: Map, target: Map) -> NDArray[np.float64]:
    """Return `depth`, scaled and shifted to come closest to `target` in the least-squares sense."""
    columns = np.stack([depth.ravel(), np.ones(depth.size)], 1).astype(np.float64)
    solution, *_ = np.linalg.lstsq(columns, target.ravel().astype(np.float64), rcond=None)
    return (columns @ solution).reshape(depth.shape)


def error_of_range(depth: Map, target: Map) -> float:
    """Return the mean error after alignment as a share of the target's range."""
    return float(np.abs(aligned(depth, target) - target).mean() / max(float(np.ptp(target)), 1e-9))


def frame_change(before: Map, after: Map, *, span: float) -> float:
    """Return the mean change from one frame to the next, the second aligned to the first, as a share of `span`."""
    return float(np.abs(aligned(after, before) - before).mean() / max(span, 1e-9))
