"""A trained network as an ONNX file: float32 (1, 3, 192, 320) RGB in 0..255 to inverse depth (1, 1, 192, 320).

`python -m models.convert --depth-onnx FILE` then gives it the uint8 entry of the app and translates it to TensorFlow
Lite.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import onnx
import torch
from torch import nn

from models.training.network import Block, DepthNet, Merge, Unit
from models.training.onnx_writer import GraphWriter, Values, folded
from models.training.teacher import SIZE

LIFT: Final = 16.0
"""A product with it, undone in the convolution before, keeps the last enlargement out of the blocked layout, where its
one channel would be padded to 16 (0.3 ms)."""


def to_onnx(network: DepthNet) -> onnx.ModelProto:
    """Return the network as it is shipped: normalisation and the division by 255 folded in, not negative, full size."""
    writer = GraphWriter(SIZE)
    # The stem's weights carry the division by 255: too small for half precision.
    half = _unit(writer, "stem", network.stem, writer.input, factor=1 / 255)
    quarter = _chain(writer, "quarter", network.quarter, half)
    eighth = _chain(writer, "eighth", network.eighth, quarter)
    sixteenth = _chain(writer, "sixteenth", network.sixteenth, eighth)
    y = _merge(writer, "to_sixteenth", network.to_sixteenth, _chain(writer, "last", network.last, sixteenth), sixteenth)
    y = _merge(writer, "to_eighth", network.to_eighth, y, eighth)
    y = _merge(writer, "to_quarter", network.to_quarter, y, quarter)
    y = writer.enlarged("enlarge", _unit(writer, "narrow", network.narrow, y))
    y = _add_skip(writer, "sum", network.fit, y, half)
    y = _unit(writer, "mix", network.mix, _unit(writer, "depthwise", network.depthwise, y))
    bias = network.out.bias
    assert bias is not None
    y = writer.convolution("out", y, _numpy(network.out.weight) / LIFT, _numpy(bias) / LIFT, relu=True, half=False)
    return writer.model(writer.enlarged("depth", writer.product("lift", y, LIFT)), "depth")


def export(network: DepthNet, path: Path) -> onnx.ModelProto:
    """Write the network's mean weights to a file and return what was written.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    model = to_onnx(network)
    onnx.save(model, path)
    return model


def _numpy(tensor: torch.Tensor) -> Values:
    return tensor.detach().float().cpu().contiguous().numpy()


def _unit(writer: GraphWriter, name: str, unit: Unit, x: str, factor: float = 1.0) -> str:
    norm = unit.norm
    statistics = (norm.weight, norm.bias, norm.running_mean, norm.running_var)
    scale, shift, mean, variance = (_numpy(item) for item in statistics if item is not None)
    weight, bias = folded(_numpy(unit.conv.weight), scale, shift, mean, variance, norm.eps)
    if factor != 1:
        weight = (weight * np.float32(factor)).astype(np.float32)
    stride, groups = unit.conv.stride[0], unit.conv.groups
    return writer.convolution(name, x, weight, bias, stride=stride, groups=groups, relu=unit.relu, half=factor == 1)


def _chain(writer: GraphWriter, name: str, stage: nn.Sequential, x: str) -> str:
    for index, part in enumerate(stage):
        here = f"{name}.{index}"
        if isinstance(part, Unit):
            x = _unit(writer, here, part, x)
        elif isinstance(part, Block):
            y = _unit(writer, f"{here}.depthwise", part.depthwise, x)
            y = _unit(writer, f"{here}.narrow", part.narrow, _unit(writer, f"{here}.widen", part.widen, y))
            x = writer.add(f"{here}.sum", x, y)
        elif isinstance(part, nn.Sequential):
            x = _chain(writer, here, part, x)
    return x


def _merge(writer: GraphWriter, name: str, merge: Merge, x: str, skip: str) -> str:
    y = writer.enlarged(f"{name}.enlarge", _unit(writer, f"{name}.narrow", merge.narrow, x))
    y = _add_skip(writer, f"{name}.sum", merge.fit, y, skip)
    return _unit(writer, f"{name}.mix", merge.mix, _unit(writer, f"{name}.depthwise", merge.depthwise, y))


def _add_skip(writer: GraphWriter, name: str, fit: nn.Module, x: str, skip: str) -> str:
    return writer.add(name, x, _unit(writer, f"{name}.fit", fit, skip) if isinstance(fit, Unit) else skip)
