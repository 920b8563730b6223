"""How far the outputs of each backend are from the CPU's, on the same inputs.

    python -m benchmarks agreement

Every network is given what the pipeline gives it on every eighth frame of the demo clip, on `ort-cpu` and on each other
backend that can be used here, a software GPU where it is allowed (`docs/backends.md`, Without a GPU) among them. Such
a one takes seconds for each input, so that nobody looks at more than `LIMIT_S` seconds of them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.live import demo_frames
from benchmarks.rows import Row
from models.manifest import Manifest, load_manifest
from pipelines.backends import get_backend
from pipelines.backends.base import Backend
from pipelines.backends.guarded import Binding
from pipelines.backends.select import REFERENCE, backend_ids
from pipelines.bench import record_inputs
from pipelines.config import PipelineConfig
from pipelines.errors import BackendError

EVERY: Final = 8
LIMIT_S: Final = 20.0
CHOICES: Final = ({}, {"landmarks": "face_mesh_468", "mask": "selfie_square"})
"""Models that are asked for, so that all that are shipped take part."""

Pictures = Sequence[NDArray[np.uint8]]


def inputs() -> dict[str, list[NDArray[np.uint8]]]:
    """Return what each network is given, by its name."""
    found: dict[str, list[NDArray[np.uint8]]] = {}
    for models in CHOICES:
        config = PipelineConfig(models=models)
        for (_, model), pictures in record_inputs(demo_frames()[::EVERY], config, get_backend(REFERENCE)).items():
            found.setdefault(model, pictures)
    return found


def differences(backend: Backend, manifest: Manifest, pictures: Pictures) -> tuple[int, dict[str, float]]:
    """Return how many inputs were compared, and the largest difference of each output.

    Raises
    ------
    ModelError, BackendError
        If the model does not run there.
    """
    reference = get_backend(REFERENCE).open(manifest)
    binding = Binding(backend)
    largest = dict.fromkeys(manifest.tolerance, 0.0)
    compared, begun = 0, time.monotonic()
    try:
        session = binding.open(manifest, 1)
        for picture in pictures:
            binding.begin_frame()
            found, expected = session.run(picture), reference.run(picture)
            if binding.backend_of_frame() != backend.id:
                raise BackendError(binding.notice or f"{backend.id} failed on an input")
            for name in largest:
                largest[name] = max(largest[name], float(np.abs(found[name] - expected[name]).max()))
            compared += 1
            if time.monotonic() - begun > LIMIT_S:
                break
    finally:
        binding.close()
        reference.close()
    return compared, largest


def main() -> list[Row]:
    """Print the table. What is allowed stands in the manifests; a trial refuses a backend that exceeds it."""
    given = inputs()
    print("| model | output | backend | inputs | largest difference | allowed |\n|---|---|---|---|---|---|")
    for backend_id in backend_ids():
        backend = get_backend(backend_id)
        if backend_id == REFERENCE:
            continue
        for model, pictures in given.items():
            manifest = load_manifest(model)
            if (refusal := backend.refusal(manifest)) is not None:
                print(f"{backend_id}, {model}: {refusal}")
                continue
            try:
                compared, largest = differences(backend, manifest, pictures)
            except BackendError as error:
                print(f"{backend_id}: {error}")
                break
            for name, value in largest.items():
                allowed = manifest.tolerance[name]
                print(f"| {model} | {name} | {backend_id} | {compared} | {value:.1e} | {allowed:g} |", flush=True)
    return []
