"""Run an ONNX file once on the CPU, whatever it is: to find out what it answers."""

from __future__ import annotations

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from pipelines.backends.ort import CPU_PROVIDER, RUNTIME_ERRORS, sentence, session_options
from pipelines.errors import BackendError


def run_once(data: bytes, image: NDArray[np.uint8]) -> dict[str, NDArray[np.generic]]:
    """Return all outputs by name.

    Parameters
    ----------
    data : bytes
        The ONNX file, with one input called "image".
    image : ndarray of uint8, shape (1, H, W, 3)
        What it is given.

    Raises
    ------
    BackendError
        If the runtime refuses the network, or fails to run it.
    """
    try:
        session = ort.InferenceSession(data, session_options(threads=1), providers=[CPU_PROVIDER])
        names = [output.name for output in session.get_outputs()]
        values = session.run(names, {"image": image})
    except RUNTIME_ERRORS as error:
        raise BackendError(sentence(error)) from error
    return {name: np.asarray(value) for name, value in zip(names, values, strict=True)}
