"""What a verdict on a backend depends on: machine, graphics drivers, runtimes, environment.

Cheap, and without loading a driver: files and registry entries are read, nothing is called.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import platform
import re
import sys
from pathlib import Path
from typing import Any, Final

from models.manifest import Manifest
from pipelines.machine import APP, cpu_name, installed

_ENVIRONMENT: Final = re.compile(
    r"^(VK_|TWINLENS_ALLOW_|ORT_|CUDA_VISIBLE|HIP_VISIBLE|MESA_|DRI_PRIME|LD_LIBRARY_PATH)"
)
_ICD_FOLDERS: Final = ("/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d")
_DISPLAY_CLASS: Final = r"SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}"


def machine_fingerprint() -> str:
    """Return a digest that changes when a verdict could."""
    facts: dict[str, Any] = {
        "app": APP,
        "cpu": cpu_name(),
        "system": [platform.system(), platform.machine()],
        "runtimes": runtime_versions(),
        "environment": {key: value for key, value in sorted(os.environ.items()) if _ENVIRONMENT.match(key)},
        "drivers": _drivers(),
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def model_fingerprint(manifest: Manifest) -> str:
    """Return a digest of the model's files and of what counts as agreement."""
    facts = [sorted((file.variant, file.sha256) for file in manifest.files), sorted(manifest.tolerance.items())]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


@functools.cache
def runtime_versions() -> dict[str, str]:
    """Versions of every installed runtime and plugin, by distribution."""
    return installed("onnxruntime") | installed("ai-edge-litert")


def _drivers() -> list[str]:
    if sys.platform == "linux":
        return _linux_drivers()
    if sys.platform == "win32":
        return _windows_drivers()
    return [platform.mac_ver()[0]]  # drivers are part of macOS


def _linux_drivers() -> list[str]:
    """PCI numbers of the cards, kernel driver versions, and the Vulkan drivers' files with size and date."""
    facts: list[str] = []
    for pattern in ("class/drm/card*/device/uevent", "module/nvidia/version"):
        for path in sorted(Path("/sys").glob(pattern)):
            facts.append(_text(path))
    manifests = [path for folder in _ICD_FOLDERS for path in Path(folder).glob("*.json")]
    for variable in ("VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES"):
        manifests += [Path(item) for item in os.environ.get(variable, "").split(os.pathsep) if item]
    for path in sorted(manifests):
        match = re.search(r'"library_path"\s*:\s*"([^"]+)"', _text(path))
        library = (path.parent / match.group(1)) if match else path
        if match and "/" not in match.group(1):
            library = Path(f"/usr/lib/{platform.machine()}-linux-gnu") / match.group(1)
        for file in (path, library):
            try:
                status = file.stat()
            except OSError:
                continue
            facts.append(f"{file} {status.st_size} {status.st_mtime_ns}")
    return [f"{platform.release()}", *facts]


def _windows_drivers() -> list[str]:
    """Names and driver versions of the display adapters, from the registry."""
    if sys.platform != "win32":
        return []
    import winreg

    facts = []
    try:
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, _DISPLAY_CLASS) as display:
            for index in range(winreg.QueryInfoKey(display)[0]):
                try:
                    with winreg.OpenKey(display, winreg.EnumKey(display, index)) as adapter:
                        values = [winreg.QueryValueEx(adapter, name)[0] for name in ("DriverDesc", "DriverVersion")]
                except OSError:
                    continue  # the key also holds entries that are no adapters, some unreadable
                facts.append(" ".join(str(value) for value in values))
    except OSError:
        return ["unknown"]
    return facts


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
