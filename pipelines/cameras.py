"""Which cameras there are, by name, without switching one on."""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass
from typing import Final

import cv2

from pipelines.v4l2 import camera_modes

log = logging.getLogger(__name__)

# One capture interface a system: OpenCV lists a camera once for each, and the numbers differ between them.
# DirectShow, because Media Foundation can take minutes to open a camera (OpenCV issue 17687).
INTERFACE: Final = {
    "linux": (cv2.CAP_V4L2, "V4L2"),
    "win32": (cv2.CAP_DSHOW, "DirectShow"),
    "darwin": (cv2.CAP_AVFOUNDATION, "AVFoundation"),
}


@dataclass(frozen=True, slots=True)
class CameraInfo:
    """A camera.

    Parameters
    ----------
    index : int
        Number that OpenCV opens it by.
    name : str
        As the system calls it.
    backend : str
        Name of the capture interface.
    path : str
        Device path, "" where there is none.
    modes : tuple of str
        "1280x720@30 MJPG", largest first; empty where the system does not tell.
    """

    index: int
    name: str
    backend: str
    path: str = ""
    modes: tuple[str, ...] = ()


def capture_interface() -> tuple[int, str]:
    """Return OpenCV's number and the name of the capture interface of this system."""
    return INTERFACE.get(sys.platform, (cv2.CAP_ANY, "any"))


def list_cameras() -> tuple[CameraInfo, ...]:
    """List the cameras. Nodes that cannot capture (metadata nodes on Linux) are left out.

    Returns
    -------
    tuple of CameraInfo
        By index; empty when there is none or the system cannot tell.
    """
    interface, backend = capture_interface()
    try:
        from cv2_enumerate_cameras import enumerate_cameras

        found = enumerate_cameras(interface)
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        log.warning("cameras cannot be listed: %s", error)
        return ()
    cameras = []
    for camera in found:
        # The package adds the interface's number to the index, as OpenCV's older calls wanted it.
        index = camera.index - interface if camera.index >= interface > 0 else camera.index
        path = camera.path or ""
        modes = camera_modes(path) if sys.platform == "linux" and path else ()
        cameras.append(CameraInfo(index, camera.name or f"camera {index}", backend, path, modes))
    return tuple(sorted(cameras, key=lambda camera: camera.index))
