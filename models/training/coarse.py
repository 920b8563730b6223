"""Training the middle of the network alone, on coarse maps.

Nearly all of what a trained student lacks is the coarse order of a scene: with its map of 20x12 put right, the rank
correlation with the teacher rises from 0.957 to 0.996 (`depth_v2`, clean held-out pictures). A run that asks for 40x24
values, read off where the decoder reaches 1/8, leaves the layers at 1/2 and 1/4 out: a sample takes two thirds of the
time. What follows is fitted to it again by a run of the whole network.
"""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor, nn

from models.training.network import DepthNet

FROZEN: Final = ("stem", "quarter")
"""Parts that run but stay as they are, with the statistics of their normalisation. What comes after 1/8 does not run,
and so gets no gradient."""


class CoarseNet(nn.Module):
    """The network up to 1/8 of its decoder, and a pointwise convolution that reads inverse depth off there.

    Parameters
    ----------
    network : DepthNet
        What is trained, in place.
    """

    def __init__(self, network: DepthNet) -> None:
        super().__init__()
        self.network = network
        self.head = nn.Conv2d(network.shape.decoder[1], 1, 1)
        nn.init.zeros_(self.head.weight)
        nn.init.constant_(self.head.bias, 0.5)

    def forward(self, image: Tensor) -> Tensor:
        """Return inverse depth at an eighth of the picture's size, (n, 1, h/8, w/8)."""
        with torch.no_grad():
            quarter = self.network.quarter(self.network.stem(image))
        y: Tensor = self.head(self.network.at_eighth(quarter))
        return y

    def train(self, mode: bool = True) -> CoarseNet:
        """Switch to training, but for the frozen parts."""
        super().train(mode)
        for name in FROZEN:
            getattr(self.network, name).eval()
        return self
