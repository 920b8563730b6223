"""Which rewrites a variant uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True)
class Options:
    """Switches of the converter; each is explained where it is implemented.

    Parameters
    ----------
    prelu_as_convolutions : bool
        Write PRelu as two depthwise 1x1 convolutions (`emit_pointwise`).
    align : int
        Round channel counts up to a multiple of this (`channels`); 1 leaves them.
    pads_as_convolutions : bool
        Write channel padding as a 1x1 convolution with an identity matrix (`emit_conv`).
    fold_pads : bool
        Move spatial padding into the convolution behind it (`emit_conv`).
    resize_gates : bool
        Enlarge channel gates before they are multiplied (`emit_pointwise`).
    split_hard_swish : bool
        Write HardSwish as x * HardSigmoid(x) (`emit_pointwise`).
    commute_resize, split_means : bool
        Reorder resizes, convolutions and means (`rewrite_resize`). With both on, sums of a convolution and a resize
        are merged too.
    merge_heads : bool
        Run the heads of the attention mesh as one (`rewrite_heads`).
    entry : str
        How the picture enters: "flat" needs no transpose, "transpose" is the literal way (`entry`).
    """

    prelu_as_convolutions: bool
    align: int
    pads_as_convolutions: bool
    fold_pads: bool
    resize_gates: bool
    split_hard_swish: bool
    commute_resize: bool
    split_means: bool
    merge_heads: bool
    entry: Literal["flat", "transpose"]


LITERAL: Final = Options(
    prelu_as_convolutions=False,
    align=1,
    pads_as_convolutions=False,
    fold_pads=False,
    resize_gates=False,
    split_hard_swish=False,
    commute_resize=False,
    split_means=False,
    merge_heads=False,
    entry="transpose",
)
"""Operator by operator: not shipped, the yardstick for the rewrites."""

CPU: Final = Options(
    prelu_as_convolutions=True,
    align=16,
    pads_as_convolutions=True,
    fold_pads=True,
    resize_gates=True,
    split_hard_swish=True,
    commute_resize=True,
    split_means=True,
    merge_heads=True,
    entry="flat",
)
"""Fastest where ONNX Runtime's CPU provider has its blocked layout (x86-64; a block is up to 16 channels)."""

GPU: Final = Options(
    prelu_as_convolutions=False,
    align=1,
    pads_as_convolutions=False,
    fold_pads=True,
    resize_gates=False,
    split_hard_swish=False,
    commute_resize=True,
    split_means=False,
    merge_heads=True,
    entry="flat",
)
"""Fewest kernels: PRelu, HardSwish and broadcast gates fuse or cost one launch on a GPU, so they stay.

The same graphs serve processors without a blocked layout: with it switched off they were as fast as the literal ones or
a little faster.
"""

SHIPPED: Final = {"cpu": CPU, "gpu": GPU}
"""Variant -> options of the files that are written."""
