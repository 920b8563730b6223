"""Execution providers that are built into some other onnxruntime package: CUDA, TensorRT, DirectML and so on.

The plain package has none of them; each is listed all the same, with what to install.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import onnxruntime as ort

from models.manifest import Manifest
from pipelines.backends.base import BACKENDS, Availability, Kind
from pipelines.backends.graphics import vulkan_adapters
from pipelines.backends.ort import NamedDevice, OrtSession, open_model
from pipelines.backends.qualified import QualifiedBackend
from pipelines.errors import BackendError

_SYSTEMS: Final = {"linux": "Linux", "win32": "Windows", "darwin": "macOS"}


@dataclass(frozen=True, slots=True)
class Provider:
    """An execution provider and where it comes from.

    Parameters
    ----------
    name : str
        What ONNX Runtime calls it.
    package : str
        Distribution that has it built in; it takes the place of `onnxruntime`.
    systems : tuple of str
        Values of `sys.platform` it exists for.
    vendors : tuple of int
        PCI numbers of the makers whose devices it runs on; empty where the maker does not matter.
    options : dict
        Provider options.
    device_option : (str, str)
        Provider option that selects a device, with its value for a number; empty where there is none.
    """

    name: str
    package: str
    systems: tuple[str, ...]
    vendors: tuple[int, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    device_option: tuple[str, str] = ("device_id", "{}")


# use_tf32 off: with it the CUDA provider rounds products to 10 bits, and landmarks move by tenths of a pixel.
PROVIDERS: Final = {
    "ort-tensorrt": Provider("TensorrtExecutionProvider", "onnxruntime-gpu", ("linux", "win32"), (0x10DE,)),
    "ort-cuda": Provider(
        "CUDAExecutionProvider", "onnxruntime-gpu", ("linux", "win32"), (0x10DE,), (("use_tf32", "0"),)
    ),
    "ort-migraphx": Provider("MIGraphXExecutionProvider", "onnxruntime-migraphx", ("linux",), (0x1002,)),
    "ort-openvino": Provider(
        "OpenVINOExecutionProvider",
        "onnxruntime-openvino",
        ("linux", "win32"),
        (0x8086,),
        (("device_type", "GPU"),),
        ("device_type", "GPU.{}"),
    ),
    "ort-directml": Provider("DmlExecutionProvider", "onnxruntime-directml", ("win32",)),
    "ort-coreml": Provider("CoreMLExecutionProvider", "onnxruntime", ("darwin",), device_option=("", "")),
}


class OrtBuiltinBackend(QualifiedBackend):
    """An execution provider of the installed onnxruntime package."""

    kind: Kind = "gpu"

    def __init__(self, backend_id: str, provider: Provider, rank: int) -> None:
        self.id = backend_id
        self.rank = rank
        self._provider = provider
        self.chooses_devices = bool(provider.device_option[0])

    def prerequisites(self) -> Availability:
        versions = {"onnxruntime": ort.__version__}
        provider = self._provider
        if sys.platform not in provider.systems:
            systems = " and ".join(_SYSTEMS[system] for system in provider.systems)
            return Availability(False, f"{provider.name} exists on {systems} only", versions=versions)
        if provider.name not in ort.get_available_providers():
            hint = f"pip install {provider.package}"
            return Availability(
                False, f"not installed: this onnxruntime build has no {provider.name}: {hint}", versions=versions
            )
        return Availability(True, versions=versions)

    def probe(self) -> Availability:
        listed = [str(NamedDevice(item)) for item in ort.get_ep_devices() if item.ep_name == self._provider.name]
        if listed:
            return Availability(True, device=self.choose(listed), devices=tuple(listed))
        if self.device_number:
            # Nobody lists them; a number that does not exist is refused by the provider when a model is loaded.
            return Availability(True, device=f"GPU {self.device_number}")
        return Availability(True, device=self._device())

    def _device(self) -> str:
        """Name of the adapter by the same maker, where ONNX Runtime lists no devices of the provider."""
        if not self._provider.vendors:
            return "default GPU"
        try:
            adapters = vulkan_adapters()
        except BackendError:
            adapters = []  # compute devices work without a Vulkan loader
        names = [adapter.name for adapter in adapters if adapter.vendor_id in self._provider.vendors]
        return names[0] if names else "default GPU"

    def refusal(self, manifest: Manifest) -> str | None:
        return None

    def _attach(self, options: ort.SessionOptions) -> Sequence[Any]:
        chosen = dict(self._provider.options)
        if self.device_number is not None:
            option, value = self._provider.device_option
            chosen[option] = value.format(self.device_number)
        return [(self._provider.name, chosen)]

    def open(self, manifest: Manifest, threads: int = 1) -> OrtSession:
        state = self.identity()
        return open_model(
            manifest,
            variant="gpu",
            backend_id=self.id,
            provider=self._provider.name,
            attach=self._attach,
            device=state.device or "default GPU",
            threads=threads,
        )


for _rank, (_backend_id, _provider) in enumerate(PROVIDERS.items()):
    BACKENDS.register(_backend_id)(partial(OrtBuiltinBackend, _backend_id, _provider, 10 + _rank))
