"""What is shown as the picture of a camera that other programs can choose, where the system has such a thing.

The package pyvirtualcam (GPL-2.0) is used where the user has installed it; nothing of it travels with Twinlens. Linux
needs the kernel module v4l2loopback besides, Windows and macOS the virtual camera that comes with OBS Studio.
"""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Callable
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from pipelines.engine.state import View
from pipelines.errors import ExportError
from pipelines.latest import LatestSlot
from pipelines.recording.availability import PACKAGE
from pipelines.recording.fit import fitted_into

FPS: Final = 30
"""A camera has one rate; a picture that is late is shown again."""


class CameraDevice(Protocol):
    """The part of `pyvirtualcam.Camera` that is used."""

    @property
    def device(self) -> str:
        """What other programs call it."""
        ...

    def send(self, frame: NDArray[np.uint8]) -> None:
        """Show a picture."""
        ...

    def close(self) -> None:
        """Let go of the device."""
        ...


def open_device(width: int, height: int, fps: int) -> CameraDevice:
    """Open the system's virtual camera for BGR pictures.

    Raises
    ------
    ExportError
        If there is none, or another program has it.
    """
    try:
        module = importlib.import_module(PACKAGE)
        camera: CameraDevice = module.Camera(width=width, height=height, fps=fps, fmt=module.PixelFormat.BGR)
    except (ImportError, RuntimeError, OSError, ValueError) as error:
        reason = str(error).strip().partition("\n")[0] or repr(error)
        raise ExportError(f"the virtual camera cannot be opened: {reason}") from error
    return camera


class VirtualCamera:
    """Sends the newest view to a virtual camera, at a steady rate, in a thread of its own.

    The device has the size of the first picture; those of another size are scaled to fit, on black.

    Parameters
    ----------
    draw : callable
        Makes the picture of a view. Called in the camera's thread.
    on_change : callable
        Called in the camera's thread when the device is open and when it is over. Must return at once.
    opener : callable
        Opens a device for a width, a height and a rate.
    clock : callable
        Monotonic seconds.
    wait : callable, optional
        Waits so many seconds and returns whether the camera shall end.

    Attributes
    ----------
    device : str
        What other programs call it; "" until it is open.
    sent : int
        Pictures sent.
    error : str
        Why it ended by itself, one sentence.
    """

    def __init__(
        self,
        draw: Callable[[View], NDArray[np.uint8]],
        on_change: Callable[[], None] = lambda: None,
        opener: Callable[[int, int, int], CameraDevice] = open_device,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        self._draw = draw
        self._on_change = on_change
        self._opener = opener
        self._clock = clock
        self._end = threading.Event()
        self._wait = wait or self._end.wait
        self._views: LatestSlot[View] = LatestSlot()
        self.device = ""
        self.sent = 0
        self.error = ""
        self._thread = threading.Thread(target=self._work, name="virtual camera", daemon=True)

    def start(self) -> None:
        """Begin; the device is opened with the first picture."""
        self._thread.start()

    def offer(self, view: View) -> None:
        """Show a view instead of the last one. From any thread; returns at once."""
        self._views.put(view)

    def stop(self) -> None:
        """End; returns at once."""
        self._end.set()
        self._views.close()

    def join(self, timeout_s: float) -> bool:
        """Wait until the device is let go of; return whether it is."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self._end.is_set() and not self._thread.is_alive()

    def _work(self) -> None:
        device: CameraDevice | None = None
        try:
            view = self._views.take()
            if view is None:
                return
            image = self._draw(view)
            size_wh = image.shape[1], image.shape[0]
            device = self._opener(*size_wh, FPS)
            self.device = device.device
            self._on_change()
            self._send(device, image, size_wh)
        except ExportError as error:
            self.error = str(error)
        except (RuntimeError, OSError) as error:
            self.error = f"the virtual camera failed: {error}"
        finally:
            if device is not None:
                device.close()
            self._end.set()
            self._views.close()
            self._on_change()

    def _send(self, device: CameraDevice, image: NDArray[np.uint8], size_wh: tuple[int, int]) -> None:
        due_s = self._clock()
        while not self._end.is_set():
            device.send(fitted_into(image, size_wh))
            self.sent += 1
            due_s += 1 / FPS
            now_s = self._clock()
            due_s = max(due_s, now_s)  # late: what was missed is not made up for
            if self._wait(due_s - now_s):
                return
            view = self._views.take(0)
            if view is not None:
                image = self._draw(view)
