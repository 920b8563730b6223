"""Cameras through OpenCV: by number or name, with the mode that was really given read back."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from pipelines.cameras import CameraInfo, capture_interface, list_cameras
from pipelines.errors import SourceError
from pipelines.frame import Frame, to_bgr
from pipelines.sources.base import SOURCE_KINDS, Source, SourceInfo, SourceKind, SourceOptions

MOTION_JPEG: Final = "MJPG"
FAILED_READS: Final = 10
"""Reads without a picture, in a row, after which a camera counts as lost."""
PAUSE_S: Final = 0.05
FIRST_S: Final = 5.0
"""A camera may need seconds to give a first picture: exposure, a stream that starts, a permission that is asked for."""
LOST_S: Final = 5.0
"""Nor longer than this: a single read can take the driver's own time limit, 10 s with Video4Linux2."""
FROZEN_S: Final = 5.0
"""A driver that lost its camera may repeat the last picture for ever; real pictures always differ a little."""


class Device(Protocol):
    """The part of `cv2.VideoCapture` that is used; tests put a fake in its place."""

    def isOpened(self) -> bool: ...
    def read(self) -> tuple[bool, Any]: ...
    def get(self, prop: int, /) -> float: ...
    def release(self) -> None: ...


def open_device(index: int, options: SourceOptions) -> Device:
    """Open a camera with one call: every later change of a property can restart the stream.

    Motion JPEG is asked for together with a size if nothing else is wanted, since uncompressed 720p does not fit
    through USB 2 at 30 frames a second and drivers then fall to a few frames in silence. The buffer holds one frame,
    so that frames are new.
    """
    interface, _ = capture_interface()
    wishes = [cv2.CAP_PROP_BUFFERSIZE, 1]
    pixel_format = options.pixel_format or (MOTION_JPEG if options.size_wh is not None else "")
    if pixel_format:
        wishes += [cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*pixel_format)]
    if options.size_wh is not None:
        width, height = options.size_wh
        wishes += [cv2.CAP_PROP_FRAME_WIDTH, width, cv2.CAP_PROP_FRAME_HEIGHT, height]
    if options.fps is not None:
        wishes += [cv2.CAP_PROP_FPS, round(options.fps)]
    # What fails is told in a sentence of our own; OpenCV would print its source file and line besides.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    device = cv2.VideoCapture(index, interface, wishes)
    if not device.isOpened():
        # Some drivers refuse a wish instead of ignoring it.
        device.release()
        device = cv2.VideoCapture(index, interface)
    return device


def format_name(code: float) -> str:
    """Return the four-character code that a driver gives as a number; "" for one that is none."""
    if not 0 < code < 2**32 or code != int(code):
        return ""
    letters = int(code).to_bytes(4, "little").decode("latin-1")
    return letters.strip() if letters.isascii() and letters.isprintable() else ""


class CameraSource:
    """A live camera.

    Parameters
    ----------
    text : str
        "camera" (the first one), "camera:N" (by number) or "camera:NAME" (part of its name, any case).
    options : SourceOptions
        Wanted size and rate.
    opener, lister, clock, sleep : callable, optional
        Stand-ins for tests.
    """

    def __init__(
        self,
        text: str,
        options: SourceOptions,
        opener: Callable[[int, SourceOptions], Device] = open_device,
        lister: Callable[[], tuple[CameraInfo, ...]] = list_cameras,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._wanted = text.partition(":")[2].strip()
        self._options = options
        self._opener = opener
        self._lister = lister
        self._clock = clock
        self._sleep = sleep
        self._device: Device | None = None
        self._name = "camera"
        self._first: NDArray[np.uint8] | None = None
        self._index = 0

    def open(self) -> SourceInfo:
        """Open the camera and take a first picture.

        Raises
        ------
        SourceError
            If there is no such camera, it cannot be opened, or it gives no picture.
        """
        self.close()
        camera = self._choose()
        self._name = camera.name
        device = self._opener(camera.index, self._options)
        self._device = device
        try:
            if not device.isOpened():
                raise SourceError(
                    f"{self._name} cannot be opened: another program may be using it, or access to it is not allowed"
                )
            first = self._grab("is open but gives no picture: another program may be using it", FIRST_S)
            rate = device.get(cv2.CAP_PROP_FPS)
            pixel_format = format_name(device.get(cv2.CAP_PROP_FOURCC))
        except BaseException:
            self.close()
            raise
        self._first = first
        self._index = 0
        self._start_s = self._changed_s = self._clock()
        self._last: NDArray[np.uint8] | None = None
        self._has_changed = False
        height, width = first.shape[:2]
        fps = Fraction(rate).limit_denominator(1001) if 0.01 <= rate <= 1000 else None
        return SourceInfo(
            self._name,
            "camera",
            True,
            (width, height),
            fps,
            notices=self._differences(width, height, fps, pixel_format),
            pixel_format=pixel_format,
        )

    def _choose(self) -> CameraInfo:
        cameras = self._lister()
        if not cameras:
            raise SourceError("no camera was found: connect one, or choose a file or the demo")
        known = ", ".join(f"{camera.index} {camera.name}" for camera in cameras)
        if not self._wanted:
            return cameras[0]
        if self._wanted.isascii() and self._wanted.isdecimal():
            for camera in cameras:
                if camera.index == int(self._wanted):
                    return camera
            raise SourceError(f"there is no camera {self._wanted} (there is {known})")
        wanted = self._wanted.casefold()
        exact = [camera for camera in cameras if camera.name.casefold() == wanted]
        fitting = exact or [camera for camera in cameras if wanted in camera.name.casefold()]
        if not fitting:
            raise SourceError(f"no camera is called {self._wanted!r} (there is {known})")
        if len(fitting) > 1 and not exact:
            raise SourceError(f"several cameras are called {self._wanted!r} (there is {known})")
        return fitting[0]

    def _differences(self, width: int, height: int, fps: Fraction | None, pixel_format: str) -> tuple[str, ...]:
        """Say where the camera gives something else than was asked for."""
        found = []
        asked = self._options
        if asked.size_wh is not None and asked.size_wh != (width, height):
            found.append(f"asked for {asked.size_wh[0]}x{asked.size_wh[1]}, the camera gives {width}x{height}")
        if asked.fps is not None and fps is not None and abs(float(fps) - asked.fps) > 1:
            found.append(f"asked for {asked.fps:g} fps, the camera says it gives {float(fps):g}")
        if asked.pixel_format and pixel_format not in ("", asked.pixel_format):
            found.append(f"asked for {asked.pixel_format}, the camera gives {pixel_format}")
        return tuple(found)

    def read(self) -> Frame | None:
        """Return the next picture. Never None: a camera that ends is an error.

        Raises
        ------
        SourceError
            If it stopped delivering pictures, or repeats the last one for `FROZEN_S` seconds.
        """
        image, self._first = self._first, None
        if image is None:
            image = self._grab("stopped delivering pictures: was it unplugged?", LOST_S, FAILED_READS)
        self._watch(image)
        frame = Frame(image, self._index, self._clock() - self._start_s, self._name)
        self._index += 1
        return frame

    def _grab(self, complaint: str, limit_s: float, most: float = math.inf) -> NDArray[np.uint8]:
        """Return a picture, after `most` failures or `limit_s` seconds at the latest: drivers drop one now and then."""
        until_s = self._clock() + limit_s
        failures = 0
        while self._device is not None:
            try:
                ok, image = self._device.read()
                if ok and isinstance(image, np.ndarray):
                    return to_bgr(image)
            except (cv2.error, ValueError):
                pass  # garbage counts as no picture
            failures += 1
            if failures >= most or self._clock() >= until_s:
                break
            self._sleep(PAUSE_S)
        raise SourceError(f"{self._name} {complaint}")

    def _watch(self, image: NDArray[np.uint8]) -> None:
        """Notice a frozen driver.

        A picture that never changed since the camera was opened is a still one, as virtual cameras show, and allowed.
        So is one without any detail: a covered lens.
        """
        now = self._clock()
        last, self._last = self._last, image
        same = (
            last is not None
            and last.shape == image.shape
            and bool((last[:4] == image[:4]).all())  # tells nearly all apart, for next to nothing
            and bool((last == image).all())
        )
        if not same:
            self._has_changed |= last is not None
            self._changed_s = now
        elif image.min() == image.max():
            self._changed_s = now
        elif self._has_changed and now - self._changed_s > FROZEN_S:
            raise SourceError(f"{self._name} repeats the same picture: its driver lost it")

    def rewind(self) -> bool:
        """A camera has no beginning."""
        return False

    def close(self) -> None:
        """Release the device."""
        device, self._device = self._device, None
        self._first = None
        if device is not None:
            device.release()


def _matches(text: str) -> bool:
    return text == "camera" or text.startswith("camera:")


def _create(text: str, options: SourceOptions) -> Source:
    return CameraSource(text, options)


SOURCE_KINDS.register("camera")(SourceKind(_matches, _create, priority=0))
