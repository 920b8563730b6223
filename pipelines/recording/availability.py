"""Whether this system can have a virtual camera, found out without loading anything."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Final

PACKAGE: Final = "pyvirtualcam"
VIRTUAL_DEVICES: Final = Path("/sys/devices/virtual/video4linux")


def why_no_virtual_camera(devices: Path = VIRTUAL_DEVICES, platform: str = sys.platform) -> str:
    """Return why there can be no virtual camera here, "" where there may be one."""
    if importlib.util.find_spec(PACKAGE) is None:
        return f"the package {PACKAGE} is not installed: pip install twinlens[virtualcam]"
    if platform == "linux" and not (devices.is_dir() and any(devices.iterdir())):
        return "the kernel module v4l2loopback is not loaded: modprobe v4l2loopback"
    return ""
