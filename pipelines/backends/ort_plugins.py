"""Execution providers in packages of their own: every installed `onnxruntime-ep-*`, found by the name of the package.

Such a package has two functions, `get_library_path()` and `get_ep_names()`. WebGPU is one of them; it comes with
Twinlens where there are wheels for it, and has a file of its own (`ort_webgpu`).
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Sequence
from functools import partial
from types import ModuleType
from typing import Any, Final

import onnxruntime as ort

from models.manifest import Manifest
from pipelines.backends.base import BACKENDS, Availability, Kind
from pipelines.backends.graphics import software_allowed
from pipelines.backends.ort import RUNTIME_ERRORS, NamedDevice, OrtSession, open_model, sentence
from pipelines.backends.ort_builtin import PROVIDERS
from pipelines.backends.qualified import QualifiedBackend
from pipelines.backends.stderr import captured_stderr
from pipelines.errors import BackendError
from pipelines.machine import installed, package_version

PREFIX: Final = "onnxruntime-ep-"
WEBGPU: Final = "onnxruntime-ep-webgpu"
_registered: dict[str, None] = {}
_lock: Final = threading.Lock()


def installed_plugins() -> tuple[str, ...]:
    """Names of the installed plugin distributions, normalised ("onnxruntime-ep-openvino")."""
    return tuple(installed(PREFIX))


class OrtPluginBackend(QualifiedBackend):
    """The execution provider of one plugin package.

    Parameters
    ----------
    backend_id : str
        "ort-" and the last part of the package's name.
    distribution : str
        Name of the package on PyPI.
    """

    kind: Kind = "gpu"
    rank = 30
    chooses_devices = True

    def __init__(self, backend_id: str, distribution: str) -> None:
        self.id = backend_id
        self.distribution = distribution

    def prerequisites(self) -> Availability:
        versions = {"onnxruntime": ort.__version__}
        version = package_version(self.distribution)
        if version is None:
            return Availability(False, f"not installed: pip install {self.distribution}", versions=versions)
        versions[self.distribution] = version
        if not hasattr(ort, "register_execution_provider_library"):
            return Availability(
                False,
                f"onnxruntime {ort.__version__} is too old for plugins: pip install -U onnxruntime",
                versions=versions,
            )
        return Availability(True, versions=versions)

    def probe(self) -> Availability:
        devices = [NamedDevice(device) for device in self.devices()]
        chosen = self.choose(devices)
        software = chosen.device.device.type == ort.OrtHardwareDeviceType.CPU
        return Availability(True, device=str(chosen), software=software, devices=tuple(map(str, devices)))

    def refusal(self, manifest: Manifest) -> str | None:
        return None

    def devices(self) -> list[ort.OrtEpDevice]:
        """Register the plugin and return its devices: GPUs first, then other accelerators, a CPU only on request.

        Raises
        ------
        BackendError
            If the plugin cannot be loaded or sees no device.
        """
        package = self._package()
        self._register(package)
        names = set(package.get_ep_names())
        order = {ort.OrtHardwareDeviceType.GPU: 0, ort.OrtHardwareDeviceType.NPU: 1, ort.OrtHardwareDeviceType.CPU: 2}
        found = sorted(
            (device for device in ort.get_ep_devices() if device.ep_name in names),
            key=lambda device: order[device.device.type],
        )
        usable = [
            device for device in found if device.device.type != ort.OrtHardwareDeviceType.CPU or software_allowed()
        ]
        if not usable:
            raise BackendError("no device: the plugin sees no GPU or other accelerator")
        return usable

    def _package(self) -> ModuleType:
        module = self.distribution.replace("-", "_")
        try:
            return importlib.import_module(module)
        except ImportError as error:
            raise BackendError(f"{self.distribution} is installed and does not load: {error}") from error

    def _register(self, package: ModuleType) -> None:
        with _lock:
            if self.distribution in _registered:
                return
            try:
                ort.register_execution_provider_library(self.distribution, package.get_library_path())
            except RUNTIME_ERRORS as error:
                raise BackendError(f"{self.distribution} does not load: {sentence(error)}") from error
            _registered[self.distribution] = None

    def open(self, manifest: Manifest, threads: int = 1) -> OrtSession:
        state = self.identity()
        with captured_stderr():  # graphics libraries write there what is no failure
            return self._open(manifest, threads, state, self._chosen())

    def _chosen(self) -> ort.OrtEpDevice:
        """The device for sessions."""
        return self.choose([NamedDevice(device) for device in self.devices()]).device

    def _options(self) -> dict[str, str]:
        """Provider options for sessions."""
        return {}

    def _open(self, manifest: Manifest, threads: int, state: Availability, device: ort.OrtEpDevice) -> OrtSession:

        def attach(options: ort.SessionOptions) -> Sequence[Any]:
            options.add_provider_for_devices([device], self._options())
            return []

        return open_model(
            manifest,
            variant="gpu",
            backend_id=self.id,
            provider=device.ep_name,
            attach=attach,
            device=state.device or str(NamedDevice(device)),
            threads=threads,
            software=state.software,
        )


for _distribution in installed_plugins():
    _backend_id = "ort-" + _distribution.removeprefix(PREFIX)
    if _distribution != WEBGPU:
        # The same provider may be built in elsewhere ("ort-openvino"): then the plugin has a name of its own.
        _backend_id += "-plugin" if _backend_id in PROVIDERS else ""
        BACKENDS.register(_backend_id)(partial(OrtPluginBackend, _backend_id, _distribution))
