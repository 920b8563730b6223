"""Each model on ONNX Runtime against LiteRT with XNNPACK: the same weights, one thread each, in turn.

    python -m benchmarks vs_litert

LiteRT gets its float input ready made, and only its own run is timed; ours starts from the picture's bytes, because
that conversion is part of our graphs. Both see noise, which costs the same as any picture.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from benchmarks.rows import Row, in_turn, median_ratio, table
from models.errors import ModelError
from models.manifest import Manifest, manifests
from pipelines.backends import get_backend

ROUNDS = 40
RUNS = 8
"""Runs of a model in a round."""


def litert(manifest: Manifest) -> Callable[[], object] | None:
    """Return one run of a model in LiteRT, or None where the model has no file for it."""
    from ai_edge_litert.interpreter import Interpreter

    try:
        file = manifest.file("litert")
    except ModelError:
        return None
    interpreter = Interpreter(model_content=file.read_verified(), num_threads=1)
    interpreter.allocate_tensors()
    target = interpreter.get_input_details()[0]
    outputs = [output["index"] for output in interpreter.get_output_details()]
    tensor = np.random.default_rng(1).random(target["shape"], np.float32)

    def run() -> object:
        interpreter.set_tensor(target["index"], tensor)
        interpreter.invoke()
        return [interpreter.get_tensor(output) for output in outputs]

    return run


def seconds(run: Callable[[], object]) -> Callable[[], float]:
    """Return work that runs a model several times and returns the CPU seconds of one run."""

    def work() -> float:
        start = time.thread_time()
        for _ in range(RUNS):
            run()
        return (time.thread_time() - start) / RUNS

    return work


def compare(manifest: Manifest) -> Row | None:
    """Measure one model both ways."""
    peer = litert(manifest)
    if peer is None:
        print(f"{manifest.name}: no LiteRT form of it, {manifest.litert_note}")
        return None
    session = get_backend("ort-cpu").open(manifest, threads=1)
    image = np.random.default_rng(1).integers(0, 256, manifest.input.shape, np.uint8)
    found = in_turn({"ours": seconds(lambda: session.run(image)), "peer": seconds(peer)}, ROUNDS, warmup=3)
    session.close()
    ours_ms, peer_ms = (statistics.median(found[name]) * 1e3 for name in ("ours", "peer"))
    ratio = median_ratio(found["peer"], found["ours"])
    return Row(f"{manifest.name}, LiteRT over ours", f"{ours_ms:.2f} ms, LiteRT {peer_ms:.2f} ms", ratio, 1.0)


def main() -> list[Row]:
    """Print the ratio of every model."""
    if find_spec("ai_edge_litert") is None:
        print("LiteRT is not installed: pip install ai-edge-litert")
        return []
    rows = [row for manifest in manifests() if (row := compare(manifest)) is not None]
    print(table(rows))
    return rows
