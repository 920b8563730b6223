"""ONNX Runtime on the CPU: the reference every other backend is compared with."""

from __future__ import annotations

import platform
import time

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from models.manifest import Manifest
from pipelines.backends.base import BACKENDS, Availability, Kind, SessionReport, Tensors
from pipelines.errors import BackendError
from pipelines.machine import cpu_name

PROVIDER = "CPUExecutionProvider"


def session_options(threads: int) -> ort.SessionOptions:
    """Options shared by the ONNX Runtime backends.

    Spinning is off: idle threads that spin keep a core at 100 % (docs/performance.md), and with two sessions on two
    cores they are several times slower than threads that sleep.
    """
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    options.log_severity_level = 3
    return options


def read_placement(session: ort.InferenceSession) -> dict[str, int]:
    """Number of graph nodes on each execution provider, as the runtime assigned them."""
    placement: dict[str, int] = {}
    for subgraph in session.get_provider_graph_assignment_info():
        placement[subgraph.ep_name] = placement.get(subgraph.ep_name, 0) + len(subgraph.get_nodes())
    return placement


class OrtSession:
    """One model in ONNX Runtime (see `Session`)."""

    def __init__(self, session: ort.InferenceSession, manifest: Manifest, report: SessionReport) -> None:
        self.report = report
        self._session: ort.InferenceSession | None = session
        self._outputs = [spec.name for spec in manifest.outputs]

    def run(self, image: NDArray[np.uint8]) -> Tensors:
        if self._session is None:
            raise BackendError(f"{self.report.model} on {self.report.backend} was closed")
        try:
            values = self._session.run(self._outputs, {"image": image})
        except (RuntimeError, ValueError) as error:
            raise BackendError(f"{self.report.model} failed on {self.report.backend}: {error}") from error
        return dict(zip(self._outputs, values, strict=True))

    def close(self) -> None:
        self._session = None


@BACKENDS.register("ort-cpu")
class OrtCpuBackend:
    """ONNX Runtime's own CPU execution provider (MLAS kernels)."""

    id = "ort-cpu"
    kind: Kind = "cpu"

    def availability(self) -> Availability:
        return Availability(True, device=cpu_name(), versions={"onnxruntime": ort.__version__})

    def open(self, manifest: Manifest, threads: int = 1) -> OrtSession:
        start = time.perf_counter()
        variant = preferred_variant()
        model_file = manifest.file(variant)
        data = model_file.read_verified()
        try:
            session = ort.InferenceSession(data, session_options(threads), providers=[PROVIDER])
            actual = session.get_providers()
            if actual[0] != PROVIDER:
                raise BackendError(f"{manifest.name} was asked to run on {PROVIDER} and came up on {actual[0]}")
            session.run(None, {"image": np.zeros(manifest.input.shape, np.uint8)})
        except (RuntimeError, ValueError) as error:
            raise BackendError(f"{manifest.name} does not load on ort-cpu: {error}") from error
        report = SessionReport(
            model=manifest.name,
            backend=self.id,
            variant=variant,
            device=cpu_name(),
            precision="fp32",
            threads=threads,
            placement=read_placement(session),
            load_ms=(time.perf_counter() - start) * 1e3,
        )
        return OrtSession(session, manifest, report)


def preferred_variant() -> str:
    """Which file suits this processor.

    The `cpu` graphs are made for the blocked (NCHWc) layout that ONNX Runtime uses on x86-64; elsewhere it does not
    exist and the literal graphs are faster.
    """
    return "cpu" if platform.machine().lower() in ("x86_64", "amd64") else "plain"
