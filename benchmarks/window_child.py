"""One measurement of a window or of the engine in a process of its own (see `benchmarks/window.py`).

    python -m benchmarks.window_child empty|first|results|idle|engine|window|paint

Prints one JSON object. The window is the program's own, with the settings of a fresh user.
"""

from __future__ import annotations

import json
import statistics
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from pipelines.frame import Frame
from pipelines.sources import SourceInfo, SourceOptions

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from pipelines.engine import View

WARMUP_S, MEASURE_S = 3.0, 5.0
SETTLE_S, IDLE_S = 6.0, 10.0
PAINTED = 90
FULL_HD = (1920, 1080)
SOURCE_FPS = 250.0
"""More than any machine can analyse: the pipeline sets the rate."""


class Flood:
    """The demo clip's frames, faster than they can be analysed; as a camera, only the newest counts.

    Parameters
    ----------
    size_wh : (int, int) or None
        Size they are brought to; None leaves them as they are.
    """

    def __init__(self, size_wh: tuple[int, int] | None = None) -> None:
        self._size_wh = size_wh

    def open(self) -> SourceInfo:
        """Decode the frames beforehand."""
        from benchmarks.live import demo_frames

        self._frames = demo_frames(60 if self._size_wh is None else 20)
        if self._size_wh is not None:
            import cv2

            self._frames = [
                replace(frame, image_bgr=cv2.resize(frame.image_bgr, self._size_wh)) for frame in self._frames
            ]
        self._numbers = count()
        return SourceInfo("flood", "camera", live=True, size_wh=self._frames[0].size_wh)

    def read(self) -> Frame:
        """Return the next frame."""
        time.sleep(1 / SOURCE_FPS)
        number = next(self._numbers)
        return replace(self._frames[number % len(self._frames)], index=number, timestamp_s=number / SOURCE_FPS)

    def rewind(self) -> bool:
        """Not possible, as for a camera."""
        return False

    def close(self) -> None:
        """Nothing is held."""


def flood(_source: str, _options: SourceOptions) -> Flood:
    """Make the source whatever was asked for."""
    return Flood()


def large_flood(_source: str, _options: SourceOptions) -> Flood:
    """Make a source of 1920x1080 frames."""
    return Flood(FULL_HD)


def empty() -> dict[str, float]:
    """Show an empty window and return the moment at which it was painted."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication, QWidget

    class Window(QWidget):
        painted_s = 0.0

        def paintEvent(self, event: Any) -> None:
            self.painted_s = self.painted_s or time.time()
            QTimer.singleShot(0, QApplication.quit)

    application = QApplication([])
    window = Window()
    window.resize(1280, 800)
    window.show()
    application.exec()
    return {"at_s": window.painted_s}


def with_program(
    source: str,
    watch: Callable[[QWidget, Callable[[], None]], None],
    factory: Callable[[str, SourceOptions], Flood] | None = None,
) -> None:
    """Run the program's window; `watch` gets the view that shows pictures, and a function that ends the program."""
    from PySide6.QtWidgets import QApplication

    import app.widgets.video_view as views
    from app.__main__ import parse_arguments
    from app.window import run_window

    if factory is not None:
        from app.head_start import HeadStart
        from pipelines.engine import LiveEngine

        HeadStart.engine = lambda self, on_update: LiveEngine(on_update, factory, self.pipeline)  # type: ignore[method-assign]
    initialise = views.VideoView.__init__

    def watched(view: Any, parent: Any = None) -> None:
        initialise(view, parent)
        watch(view, QApplication.closeAllWindows)

    views.VideoView.__init__ = watched  # type: ignore[method-assign]
    arguments = ["--pipeline", "cpu"] + (["--source", source] if source else [])
    run_window(parse_arguments(arguments))


def first() -> dict[str, float]:
    """Play the demo and return the moment at which its first picture was painted, with or without results."""
    return first_painted(lambda view: True)


def results() -> dict[str, float]:
    """Play the demo and return the moment at which the first picture with results was painted."""
    return first_painted(lambda view: not view.is_preview)


def first_painted(counts: Callable[[View], bool]) -> dict[str, float]:
    """Play the demo until there are results, and return the moment at which a picture that `counts` was painted."""
    painted: list[float] = []

    def watch(view: Any, finish: Callable[[], None]) -> None:
        paint = view.paintEvent

        def watched(event: Any) -> None:
            paint(event)
            if view.picture is None:
                return
            if counts(view.picture.view) and not painted:
                painted.append(time.time())
            if not view.picture.view.is_preview:
                finish()

        view.paintEvent = watched

    with_program("demo", watch)
    return {"at_s": painted[0]}


def window() -> dict[str, float]:
    """Return the pictures a second that the window paints."""
    seen: list[tuple[float, int]] = []

    def watch(view: Any, finish: Callable[[], None]) -> None:
        paint = view.paintEvent

        def watched(event: Any) -> None:
            paint(event)
            if view.picture is not None:
                now, serial = time.perf_counter(), view.picture.view.serial
                if not seen or seen[-1][1] != serial:
                    seen.append((now, serial))
                if now - seen[0][0] > WARMUP_S + MEASURE_S:
                    finish()

        view.paintEvent = watched

    with_program("demo", watch, flood)
    return {"fps": rate([moment for moment, _ in seen])}


def paint() -> dict[str, float]:
    """Return the milliseconds of CPU that the window's thread takes to paint a picture of 1920x1080."""
    took_ms: list[float] = []
    shown: list[int] = []

    def watch(view: Any, finish: Callable[[], None]) -> None:
        view.setFixedSize(*FULL_HD)
        paint = view.paintEvent

        def watched(event: Any) -> None:
            start_s = time.thread_time()
            paint(event)
            if view.picture is not None and (serial := view.picture.view.serial) not in shown[-1:]:
                shown.append(serial)
                took_ms.append((time.thread_time() - start_s) * 1e3)
                if len(took_ms) == PAINTED:
                    finish()

        view.paintEvent = watched

    with_program("demo", watch, large_flood)
    return {"ms": statistics.median(took_ms[PAINTED // 3 :])}


def engine() -> dict[str, float]:
    """Return the pictures a second that the engine draws without a window."""
    from app.controller import config_from
    from app.settings import Settings
    from app.style import style_of
    from pipelines.engine import LiveEngine

    settings = replace(Settings(), pipeline="cpu")
    seen: list[tuple[float, int]] = []
    done = threading.Event()

    def on_update() -> None:
        view = live.view()
        if view is None or (seen and seen[-1][1] == view.serial):
            return
        seen.append((time.perf_counter(), view.serial))
        if seen[-1][0] - seen[0][0] > WARMUP_S + MEASURE_S:
            done.set()

    live = LiveEngine(on_update, flood)
    live.start("flood", SourceOptions(), config_from(settings), style_of(settings))
    done.wait(60)
    live.stop()
    return {"fps": rate([moment for moment, _ in seen])}


def rate(moments: list[float]) -> float:
    """Events a second after the warm-up."""
    kept = [moment for moment in moments if moment - moments[0] > WARMUP_S]
    return (len(kept) - 1) / (kept[-1] - kept[0])


def idle() -> dict[str, float]:
    """Return the share of a core that the window takes without a source."""
    from PySide6.QtCore import QTimer

    figures: dict[str, float] = {}

    def watch(view: Any, finish: Callable[[], None]) -> None:
        def begin() -> None:
            start_s, start_cpu_s = time.perf_counter(), time.process_time()

            def end() -> None:
                figures["core"] = (time.process_time() - start_cpu_s) / (time.perf_counter() - start_s)
                finish()

            QTimer.singleShot(round(IDLE_S * 1e3), view, end)

        QTimer.singleShot(round(SETTLE_S * 1e3), view, begin)

    with_program("", watch)
    return figures


if __name__ == "__main__":
    measurements = (empty, first, results, idle, engine, window, paint)
    measurement = {one.__name__: one for one in measurements}[sys.argv[1]]
    sys.stdout.write(json.dumps(measurement()))
