"""What is asked of the network, on maps of inverse depth of shape (n, 1, h, w)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional as F

LEAST_DEVIATION: Final = 0.02
"""A flat wall is not blown up further than this, on the teacher's scale of about 0 to 1.3."""
SCALES: Final = 4
KNOTS: Final = 16
COARSE: Final = 4
COARSE_GRADIENT: Final = 0.1


@dataclass(frozen=True)
class Weights:
    """How much each part counts."""

    shape: float = 1.0
    gradient: float = 0.25
    order: float = 1.5
    rank: float = 1.0
    scale: float = 2.0
    coarse: float = 0.0


@dataclass(frozen=True)
class Parts:
    """The loss and what it consists of, unweighted; each a tensor with one number."""

    total: Tensor
    shape: Tensor
    gradient: Tensor
    order: Tensor
    rank: Tensor
    scale: Tensor
    coarse: Tensor


def loss(depth: Tensor, label: Tensor, weights: Weights) -> Parts:
    """Compare a map with its label.

    shape : mean difference once scale and shift are taken out (mean and mean absolute deviation), as in MiDaS.
    gradient : its differences between neighbours, at four scales: edges.
    order, rank : see `order_losses`.
    scale : mean difference as it is. It keeps the scale steady from frame to frame.
    coarse : all of this once more for means over `COARSE` pixels each way, with less of the edges; 0 where it does not
        count, since it would take time.
    """
    moved, wanted = standardised(depth), standardised(label)
    error = moved - wanted
    shape = error.abs().mean()
    gradient = torch.zeros((), device=depth.device)
    for level in range(SCALES):
        if level:
            error = F.avg_pool2d(error, 2)
        steps = error.diff(dim=3).abs().mean() + error.diff(dim=2).abs().mean()
        gradient = gradient + steps * 2 ** (level / 2)
    order, rank = order_losses(moved, wanted)
    scale = (depth - label).abs().mean()
    total = weights.shape * shape + weights.gradient * gradient + weights.scale * scale
    total = total + weights.order * order + weights.rank * rank
    coarse = torch.zeros((), device=depth.device)
    if weights.coarse:
        means = F.avg_pool2d(depth, COARSE), F.avg_pool2d(label, COARSE)
        coarse = loss(*means, replace(weights, coarse=0.0, gradient=COARSE_GRADIENT)).total
        total = total + weights.coarse * coarse
    return Parts(total, shape, gradient, order, rank, scale, coarse)


def standardised(depth: Tensor) -> Tensor:
    """Return the map less its mean, divided by its mean absolute deviation, one picture at a time."""
    centred = depth - depth.mean((1, 2, 3), keepdim=True)
    return centred / centred.abs().mean((1, 2, 3), keepdim=True).clamp_min(LEAST_DEVIATION)


def order_losses(depth: Tensor, label: Tensor, knots: int = KNOTS) -> tuple[Tensor, Tensor]:
    """Return the mean difference of ranks, 0 to 1, and six times the mean of its square, which is one less the rank
    correlation; both maps' ranks are read off the label's distribution.

    The distribution is a broken line through `knots` quantiles, so this can be differentiated. What the plain
    difference neglects, far walls and floors that fill a picture within a small part of the range of depth, counts
    here as much as their share of pixels. Both maps are standardised already.
    """
    flat_depth, flat_label = depth.flatten(1), label.flatten(1)
    shares = torch.linspace(0, 1, knots + 1, device=depth.device)
    # Every 7th pixel will do for quantiles, and sorting is what costs.
    edges = torch.quantile(flat_label[:, ::7], shares, dim=1).T
    got, wanted = torch.zeros_like(flat_depth), torch.zeros_like(flat_label)
    for index in range(knots):
        low = edges[:, index : index + 1]
        # A very narrow step (a flat wall) would give its noise a huge slope.
        width = (edges[:, index + 1 : index + 2] - low).clamp_min(0.02)
        got = got + ((flat_depth - low) / width).clamp(0, 1)
        wanted = wanted + ((flat_label - low) / width).clamp(0, 1)
    error = (got - wanted) / knots
    return error.abs().mean(), 6 * error.square().mean()
