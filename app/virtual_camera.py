"""The virtual camera as the window speaks of it: whether there can be one, on and off."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from app.i18n import noop, tr
from app.notifications import Notice, Notifications, Severity, sentence_of
from app.workers import BackgroundJobs, UpdateGate

if TYPE_CHECKING:
    from pipelines.engine import View
    from pipelines.recording.virtual_camera import VirtualCamera

UNKNOWN: Final = "…"
REASONS: Final = (
    noop("the package pyvirtualcam is not installed: pip install twinlens[virtualcam]"),
    noop("the kernel module v4l2loopback is not loaded: modprobe v4l2loopback"),
)
"""What `pipelines.recording.availability` may say, for translators; a colon parts what is wrong from what helps."""


class VirtualCameraControl(QObject):
    """Switches the virtual camera on and off.

    Parameters
    ----------
    draw : callable
        Makes the picture of a view. Called in the camera's thread.
    notifications : Notifications
        Where errors go.
    jobs : BackgroundJobs
        For what must not make the window wait.
    """

    changed = Signal()
    """It is on, off, or there can be one now."""

    def __init__(
        self,
        draw: Callable[[View], NDArray[np.uint8]],
        notifications: Notifications,
        jobs: BackgroundJobs,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.why_not = UNKNOWN
        """Why there can be none, "" where there may be one."""
        self._draw = draw
        self._notifications = notifications
        self._jobs = jobs
        self._camera: VirtualCamera | None = None
        self._ending: list[VirtualCamera] = []
        self._told = ""
        self._gate = UpdateGate(self)
        self._gate.opened.connect(self._look)

    @property
    def is_on(self) -> bool:
        """Whether pictures are sent."""
        return self._camera is not None

    @property
    def device(self) -> str:
        """What other programs call it; "" while it is off or being opened."""
        return self._camera.device if self._camera is not None else ""

    def find(self) -> None:
        """Find out in the background whether there can be one."""

        def work() -> str:
            from pipelines.recording.availability import why_no_virtual_camera

            return why_no_virtual_camera()

        self._jobs.run("virtual camera", work, self._found)

    def see(self, view: View | None) -> None:
        """Send a view if it is on. From any thread; returns at once."""
        camera = self._camera
        if camera is not None and view is not None:
            camera.offer(view)

    def toggle(self, view: View | None) -> None:
        """Switch it on, beginning with the view that is shown, or off."""
        if self._camera is not None:
            self.stop()
            return
        from pipelines.recording.virtual_camera import VirtualCamera

        self._notifications.dismiss("virtual camera")
        self._told = ""
        self._camera = VirtualCamera(self._draw, self._gate.knock)
        self._camera.start()
        self.see(view)
        self.changed.emit()

    def stop(self) -> None:
        """Switch it off."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.stop()
            self._ending = [one for one in self._ending if not one.is_over] + [camera]
            self.changed.emit()

    def close(self) -> None:
        """Switch it off for good."""
        self._gate.close()
        self.stop()

    def join(self, timeout_s: float) -> bool:
        """Wait until the device is let go of; return whether it is."""
        return all(camera.join(timeout_s) for camera in self._ending)

    def _found(self, why_not: str) -> None:
        self.why_not = why_not
        self.changed.emit()

    def _look(self) -> None:
        camera = self._camera
        if camera is None:
            return
        if camera.error:
            self._camera = None
            self._ending.append(camera)
            self._notifications.post(lambda: Notice("virtual camera", sentence_of(camera.error), Severity.ERROR))
        elif camera.device and camera.device != self._told:
            self._told = name = camera.device

            def news() -> Notice:
                text = tr("Other programs can choose the picture as the camera {name}.").format(name=name)
                return Notice("virtual camera", text, Severity.INFO)

            self._notifications.post(news)
        self.changed.emit()
