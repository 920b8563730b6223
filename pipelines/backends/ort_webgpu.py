"""ONNX Runtime on any desktop GPU: the WebGPU plugin, over Vulkan, Direct3D 12 or Metal."""

from __future__ import annotations

import os
import sys
from typing import Final

import onnxruntime as ort

from pipelines.backends.base import BACKENDS, Availability
from pipelines.backends.graphics import choose_adapter, loader_problem, software_allowed, vulkan_adapters
from pipelines.backends.ort_plugins import WEBGPU, OrtPluginBackend
from pipelines.errors import BackendError

PLUGIN_ALLOWS_SOFTWARE: Final = "ORT_WEBGPU_EP_ALLOW_SOFTWARE_ADAPTER"


@BACKENDS.register("ort-webgpu")
class OrtWebGpuBackend(OrtPluginBackend):
    """The `onnxruntime-ep-webgpu` plugin.

    The plugin picks the physical GPU itself and does not name it. On Linux the name is that of the first adapter
    in Vulkan's list, in the order that WebGPU prefers (discrete before integrated); elsewhere it is the name of the
    hardware that ONNX Runtime lists for the plugin.
    """

    rank = 20

    def __init__(self) -> None:
        super().__init__("ort-webgpu", WEBGPU)

    def prerequisites(self) -> Availability:
        state = super().prerequisites()
        problem = loader_problem()
        if state.available and problem:
            return Availability(False, problem, versions=state.versions)
        return state

    def probe(self) -> Availability:
        if sys.platform in ("win32", "darwin"):
            return super().probe()
        adapter = choose_adapter(vulkan_adapters())
        self.devices()
        return Availability(True, device=adapter.name, software=adapter.software)

    def devices(self) -> list[ort.OrtEpDevice]:
        if software_allowed():
            # Read by the plugin when it is registered. Without it a software adapter is not even listed.
            os.environ.setdefault(PLUGIN_ALLOWS_SOFTWARE, "1")
        try:
            return super().devices()
        except BackendError as error:
            if "no device" in str(error):
                raise BackendError("no GPU: the WebGPU plugin sees none, although a driver lists one") from error
            raise
