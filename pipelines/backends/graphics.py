"""Graphics adapters as Vulkan lists them: what a GPU backend will run on, and why there is none.

ONNX Runtime's WebGPU provider does not say which adapter it took, and neither it nor LiteRT says why it found none.
On Linux both go through the Vulkan loader, so the loader is asked directly (Vulkan 1.0 API, through ctypes). Drivers
run inside the calling process: `vulkan_adapters` belongs into a child process, the rest is harmless.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from dataclasses import dataclass, replace
from typing import Final

from pipelines.backends.base import Availability
from pipelines.errors import BackendError

LOADER = "libvulkan.so.1"
ALLOW_SOFTWARE: Final = "TWINLENS_ALLOW_SOFTWARE_GPU"
_STRUCTURE_TYPE_INSTANCE: Final = 1  # VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO
_INCOMPATIBLE_DRIVER: Final = -9  # VK_ERROR_INCOMPATIBLE_DRIVER: the loader found no driver it can use
_TYPE_INTEGRATED: Final = 1  # VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU
_TYPE_CPU: Final = 4  # VK_PHYSICAL_DEVICE_TYPE_CPU
_TYPE_RANK: Final = {2: 0, _TYPE_INTEGRATED: 1, 3: 2, 0: 3, _TYPE_CPU: 4}
"""Discrete, integrated, virtual, other, software: the order in which WebGPU implementations prefer them."""
_PROPERTIES_BYTES: Final = 4096
"""More than VkPhysicalDeviceProperties has (824 bytes with 64-bit size types)."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """A graphics adapter.

    Parameters
    ----------
    name : str
        As the driver calls it.
    software : bool
        Emulated on the CPU.
    vendor_id : int
        PCI number of the maker.
    integrated : bool
        Part of the processor.
    """

    name: str
    software: bool
    vendor_id: int
    integrated: bool = False

    def __str__(self) -> str:
        return self.name


def software_allowed() -> bool:
    """Whether the user asked for software GPUs, which are test devices, to be offered."""
    return os.environ.get(ALLOW_SOFTWARE) == "1"


def loader_problem() -> str | None:
    """Why there is no Vulkan loader; None where there is one, or where none is needed (Windows, macOS)."""
    if sys.platform in ("win32", "darwin"):
        return None
    try:
        ctypes.CDLL(LOADER)
    except OSError:
        return (
            f"no Vulkan loader: {LOADER} is not installed "
            "(apt install libvulkan1, dnf install vulkan-loader, pacman -S vulkan-icd-loader)"
        )
    return None


def with_loader(state: Availability) -> Availability:
    """Return `state`, or that the Vulkan loader is missing, for a backend whose packages are there."""
    problem = loader_problem() if state.available else None
    return replace(state, available=False, reason=problem) if problem else state


def choose_adapter(adapters: list[Adapter]) -> Adapter:
    """Return the adapter that will be used (see `usable_adapters`).

    Raises
    ------
    BackendError
        If there is none; the message says why.
    """
    return usable_adapters(adapters)[0]


def usable_adapters(adapters: list[Adapter]) -> list[Adapter]:
    """Return the real adapters, or the software ones where there is no other and the user allows them.

    Raises
    ------
    BackendError
        If there is none; the message says why.
    """
    if not adapters:
        raise BackendError("no GPU: the Vulkan loader found no driver for one")
    real = [adapter for adapter in adapters if not adapter.software]
    if real:
        return real
    if software_allowed():
        return adapters
    raise BackendError(
        f"no GPU: the only adapter is {adapters[0].name}, which is software; "
        f"set {ALLOW_SOFTWARE}=1 to use it as a test device"
    )


class _InstanceCreateInfo(ctypes.Structure):
    _fields_ = (
        ("structure_type", ctypes.c_int32),
        ("next", ctypes.c_void_p),
        ("flags", ctypes.c_uint32),
        ("application_info", ctypes.c_void_p),
        ("layer_count", ctypes.c_uint32),
        ("layers", ctypes.c_void_p),
        ("extension_count", ctypes.c_uint32),
        ("extensions", ctypes.c_void_p),
    )


def vulkan_adapters() -> list[Adapter]:
    """List the adapters, the most powerful kind first. Loads the drivers into this process.

    Raises
    ------
    BackendError
        If there is no loader, or it fails.
    """
    problem = loader_problem()
    if problem:
        raise BackendError(problem)
    vulkan = ctypes.CDLL(LOADER)
    info = _InstanceCreateInfo(structure_type=_STRUCTURE_TYPE_INSTANCE)
    instance = ctypes.c_void_p()
    status = vulkan.vkCreateInstance(ctypes.byref(info), None, ctypes.byref(instance))
    if status == _INCOMPATIBLE_DRIVER:
        return []
    if status != 0:
        raise BackendError(f"the Vulkan loader failed with status {status}")
    try:
        return _physical_devices(vulkan, instance)
    finally:
        vulkan.vkDestroyInstance(instance, None)


def _physical_devices(vulkan: ctypes.CDLL, instance: ctypes.c_void_p) -> list[Adapter]:
    count = ctypes.c_uint32()
    status = vulkan.vkEnumeratePhysicalDevices(instance, ctypes.byref(count), None)
    handles = (ctypes.c_void_p * count.value)()
    if status == 0:
        status = vulkan.vkEnumeratePhysicalDevices(instance, ctypes.byref(count), handles)
    if status != 0:
        raise BackendError(f"the Vulkan driver lists no devices (status {status})")
    found: list[tuple[int, Adapter]] = []
    for handle in handles:
        buffer = ctypes.create_string_buffer(_PROPERTIES_BYTES)
        vulkan.vkGetPhysicalDeviceProperties(ctypes.c_void_p(handle), buffer)
        _api, _driver, vendor, _device, kind = struct.unpack_from("<5I", buffer.raw)
        name = buffer.raw[20:276].split(b"\0", 1)[0].decode("utf-8", "replace")
        found.append((_TYPE_RANK.get(kind, 3), Adapter(name, kind == _TYPE_CPU, vendor, kind == _TYPE_INTEGRATED)))
    return [adapter for _, adapter in sorted(found, key=lambda item: item[0])]
