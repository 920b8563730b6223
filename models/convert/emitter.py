"""Writing a graph as ONNX: what all `emit_*` modules share.

The network's pictures become channels-first (NCHW), as ONNX wants them. Only operators of ONNX's default domain are
used, so any runtime can load the result.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, helper, numpy_helper

from models.convert.channels import exact_tensors
from models.convert.graph import Graph, Op
from models.convert.options import Options
from models.errors import ModelError

Pads: TypeAlias = tuple[int, int, int, int]
"""Top, left, bottom, right, in pixels."""

_SMALLEST_HALF: Final = 64
"""Constants with fewer values stay in float32: a Cast node would take more room than it saves."""


class Emitter:
    """Collects the ONNX nodes of one graph.

    Parameters
    ----------
    graph : Graph
        What to write.
    options : Options
        How to write it.

    Attributes
    ----------
    value : dict of int to str
        ONNX name of each tensor that was written.
    pads : dict of int to Pads
        Padding that was taken away from a tensor and is still to be applied by the convolutions that read it.
    signs : dict of int to ndarray, shape (C,)
        1 or -1 a channel, for tensors that are stored with some channels negated.
    flat : bool
        Whether the input is a one-channel picture of interleaved pixels (see `entry`).
    macs : int
        Multiply-adds of the convolutions written, without those by added zeros.
    """

    def __init__(self, graph: Graph, options: Options) -> None:
        self.graph = graph
        self.options = options
        self.nodes: list[NodeProto] = []
        self.initializers: list[TensorProto] = []
        self.value: dict[int, str] = {}
        self.pads: dict[int, Pads] = {}
        self.signs: dict[int, NDArray[np.float32]] = {}
        self.flat = False
        self.macs = 0
        self._exact = exact_tensors(graph)
        self._known: dict[tuple[str, tuple[int, ...], bytes], str] = {}
        self._count = 0

    def channels(self, tensor: int) -> int:
        """Number of channels that a picture tensor is stored with.

        Rounded up to the processor's block size, most residual connections need no channel padding any more: the
        convolution in front writes the zeros itself. Gain: short range detector 1.18 -> 0.93 ms. A single pixel with
        few channels would only become longer.
        """
        count, align = self.graph.shape[tensor][3], self.options.align
        if tensor in self._exact or align <= 1 or (self.graph.is_point(tensor) and count < align):
            return count
        return -(-count // align) * align

    def init(self, value: NDArray[Any] | np.generic, base: str = "w") -> str:
        """Store a constant, once for equal values, and return its name.

        Published weights are mostly half precision. Where that is exact they are stored so, with a Cast that the
        runtime folds when it loads the model: half the file, the same results and speed.
        """
        # ascontiguousarray would turn a scalar into a list of one, and ONNX wants the bounds of Clip as scalars.
        array = np.ascontiguousarray(value) if np.ndim(value) else np.asarray(value)
        key = (array.dtype.str, array.shape, hashlib.sha256(array.tobytes()).digest())
        if key in self._known:
            return self._known[key]
        name = self._new_name(base)
        if array.dtype == np.float32 and array.size >= _SMALLEST_HALF and _is_exact_half(array):
            half = f"{name}_h"
            self.initializers.append(numpy_helper.from_array(array.astype(np.float16), half))
            self.nodes.append(helper.make_node("Cast", [half], [name], to=TensorProto.FLOAT))
        else:
            self.initializers.append(numpy_helper.from_array(array, name))
        self._known[key] = name
        return name

    def ints(self, *values: int, base: str = "w") -> str:
        """Store a list of whole numbers and return its name."""
        return self.init(np.array(values, np.int64), base)

    def node(self, kind: str, inputs: list[str], output: str | None = None, **attributes: Any) -> str:
        """Add a node of one output and return that output's name."""
        name = output or self._new_name(kind.lower())
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def activation(self, value: str, code: int) -> str:
        """Add the activation that TensorFlow Lite fuses into an operator.

        Raises
        ------
        ModelError
            If it is none of those that occur.
        """
        if code == 0:
            return value
        if code == 1:
            return self.node("Relu", [value])
        if code == 3:
            return self.node("Clip", [value, self.init(np.float32(0)), self.init(np.float32(6))])
        raise ModelError(f"{self.graph.stem}: the fused activation {code} is not supported")

    def operand(self, tensor: int, rank: int) -> str:
        """A tensor or constant as an operand of element-wise arithmetic between tensors of `rank` dimensions."""
        if tensor not in self.graph.const:
            return self.value[tensor]
        array = self.graph.weights(tensor)
        if rank == 4 and array.ndim == 4:
            array = array.transpose(0, 3, 1, 2)
        elif rank == 4 and array.ndim == 1 and array.size > 1:
            array = array.reshape(1, -1, 1, 1)
        return self.init(array, "k")

    def _new_name(self, base: str) -> str:
        self._count += 1
        return f"{base}_{self._count}"


def _is_exact_half(array: NDArray[np.float32]) -> bool:
    with np.errstate(over="ignore"):
        return bool((array.astype(np.float16).astype(np.float32) == array).all())


EmitFunction: TypeAlias = Callable[[Emitter, Op], None]
EMITTERS: Final[dict[str, EmitFunction]] = {}
"""Kind of operator -> what writes it."""


def emits(*kinds: str) -> Callable[[EmitFunction], EmitFunction]:
    """Return a decorator that files a function as the one that writes operators of these kinds."""

    def decorate(function: EmitFunction) -> EmitFunction:
        for kind in kinds:
            EMITTERS[kind] = function
        return function

    return decorate
