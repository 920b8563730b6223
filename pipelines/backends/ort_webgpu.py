"""ONNX Runtime on any desktop GPU: the WebGPU plugin, over Vulkan, Direct3D 12 or Metal."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

import onnxruntime as ort

from pipelines.backends.base import BACKENDS, Availability
from pipelines.backends.graphics import (
    Adapter,
    software_allowed,
    usable_adapters,
    vulkan_adapters,
    with_loader,
)
from pipelines.backends.ort import NamedDevice
from pipelines.backends.ort_plugins import WEBGPU, OrtPluginBackend
from pipelines.errors import BackendError

PLUGIN_ALLOWS_SOFTWARE: Final = "ORT_WEBGPU_EP_ALLOW_SOFTWARE_ADAPTER"


@BACKENDS.register("ort-webgpu")
class OrtWebGpuBackend(OrtPluginBackend):
    """The `onnxruntime-ep-webgpu` plugin.

    The plugin picks the physical GPU itself and does not name it. On Linux the name is that of the first adapter
    in Vulkan's list, in the order that WebGPU prefers (discrete before integrated); elsewhere it is the name of the
    hardware that ONNX Runtime lists for the plugin.

    All that version 0.4 can be asked for is the fast adapter, which is the default, or the one that saves power. So
    of several GPUs number 0 can be had, and the first integrated one beside a discrete one; any other is refused.
    """

    rank = 20

    def __init__(self) -> None:
        super().__init__("ort-webgpu", WEBGPU)

    def prerequisites(self) -> Availability:
        return with_loader(super().prerequisites())

    def probe(self) -> Availability:
        if sys.platform in ("win32", "darwin"):
            state = super().probe()
            self._saves_power([NamedDevice(device) for device in self.devices()])
            return state
        adapters = usable_adapters(vulkan_adapters())
        adapter = self.choose(adapters)
        self._saves_power(adapters)
        self.devices()
        names = tuple(map(str, adapters))
        return Availability(True, device=adapter.name, software=adapter.software, devices=names)

    def _saves_power(self, gpus: Sequence[Adapter | NamedDevice]) -> bool:
        """Whether the chosen GPU is the one that saves power.

        Raises
        ------
        BackendError
            If it is neither that nor the first.
        """
        if not self.device_number:
            return False
        first_integrated = next((number for number, gpu in enumerate(gpus) if gpu.integrated), None)
        if self.device_number != first_integrated or gpus[0].integrated:
            raise BackendError(
                f"the WebGPU plugin cannot be asked for device {self.device_number} ({gpus[self.device_number]}), "
                "only for the first and for an integrated one beside it"
            )
        return True

    def _chosen(self) -> ort.OrtEpDevice:
        # Which of the plugin's devices is attached makes no difference to the adapter that it takes.
        return self.devices()[0]

    def _options(self) -> dict[str, str]:
        # Which devices there are was checked by the probe, before any session was opened.
        return {"powerPreference": "low-power"} if self.device_number else {}

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
