"""The student: convolutions, ReLUs, sums and bilinear enlargements, nothing else.

All of these stay in ONNX Runtime's blocked layout and have twins in TensorFlow Lite. There multiply-adds count most,
so the encoder is a plain one: dense 3x3 convolutions with stride 2 where few channels meet many pixels, and residual
blocks of one depthwise and two pointwise convolutions. A block has no activation after its sum, which lets the sum be
taken into its last convolution.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass(frozen=True)
class Shape:
    """Widths and depths.

    Parameters
    ----------
    encoder : tuple of int
        Channels at 1/2, 1/4, 1/8, 1/16 and 1/32 of the input; multiples of 8, better of 16.
    blocks : tuple of int
        Residual blocks at 1/4 to 1/32.
    kernels : tuple of int
        Sides of their depthwise kernels.
    hidden : tuple of int
        Channels inside them.
    decoder : tuple of int
        Channels at 1/16, 1/8, 1/4 and 1/2.
    decoder_kernels : tuple of int
        Sides of the decoder's depthwise kernels at 1/16, 1/8 and 1/4.
    """

    encoder: tuple[int, int, int, int, int] = (16, 32, 48, 96, 128)
    blocks: tuple[int, int, int, int] = (0, 2, 3, 3)
    kernels: tuple[int, int, int, int] = (3, 3, 3, 5)
    hidden: tuple[int, int, int, int] = (64, 80, 160, 256)
    decoder: tuple[int, int, int, int] = (64, 48, 32, 8)
    decoder_kernels: tuple[int, int, int] = (3, 3, 3)


DEEP: Final = Shape(kernels=(3, 3, 5, 5), decoder_kernels=(5, 5, 3))
"""What `depth_v1` and `depth_v2` are. The smaller kernels of `Shape()` save 3 % of the time."""
SLIM: Final = Shape(blocks=(0, 2, 3, 2), kernels=(3, 3, 5, 5), decoder_kernels=(5, 5, 5))
"""What `slim_gentle` and `slim_long` are. `DEEP` has a third block at 1/32 (3 % of the time) and a smaller kernel at
1/4, whose rim can go for 0.0004 of rank correlation and saves about 2 %. What each does for the result was not measured
on its own."""
V0: Final = Shape(
    blocks=SLIM.blocks,
    kernels=SLIM.kernels,
    hidden=(64, 96, 192, 256),
    decoder=(64, 48, 32, 16),
    decoder_kernels=(5, 5, 5),
)
"""The network of the first release. Half as many channels at the half size and a sixth fewer hidden ones cost it 0.0007
of rank correlation before any further training, see `warm_start`."""


class Unit(nn.Module):
    """Convolution and batch normalisation, then ReLU if wanted."""

    def __init__(
        self, channels_in: int, channels_out: int, kernel: int = 1, stride: int = 1, groups: int = 1, relu: bool = True
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels_out, kernel, stride, kernel // 2, groups=groups, bias=False)
        self.norm = nn.BatchNorm2d(channels_out)
        self.relu = relu

    def forward(self, x: Tensor) -> Tensor:
        """Return the features, of the stride's size."""
        y: Tensor = self.norm(self.conv(x))
        return F.relu(y) if self.relu else y


class Block(nn.Module):
    """A residual block: depthwise, pointwise to more channels, and back."""

    def __init__(self, channels: int, hidden: int, kernel: int) -> None:
        super().__init__()
        self.depthwise = Unit(channels, channels, kernel, groups=channels, relu=False)
        self.widen = Unit(channels, hidden)
        self.narrow = Unit(hidden, channels, relu=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return the input plus what was learnt."""
        return x + self.narrow(self.widen(self.depthwise(x)))


class Merge(nn.Module):
    """A step of the decoder: narrow, enlarge by two, add the encoder's features of that size, and mix."""

    def __init__(self, channels_in: int, skip: int, channels_out: int, kernel: int) -> None:
        super().__init__()
        self.narrow = Unit(channels_in, channels_out, relu=False)
        self.fit = Unit(skip, channels_out, relu=False) if skip != channels_out else nn.Identity()
        self.depthwise = Unit(channels_out, channels_out, kernel, groups=channels_out, relu=False)
        self.mix = Unit(channels_out, channels_out)

    def forward(self, x: Tensor, skip: Tensor) -> Tensor:
        """Return features of the size of `skip`."""
        return self.mix(self.depthwise(enlarged(self.narrow(x)) + self.fit(skip)))


class DepthNet(nn.Module):
    """From RGB in 0..1, (n, 3, h, w), to inverse depth before the final ReLU, (n, 1, h/2, w/2).

    The sides of the input are multiples of 32.
    """

    def __init__(self, shape: Shape | None = None) -> None:
        super().__init__()
        self.shape = shape = shape or Shape()
        half, quarter, eighth, sixteenth, last = shape.encoder
        shrink = nn.Sequential(Unit(sixteenth, sixteenth, 3, 2, sixteenth, relu=False), Unit(sixteenth, last))
        self.stem = Unit(3, half, 3, 2)
        self.quarter = _stage(shape, 0, Unit(half, quarter, 3, 2))
        self.eighth = _stage(shape, 1, Unit(quarter, eighth, 3, 2))
        self.sixteenth = _stage(shape, 2, Unit(eighth, sixteenth, 3, 2))
        self.last = _stage(shape, 3, shrink)
        kernels = shape.decoder_kernels
        self.to_sixteenth = Merge(last, sixteenth, shape.decoder[0], kernels[0])
        self.to_eighth = Merge(shape.decoder[0], eighth, shape.decoder[1], kernels[1])
        self.to_quarter = Merge(shape.decoder[1], quarter, shape.decoder[2], kernels[2])
        finest = shape.decoder[3]
        self.narrow = Unit(shape.decoder[2], finest, relu=False)
        self.fit = Unit(half, finest, relu=False) if half != finest else nn.Identity()
        self.depthwise = Unit(finest, finest, 3, groups=finest)
        self.mix = Unit(finest, finest)
        self.out = nn.Conv2d(finest, 1, 1)
        nn.init.constant_(self.out.bias, 0.5)

    def forward(self, image: Tensor) -> Tensor:
        """Return inverse depth at half the size; a negative value means as far as can be."""
        half = self.stem(image)
        quarter = self.quarter(half)
        y = self.to_quarter(self.at_eighth(quarter), quarter)
        return self.out(self.mix(self.depthwise(enlarged(self.narrow(y)) + self.fit(half))))

    def at_eighth(self, quarter: Tensor) -> Tensor:
        """Return what the decoder has at 1/8, from the encoder's features at 1/4."""
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        y: Tensor = self.to_eighth(self.to_sixteenth(self.last(sixteenth), sixteenth), eighth)
        return y


def _stage(shape: Shape, index: int, first: nn.Module) -> nn.Sequential:
    blocks = (
        Block(shape.encoder[index + 1], shape.hidden[index], shape.kernels[index]) for _ in range(shape.blocks[index])
    )
    return nn.Sequential(first, *blocks)


def enlarged(x: Tensor) -> Tensor:
    """Return the features at twice the size, bilinear, pixel centres at one half."""
    return F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)


def depth_map(network: nn.Module, image: Tensor) -> Tensor:
    """Return the inverse depth as it is shipped: not negative, and as large as the picture, (n, 1, h, w)."""
    return enlarged(torch.relu(network(image)))
