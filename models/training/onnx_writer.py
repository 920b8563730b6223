"""Writing a network as ONNX, node by node: folded convolutions, sums, enlargements. NumPy and onnx only."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

OPSET: Final = 13
IR_VERSION: Final = 8
"""What belongs to that opset; runtimes refuse a newer one than they know."""
_LARGE: Final = 64
"""Constants from this many values on are stored in half precision."""

Values = NDArray[np.float32]


def folded(
    weight: Values, scale: Values, shift: Values, mean: Values, variance: Values, epsilon: float
) -> tuple[Values, Values]:
    """Return weight and bias of the convolution that does what one without bias and a batch normalisation do.

    Parameters
    ----------
    weight : ndarray of float32, shape (out, in, k, k)
        Of the convolution.
    scale, shift, mean, variance : ndarray of float32, shape (out,)
        Of the normalisation.
    epsilon : float
        What it adds to the variance.

    Returns
    -------
    weight : ndarray of float32, shape (out, in, k, k)
    bias : ndarray of float32, shape (out,)
    """
    gain = scale / np.sqrt(variance + epsilon)
    return (weight * gain[:, None, None, None]).astype(np.float32), (shift - mean * gain).astype(np.float32)


class GraphWriter:
    """Collects nodes. Each method returns the name of the tensor that it makes.

    Parameters
    ----------
    size : tuple of int
        Height and width of the input, a float32 (1, 3, h, w) picture called "input".
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self.input = "input"
        self._size = size
        self._nodes: list[onnx.NodeProto] = []
        self._casts: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []

    def convolution(
        self,
        name: str,
        x: str,
        weight: Values,
        bias: Values,
        *,
        stride: int = 1,
        groups: int = 1,
        relu: bool = False,
        half: bool = True,
    ) -> str:
        """Add a convolution that pads half its kernel on all sides, and perhaps a ReLU.

        Its weights are stored in half precision unless `half` is false: runtimes turn them back when they load.
        """
        kernel = weight.shape[2]
        attributes = {
            "kernel_shape": [kernel, kernel],
            "pads": [kernel // 2] * 4,
            "strides": [stride, stride],
            "dilations": [1, 1],
            "group": groups,
        }
        inputs = [x, self._constant(f"{name}.weight", weight, half), self._constant(f"{name}.bias", bias, half)]
        y = self._node("Conv", f"{name}", inputs, **attributes)
        return self._node("Relu", f"{name}.relu", [y]) if relu else y

    def add(self, name: str, x: str, y: str) -> str:
        """Add the sum of two tensors of one shape."""
        return self._node("Add", name, [x, y])

    def relu(self, name: str, x: str) -> str:
        """Add what is above zero."""
        return self._node("Relu", name, [x])

    def product(self, name: str, x: str, factor: float) -> str:
        """Add a product with a number."""
        return self._node("Mul", name, [x, self._constant(f"{name}.factor", np.array(factor, np.float32), False)])

    def enlarged(self, name: str, x: str) -> str:
        """Add twice the height and width, bilinear, pixel centres at one half."""
        scales = self._constant(f"{name}.scales", np.array([1, 1, 2, 2], np.float32), False)
        how = {"mode": "linear", "coordinate_transformation_mode": "half_pixel"}
        return self._node("Resize", name, [x, "", scales], **how)

    def model(self, result: str, output: str) -> onnx.ModelProto:
        """Return the network, its result (1, 1, h, w) renamed to `output`.

        Raises
        ------
        onnx.checker.ValidationError
            If the nodes do not make a graph.
        """
        self._nodes[-1].output[:] = [output if name == result else name for name in self._nodes[-1].output]
        picture = helper.make_tensor_value_info(self.input, TensorProto.FLOAT, [1, 3, *self._size])
        depth = helper.make_tensor_value_info(output, TensorProto.FLOAT, [1, 1, *self._size])
        nodes = self._casts + self._nodes
        graph = helper.make_graph(nodes, "twinlens_depth", [picture], [depth], self._constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="twinlens")
        model.ir_version = IR_VERSION
        onnx.checker.check_model(model, full_check=True)
        return model

    def _node(self, kind: str, name: str, inputs: list[str], **attributes: Any) -> str:
        self._nodes.append(helper.make_node(kind, inputs, [f"{name}.out"], name=name, **attributes))
        return f"{name}.out"

    def _constant(self, name: str, values: Values, half: bool) -> str:
        if not half or values.size < _LARGE:
            self._constants.append(numpy_helper.from_array(values, name))
            return name
        self._constants.append(numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
        self._casts.append(
            helper.make_node("Cast", [f"{name}.half"], [name], name=f"{name}.cast", to=TensorProto.FLOAT)
        )
        return name
