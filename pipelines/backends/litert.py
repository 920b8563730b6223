"""LiteRT (TensorFlow Lite) on the CPU through XNNPACK, and on the GPU through its WebGPU accelerator."""

from __future__ import annotations

import atexit
import importlib
import os
import re
import sys
import time
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.errors import ModelError
from models.manifest import Manifest, ModelFile, TensorSpec
from pipelines.backends.base import BACKENDS, Availability, Kind, SessionReport, Tensors
from pipelines.backends.graphics import choose_adapter, vulkan_adapters, with_loader
from pipelines.backends.qualified import QualifiedBackend
from pipelines.backends.stderr import captured_stderr
from pipelines.backends.words import one_line
from pipelines.errors import BackendError
from pipelines.machine import cpu_name, package_version

DISTRIBUTION: Final = "ai-edge-litert"
_ADAPTER: Final = re.compile(r"Selected adapter: (?P<name>.+?), arch=.*adapterType=(?P<kind>.+)$")
_CAUSE: Final = re.compile(r"(?:ERROR|INTERNAL|E\d{4})\b[^\]]*\] ?(?P<cause>.+)$")


@cache
def _environment() -> Any:
    """Return the runtime's environment, one for the process."""
    module = _module("environment")
    folder = str(Path(module.__file__ or "").resolve().parent)
    # Its destructors run after Python's own and write to the user's terminal; there is no option against it.
    atexit.register(lambda: os.dup2(os.open(os.devnull, os.O_WRONLY), 2))
    return module.Environment.create(options=module.EnvironmentOptions(runtime_path=folder))


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"ai_edge_litert.{name}")


class LiteRtSession:
    """One model in LiteRT (see `Session`)."""

    def __init__(self, model: Any, manifest: Manifest, file: ModelFile, report: SessionReport) -> None:
        self.report = report
        self._model: Any | None = model
        self._outputs = manifest.outputs
        self._convert = InputConverter(file.input or manifest.input)
        self._inputs = model.create_input_buffers(0)
        self._buffers = model.create_output_buffers(0)

    def run(self, image: NDArray[np.uint8]) -> Tensors:
        if self._model is None:
            raise BackendError(f"{self.report.model} on {self.report.backend} was closed")
        try:
            self._inputs[0].write(self._convert(image))
            self._model.run_by_index(0, self._inputs, self._buffers)
            return {
                spec.name: buffer.read(int(np.prod(spec.shape)), np.float32).reshape(spec.shape)
                for spec, buffer in zip(self._outputs, self._buffers, strict=True)
            }
        except (RuntimeError, ValueError, cv2.error) as error:
            raise BackendError(
                f"{self.report.model} failed on {self.report.backend}: {one_line(str(error))}"
            ) from error

    def close(self) -> None:
        self._inputs, self._buffers = [], []
        if self._model is not None:
            self._model.close()
            self._model = None


class InputConverter:
    """From uint8 BGR to what a LiteRT file takes, into the same buffer every time.

    Parameters
    ----------
    spec : TensorSpec
        float32 NHWC, ``(pixel - mean) * scale``.

    Raises
    ------
    ModelError
        If the file wants another form.
    """

    def __init__(self, spec: TensorSpec) -> None:
        if (spec.dtype, spec.layout) != ("float32", "NHWC") or spec.color not in ("RGB", "BGR"):
            raise ModelError(f"a LiteRT file takes float32 NHWC pictures, not {spec.dtype} {spec.layout} {spec.color}")
        self._shape = spec.shape
        self._swap = spec.color == "RGB"
        self._scale = np.asarray(spec.scale, np.float32)
        self._offset = -np.asarray(spec.mean, np.float32) * self._scale
        self._pixels = np.empty(spec.shape[1:], np.uint8)
        self._tensor = np.empty(spec.shape, np.float32)

    def __call__(self, image: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Convert (1, H, W, 3) uint8 BGR."""
        if image.shape != self._shape:
            raise ValueError(f"a picture of shape {list(self._shape)} was expected, not {list(image.shape)}")
        pixels = cv2.cvtColor(image[0], cv2.COLOR_BGR2RGB, dst=self._pixels) if self._swap else image[0]
        np.multiply(pixels, self._scale, out=self._tensor[0])
        if self._offset.any():
            self._tensor += self._offset
        return self._tensor


class LiteRtBackend(QualifiedBackend):
    """What both LiteRT backends share."""

    provider: str

    def _accelerator(self, hardware: Any) -> Any:
        raise NotImplementedError

    def prerequisites(self) -> Availability:
        version = package_version(DISTRIBUTION)
        if version is None:
            return Availability(False, "not installed: pip install 'twinlens[litert]'")
        versions = {DISTRIBUTION: version}
        if find_spec("ai_edge_litert.compiled_model") is None:
            return Availability(False, f"{DISTRIBUTION} {versions[DISTRIBUTION]} is too old", versions=versions)
        return Availability(True, versions=versions)

    def refusal(self, manifest: Manifest) -> str | None:
        try:
            manifest.file("litert")
        except ModelError as error:
            return str(error)
        return None

    def open(self, manifest: Manifest, threads: int = 1) -> LiteRtSession:
        start = time.perf_counter()
        identity = self.identity()
        file = manifest.file("litert")
        data = file.read_verified()
        compiled, options = _module("compiled_model"), _module("options")
        lines: list[str] = []
        try:
            with captured_stderr() as lines:
                model = compiled.CompiledModel.from_buffer(
                    data,
                    environment=_environment(),
                    options=options.Options(
                        hardware_accelerators=self._accelerator(_module("hardware_accelerator").HardwareAccelerator),
                        cpu_options=options.CpuOptions(num_threads=threads),
                        # Without this the GPU computes in half precision, and is compared with single.
                        gpu_options=options.GpuOptions(enforce_f32=True),
                    ),
                )
        except (RuntimeError, ValueError) as error:
            raise BackendError(f"{manifest.name} does not load on {self.id}: {_cause(lines, error)}") from error
        # Strict: a part on the CPU would be measured under the GPU's name.
        if not model.is_fully_accelerated():
            raise BackendError(f"{manifest.name} on {self.id}: {self.provider} took only a part of the graph")
        device, software = _reported_adapter(lines) or (identity.device or "default GPU", identity.software)
        report = SessionReport(
            model=manifest.name,
            backend=self.id,
            variant="litert",
            device=device,
            precision="fp32",
            threads=threads,
            placement={self.provider: _operators(data)},
            load_ms=0.0,
            software=software,
        )
        try:
            with captured_stderr():
                session = LiteRtSession(model, manifest, file, report)
                session.run(np.zeros(manifest.input.shape, np.uint8))
        except (RuntimeError, ValueError) as error:
            raise BackendError(f"{manifest.name} does not run on {self.id}: {one_line(str(error))}") from error
        session.report = replace(report, load_ms=(time.perf_counter() - start) * 1e3)
        return session


@BACKENDS.register("litert-cpu")
class LiteRtCpuBackend(LiteRtBackend):
    """LiteRT with XNNPACK."""

    id = "litert-cpu"
    kind: Kind = "cpu"
    rank = 40
    provider = "XNNPACK"

    def probe(self) -> Availability:
        return Availability(True, device=cpu_name())

    def _accelerator(self, hardware: Any) -> Any:
        return hardware.CPU


@BACKENDS.register("litert-gpu")
class LiteRtGpuBackend(LiteRtBackend):
    """LiteRT with its WebGPU accelerator (Vulkan, Direct3D 12 or Metal)."""

    id = "litert-gpu"
    kind: Kind = "gpu"
    rank = 41
    provider = "LiteRT WebGPU"

    def prerequisites(self) -> Availability:
        return with_loader(super().prerequisites())

    def probe(self) -> Availability:
        if sys.platform in ("win32", "darwin"):
            return Availability(True, device="default GPU")
        adapter = choose_adapter(vulkan_adapters())
        return Availability(True, device=adapter.name, software=adapter.software)

    def _accelerator(self, hardware: Any) -> Any:
        return hardware.GPU


def _reported_adapter(lines: list[str]) -> tuple[str, bool] | None:
    """Name of the adapter that the accelerator says it took, and whether that is software.

    It says so once in a process, with the first model.
    """
    for line in lines:
        match = _ADAPTER.search(line)
        if match:
            return match["name"], "Software" in match["kind"]
    return None


def _cause(lines: list[str], error: BaseException) -> str:
    """Return the cause from what the runtime logged: its exceptions hold only places in its source code."""
    for line in lines:
        match = _CAUSE.search(line)
        if match:
            return one_line(match["cause"])
    return one_line(str(error))


def _operators(data: bytes) -> int:
    """Number of operators in a tflite file."""
    schema = _module("schema_py_generated")
    return int(schema.Model.GetRootAsModel(data, 0).Subgraphs(0).OperatorsLength())
