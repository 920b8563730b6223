"""Comparing a converted model with the runtime that its weights were made for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import onnxruntime as ort
from ai_edge_litert.interpreter import Interpreter
from numpy.typing import NDArray
from onnx import ModelProto
from skimage import data

from models.errors import ModelError
from models.spec import TensorSpec


def sample_picture(sample: tuple[int, int, int], size_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """A part of a NASA portrait (public domain, comes with scikit-image), not resampled.

    Parameters
    ----------
    sample : tuple of int
        Left and top of the part, in pixels of the 512x512 portrait, and the step between the rows and columns taken.
    size_wh : tuple of int
        Width and height of the result, in pixels.

    Returns
    -------
    ndarray of uint8, shape (1, H, W, 3)
        BGR.
    """
    left, top, step = sample
    width, height = size_wh
    part: NDArray[np.uint8] = data.astronaut()[top::step, left::step, ::-1][:height, :width]
    return np.ascontiguousarray(part[None])


def normalise(picture: NDArray[np.uint8], spec: TensorSpec) -> NDArray[np.generic]:
    """Turn a uint8 BGR NHWC picture into what a network's input asks for."""
    pixels = picture[..., ::-1] if spec.color == "RGB" else picture
    if spec.dtype != "uint8":
        scaled = (pixels.astype(np.float64) - np.array(spec.mean)) * np.array(spec.scale)
        pixels = scaled.astype(spec.dtype)
    return np.ascontiguousarray(pixels.transpose(0, 3, 1, 2) if spec.layout == "NCHW" else pixels)


def run_onnx(model: ModelProto | bytes, name: str, tensor: NDArray[np.generic]) -> dict[str, NDArray[np.float32]]:
    """Run an ONNX model on one CPU thread and return its outputs by name."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    content = model if isinstance(model, bytes) else model.SerializeToString()
    session = ort.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, {name: tensor}), strict=True))


def run_litert(
    content: bytes, tensor: NDArray[np.generic], outputs: Sequence[TensorSpec]
) -> dict[str, NDArray[np.float32]]:
    """Run a .tflite file in LiteRT, one thread, and return its outputs under the given names and shapes."""
    interpreter = Interpreter(model_content=content, num_threads=1)
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], tensor)
    interpreter.invoke()
    details = interpreter.get_output_details()
    return {
        spec.name: interpreter.get_tensor(detail["index"]).reshape(spec.shape)
        for spec, detail in zip(outputs, details, strict=True)
    }


def largest_differences(
    found: Mapping[str, NDArray[np.float32]], expected: Mapping[str, NDArray[np.float32]]
) -> dict[str, float]:
    """Largest absolute difference of every output in `expected`."""
    return {name: float(np.abs(found[name] - values).max()) for name, values in expected.items()}


def require_parity(title: str, differences: Mapping[str, float], limits: Mapping[str, float]) -> None:
    """Refuse a model that is too far away.

    Raises
    ------
    ModelError
        If a difference is above its limit, or no number at all.
    """
    for name, difference in differences.items():
        if not difference <= limits[name]:
            raise ModelError(
                f"{title}: {name} is {difference:.2g} away from the original, allowed is {limits[name]:.2g}"
            )
