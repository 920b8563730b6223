"""ONNX Runtime on the CPU: the reference every other backend is compared with."""

from __future__ import annotations

import platform

import onnxruntime as ort

from models.manifest import Manifest
from pipelines.backends.base import BACKENDS, Availability, Kind
from pipelines.backends.ort import CPU_PROVIDER, OrtSession, open_model
from pipelines.machine import cpu_name


@BACKENDS.register("ort-cpu")
class OrtCpuBackend:
    """ONNX Runtime's own CPU execution provider (MLAS kernels)."""

    id = "ort-cpu"
    kind: Kind = "cpu"

    def availability(self) -> Availability:
        return Availability(True, device=cpu_name(), versions={"onnxruntime": ort.__version__})

    def refusal(self, manifest: Manifest) -> str | None:
        return None

    def open(self, manifest: Manifest, threads: int = 1) -> OrtSession:
        return open_model(
            manifest,
            variant=preferred_variant(),
            backend_id=self.id,
            provider=CPU_PROVIDER,
            attach=lambda options: [CPU_PROVIDER],
            device=cpu_name(),
            threads=threads,
        )


def preferred_variant() -> str:
    """Which file suits this processor.

    The `cpu` graphs are made for the blocked (NCHWc) layout that ONNX Runtime uses on x86-64; elsewhere it does not
    exist and the literal graphs are faster.
    """
    return "cpu" if platform.machine().lower() in ("x86_64", "amd64") else "plain"
