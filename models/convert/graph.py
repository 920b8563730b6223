"""The graph between reading and writing: TensorFlow Lite's operators and tensor numbers, free to be rearranged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from models.errors import ModelError

Constant: TypeAlias = NDArray[Any]
ResizeMode: TypeAlias = Literal["align_corners", "half_pixel", "asymmetric"]
CONVOLUTIONS: Final = ("CONV_2D", "DEPTHWISE_CONV_2D")
SAME_PADDING: Final = 0
VALID_PADDING: Final = 1


@dataclass
class Op:
    """One operator.

    Parameters
    ----------
    kind : str
        Name in TensorFlow Lite's schema, of a custom operator, or one of this package's own (GLOBAL_MEAN and the
        subclasses in `attention`).
    ins, outs : list of int
        Tensor numbers.
    attr : dict of str to int
        The options of the schema that are numbers or switches, under their names there.
    custom : bytes
        Options of a custom operator, undecoded.
    groups : int
        How many equal operators were merged into this one.
    """

    kind: str
    ins: list[int]
    outs: list[int]
    attr: dict[str, int] = field(default_factory=dict)
    custom: bytes = b""
    groups: int = 1

    @property
    def activation(self) -> int:
        """Code of the activation fused into the operator; 0 is none."""
        return self.attr.get("fusedActivationFunction", 0)


class Graph:
    """Operators in order of execution, with the shapes and constants of their tensors.

    Parameters
    ----------
    stem : str
        Name of the file without its ending.
    ops : list of Op
        Operators, in an order in which they can run.
    shape : list of list of int
        Shape of every tensor, channels last (NHWC).
    const : dict of int to ndarray
        Values of the constant tensors.
    inputs, outputs : list of int
        The network's own inputs and outputs.
    """

    def __init__(
        self,
        stem: str,
        ops: list[Op],
        shape: list[list[int]],
        const: dict[int, Constant],
        inputs: list[int],
        outputs: list[int],
    ) -> None:
        self.stem = stem
        self.ops = ops
        self.shape = shape
        self.const = const
        self.inputs = inputs
        self.outputs = outputs

    def consumers(self, tensor: int) -> list[Op]:
        """Operators that read `tensor`."""
        return [op for op in self.ops if tensor in op.ins]

    def producer(self, tensor: int) -> Op | None:
        """The operator that writes `tensor`; None for inputs and constants."""
        return next((op for op in self.ops if tensor in op.outs), None)

    def maker(self, tensor: int) -> Op:
        """As `producer`, for tensors that must have one.

        Raises
        ------
        ModelError
            If no operator writes `tensor`.
        """
        op = self.producer(tensor)
        if op is None:
            raise ModelError(f"{self.stem}: the tensor {tensor} is written by no operator")
        return op

    def index(self, op: Op) -> int:
        """Position of this very operator (equal ones do not count)."""
        return next(index for index, item in enumerate(self.ops) if item is op)

    def weights(self, tensor: int) -> NDArray[np.float32]:
        """A constant in float32: published weights are stored in half precision."""
        return self.const[tensor].astype(np.float32)

    def fresh(self, shape: Sequence[int]) -> int:
        """Add a tensor and return its number."""
        self.shape.append([int(size) for size in shape])
        return len(self.shape) - 1

    def fresh_const(self, value: Constant) -> int:
        """Add a constant tensor and return its number."""
        tensor = self.fresh(value.shape)
        self.const[tensor] = value
        return tensor

    def is_point(self, tensor: int) -> bool:
        """Whether a picture tensor has one pixel."""
        return self.shape[tensor][1:3] == [1, 1]

    def is_pointwise(self, op: Op) -> bool:
        """Whether `op` is a linear map of each pixel: a 1x1 convolution of stride 1 without activation."""
        return (
            op.kind == "CONV_2D"
            and self.const[op.ins[1]].shape[1:3] == (1, 1)
            and op.attr["strideH"] == 1
            and not op.activation
        )

    def is_global_mean(self, op: Op) -> bool:
        """Whether `op` averages each channel over the whole picture."""
        if op.kind == "MEAN":
            return sorted(self.const[op.ins[1]].ravel().tolist()) == [1, 2]
        if op.kind == "AVERAGE_POOL_2D":
            window = [op.attr["filterHeight"], op.attr["filterWidth"]]
            return window == self.shape[op.ins[0]][1:3] and self.is_point(op.outs[0])
        return op.kind == "GLOBAL_MEAN"

    @staticmethod
    def resize_mode(op: Op) -> ResizeMode:
        """ONNX's name for the way in which a RESIZE_BILINEAR maps target to source pixels."""
        if op.attr["alignCorners"]:
            return "align_corners"
        return "half_pixel" if op.attr["halfPixelCenters"] else "asymmetric"
