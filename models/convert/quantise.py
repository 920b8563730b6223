"""Other precisions of a converted model: 8-bit integers, and half-precision floats.

Nothing of this is shipped: on the processors that were measured neither is faster than the float graphs, and both lose
accuracy (docs/performance.md, `python -m benchmarks precision`). Weights are stored in half precision as it is.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import ModelProto
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quant_pre_process, quantize_static
from onnxruntime.transformers.float16 import convert_float_to_float16

from models.convert.entry import INPUT_NAME


class _Pictures(CalibrationDataReader):
    """Hands the runtime's calibration one picture after the other."""

    def __init__(self, pictures: Sequence[NDArray[np.uint8]]) -> None:
        self._left = list(pictures)[::-1]

    def get_next(self) -> dict[str, NDArray[np.uint8]] | None:
        return {INPUT_NAME: self._left.pop()} if self._left else None


def to_int8(model: ModelProto, pictures: Sequence[NDArray[np.uint8]]) -> ModelProto:
    """Quantise a model statically, weights channel by channel.

    The first and the last convolution stay as they are: they hold few of the operations, and the first one reads, the
    last one writes, what a rounding error is seen in. Weights get 7 bits: with 8, the products of two neighbours
    overflow the 16 bits in which processors without VNNI add them.

    Parameters
    ----------
    model : ModelProto
        Takes a uint8 picture under the name "image", with fixed shapes.
    pictures : sequence of ndarray of uint8, shape (1, H, W, 3)
        What the ranges of the values between the layers are measured on. Not changed, not stored.

    Returns
    -------
    ModelProto
        With the same inputs and outputs; quantised values between pairs of QuantizeLinear and DequantizeLinear.
    """
    with tempfile.TemporaryDirectory() as folder:
        prepared, result = _prepared(model, Path(folder)), Path(folder) / "result.onnx"
        convolutions = [node.name for node in onnx.load(prepared).graph.node if node.op_type == "Conv"]
        quantize_static(
            prepared,
            result,
            _Pictures(pictures),
            quant_format=QuantFormat.QDQ,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
            nodes_to_exclude=[convolutions[0], convolutions[-1]],
        )
        return onnx.load(result)


def to_half(model: ModelProto) -> ModelProto:
    """Let a model compute in float16; its inputs and outputs keep their types."""
    with tempfile.TemporaryDirectory() as folder:
        return convert_float_to_float16(onnx.load(_prepared(model, Path(folder))), keep_io_types=True)


def _prepared(model: ModelProto, folder: Path) -> Path:
    """Write the model with its weights unpacked from half precision and its shapes noted; return the file."""
    original, prepared = folder / "original.onnx", folder / "prepared.onnx"
    onnx.save(model, original)
    quant_pre_process(original, prepared, skip_symbolic_shape=True)
    return prepared
