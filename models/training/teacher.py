"""The network that is imitated, run at its own size and at a larger one.

On the Middlebury motorcycle the rank correlation of the teacher's map with the real disparity is 0.752 at its own
192x320, 0.793 at 288x480 and 0.800 at 384x640, but its order of whole rooms gets worse there: on the held-out pictures
the map at 384x640 agrees with the one at 192x320 by only 0.887. The mean of 192x320 and 288x480 has 0.776 on the
motorcycle and keeps 0.986 of the plain teacher.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import onnxruntime
from google.protobuf.message import DecodeError
from numpy.typing import NDArray
from onnx import numpy_helper

from models.errors import ModelError
from models.training.pictures import resized

SIZE: Final = (192, 320)
"""Height and width that the student works at, and the teacher's own."""
LABEL_SIZE: Final = (96, 160)
"""Labels are kept at half the size: the teacher's last step is an enlargement by two anyway."""
DETAIL_SIZE: Final = (288, 480)


class Teacher:
    """A depth network that takes float32 (1, 3, h, w) RGB in 0..255 and gives inverse depth.

    Parameters
    ----------
    path : Path
        The ONNX file.
    size : tuple of int
        Height and width to run at; other than the file's own only where its constants can be recalculated.

    Raises
    ------
    ModelError
        If the file is not such a network or cannot be run at this size.
    """

    def __init__(self, path: Path, size: tuple[int, int] = SIZE) -> None:
        self.size = size
        try:
            model = onnx.load(path)
        except (OSError, DecodeError) as error:
            raise ModelError(f"the teacher {path} cannot be read: {error}") from error
        set_input_size(model, size)
        self._output = before_last_relu(model.graph)
        if self._output not in {value.name for value in model.graph.output}:
            model.graph.output.append(onnx.helper.make_tensor_value_info(self._output, onnx.TensorProto.FLOAT, None))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
        self._input = self._session.get_inputs()[0].name

    def __call__(self, image_rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the inverse depth, float32 `LABEL_SIZE`, of a picture that is stretched to the teacher's size.

        Negative where the teacher would cut off at zero.
        """
        sized = resized(image_rgb, self.size)
        tensor = np.ascontiguousarray(sized.astype(np.float32).transpose(2, 0, 1)[None])
        depth: NDArray[np.float32] = self._session.run([self._output], {self._input: tensor})[0][0, 0]
        return resized(depth, LABEL_SIZE)


def set_input_size(model: onnx.ModelProto, size: tuple[int, int]) -> None:
    """Change an ONNX network of fixed size to another one, in place.

    The targets of its Reshape nodes (channel shuffles of 3 or 4 axes, the last one or two spatial) and Resize nodes are
    constants that were calculated for the old size.

    Raises
    ------
    ModelError
        If the input has no fixed size, or the new one does not fit the network's strides.
    """
    (entry,) = model.graph.input
    old = [axis.dim_value for axis in entry.type.tensor_type.shape.dim][2:]
    if len(old) != 2 or not all(old):
        raise ModelError(f"the teacher's input {entry.name} has no fixed height and width")
    if tuple(old) == size:
        return
    ratios = np.array(size) / np.array(old)
    constants = {item.name: item for item in model.graph.initializer}
    targets = {node.input[1] for node in model.graph.node if node.op_type == "Reshape"}
    targets |= {node.input[3] for node in model.graph.node if node.op_type == "Resize" and len(node.input) > 3}
    for name in targets:
        shape = numpy_helper.to_array(constants[name]).astype(np.float64)
        if len(shape) == 3:
            shape[-1] *= ratios.prod()
        else:
            shape[-2:] *= ratios
        if not np.array_equal(shape, shape.round()):
            raise ModelError(f"the teacher cannot run at {size[0]}x{size[1]}: its strides do not fit")
        constants[name].CopyFrom(numpy_helper.from_array(shape.astype(np.int64), name))
    for value in (*model.graph.input, *model.graph.output):
        for axis, length in zip(value.type.tensor_type.shape.dim[2:], size, strict=True):
            axis.dim_value = length
    del model.graph.value_info[:]


def before_last_relu(graph: Any) -> str:
    """Return the tensor before a final ReLU (and an enlargement after it), else the output.

    Below zero the order of far things is still told; the ReLU makes it flat.
    """
    makers = {name: node for node in graph.node for name in node.output}
    name: str = graph.output[0].name
    node = makers[name]
    if node.op_type == "Resize":
        node = makers[node.input[0]]
    return str(node.input[0]) if node.op_type == "Relu" else name
