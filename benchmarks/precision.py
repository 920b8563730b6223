"""What 8-bit integers and half-precision floats would give and cost on this processor, model by model.

    python -m benchmarks precision

The files are made on the spot from the shipped ones (`models.convert.quantise`): the ranges of the integers come from
photographs of scikit-image, the errors are measured on frames of the demo clip, against the shipped file. One thread
each, in turn, CPU time. Needs the packages of the group "test". There is no goal: it tells why floats are shipped.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from benchmarks.live import demo_frames
from benchmarks.rows import Row, in_turn, median_ratio
from models.manifest import load_manifest
from pipelines.backends import get_backend
from pipelines.bench import record_inputs
from pipelines.config import PipelineConfig, RunningMode
from pipelines.frame import Frame

ROUNDS = 20
RUNS = 4
TEST_EVERY = 8
"""Of the demo clip's frames, every so many is a test picture."""

Picture = NDArray[np.uint8]
Run = Callable[[Picture], list[NDArray[np.float32]]]


def photographs() -> list[Frame]:
    """Photographs with and without people, several cuts of each."""
    from skimage import data

    left, _, _ = data.stereo_motorcycle()
    frames = []
    for picture in (data.astronaut(), data.coffee(), data.chelsea(), data.rocket(), left):
        height, width = picture.shape[:2]
        for rows, columns in ((slice(None), slice(None)), (slice(height // 4, None), slice(width // 4, None))):
            frames.append(Frame(np.ascontiguousarray(picture[rows, columns, ::-1]), index=len(frames)))
    return frames


def opened(content: bytes) -> Run:
    """Return one run of an ONNX file, one thread."""
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = ort.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    return lambda picture: list(session.run(None, {"image": picture}))


def seconds(run: Run, pictures: Sequence[Picture]) -> Callable[[], float]:
    """Return work that runs a model on several pictures and returns the CPU seconds of one run."""

    def work() -> float:
        start = time.thread_time()
        for picture in pictures[:RUNS]:
            run(picture)
        return (time.thread_time() - start) / RUNS

    return work


def compare(model: str, calibration: Sequence[Picture], test: Sequence[Picture]) -> list[str]:
    """Measure the precisions of one model; return the lines of the table."""
    import onnx

    from models.convert.quantise import to_half, to_int8

    shipped = load_manifest(model).file("cpu").read_verified()
    graph = onnx.load_from_string(shipped)
    files = {
        "float32": shipped,
        "float16": to_half(graph).SerializeToString(),
        "int8": to_int8(graph, calibration).SerializeToString(),
    }
    runs = {name: opened(content) for name, content in files.items()}
    expected = [runs["float32"](picture) for picture in test]
    found = in_turn({name: seconds(run, test) for name, run in runs.items()}, ROUNDS)
    lines = []
    for name, run in runs.items():
        off = [
            np.abs(ours - theirs)
            for picture, outputs in zip(test, expected, strict=True)
            for ours, theirs in zip(run(picture), outputs, strict=True)
            if theirs.size > 1
        ]
        lines.append(
            f"| {model} | {name} | {len(files[name]) / 1024:.0f} | {statistics.median(found[name]) * 1e3:.2f} "
            f"| {median_ratio(found['float32'], found[name]):.2f}x "
            f"| {np.mean([item.mean() for item in off]):.2g} | {max(item.max() for item in off):.2g} |"
        )
    return lines


def main() -> list[Row]:
    """Print the table; there are no goals."""
    if find_spec("onnx") is None or find_spec("skimage") is None:
        print("skipped, onnx or scikit-image is not installed: pip install twinlens[test]")
        return []
    cpu = get_backend("ort-cpu")
    calibration = record_inputs(photographs(), PipelineConfig(mode=RunningMode.IMAGE), cpu)
    test = record_inputs(demo_frames()[::TEST_EVERY], PipelineConfig(mode=RunningMode.IMAGE), cpu)
    print(
        "| model | precision | KiB | ms | times as fast | mean error | largest error |\n|---|---|---|---|---|---|---|"
    )
    for key, pictures in test.items():
        print("\n".join(compare(key[1], calibration[key], pictures)), flush=True)
    return []
