"""Take the pictures of the README: `.venv/bin/python tools/pictures.py [window compare files relief]`.

Needs a display (`xvfb-run -a -s "-screen 0 1600x1000x24"` gives one where there is none) and an otherwise idle machine:
but for the relief, the pictures show measured figures.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from PySide6.QtCore import QEventLoop, QTimer  # noqa: E402
from PySide6.QtWidgets import QApplication, QWidget  # noqa: E402

from app.controller import Controller  # noqa: E402
from app.inventory import RealInventory  # noqa: E402
from app.main_window import MainWindow  # noqa: E402
from app.notifications import Notifications  # noqa: E402
from app.settings import Settings  # noqa: E402
from app.theme import Theme  # noqa: E402
from app.window import SWITCH_S  # noqa: E402

FOLDER = ROOT / "docs" / "images"
ASSETS = ROOT / "assets"
SETTLED_S = 30.0
"""After so long models are loaded, backends were tried, and the strip shows something."""


def run_until(condition: Callable[[], bool], limit_s: float = 120.0) -> None:
    """Run the event loop until something is true."""
    loop = QEventLoop()
    deadline = time.monotonic() + limit_s
    timer = QTimer()
    timer.timeout.connect(lambda: loop.quit() if condition() or time.monotonic() > deadline else None)
    timer.start(20)
    loop.exec()
    if not condition():
        raise SystemExit("waited in vain: is there a display, and is the machine idle?")


def run_for(seconds: float) -> None:
    """Run the event loop for a time."""
    end = time.monotonic() + seconds
    run_until(lambda: time.monotonic() > end, seconds + 60)


def save(widget: QWidget, name: str) -> None:
    """Save what a widget shows."""
    widget.grab().save(str(FOLDER / name))
    print(f"{name}: {(FOLDER / name).stat().st_size // 1024} KB")


class Studio:
    """The window with the real engine, and what is to be seen in it."""

    def __init__(self, theme: Theme, settings: Settings) -> None:
        self.controller = Controller(settings, Notifications(), RealInventory(), lambda _: None)
        self.window = MainWindow(self.controller, theme)
        self.window.resize(1280, 800)
        self.window.show()
        self.controller.begin("demo")
        run_until(lambda: self.controller.picture is not None and not self.controller.picture.view.is_preview)

    def close(self) -> None:
        """Close it."""
        self.window.close()
        self.controller.close()


def take_window(theme: Theme) -> None:
    """The demo with everything on."""
    studio = Studio(theme, Settings(theme="dark", language="en"))
    run_for(SETTLED_S)
    save(studio.window, "window.png")
    studio.close()


def take_compare(theme: Theme) -> None:
    """Two runtimes on the same frames, with the mesh that both can load."""
    chosen = {"pipeline": "ort-cpu", "pipeline_b": "litert-cpu", "compare": "split"}
    settings = Settings(theme="dark", language="en", models={"landmarks": "face_mesh_468"}, **chosen)  # type: ignore[arg-type]
    studio = Studio(theme, settings)
    run_until(lambda: studio.controller.picture is not None and studio.controller.picture.other is not None)
    run_for(2 * SETTLED_S)
    save(studio.window, "compare.png")
    studio.close()


def take_files(theme: Theme) -> None:
    """The queue for files at work."""
    studio = Studio(theme, Settings(theme="dark", language="en"))
    studio.controller.stop()
    with tempfile.TemporaryDirectory() as folder:
        names = ("portrait.png", "holiday.mp4", "unfinished download.mp4", "Interview, second take.mp4", "talk.mp4")
        for name in names:
            shutil.copy(ASSETS / ("portrait.png" if name.endswith("png") else "demo.mp4"), Path(folder) / name)
        (Path(folder) / names[2]).write_bytes((ASSETS / "demo.mp4").read_bytes()[:100_000])
        processing = studio.window.commands.processing
        processing.open([str(Path(folder) / name) for name in names])
        run_until(lambda: processing.window is not None and not processing.window.runner.is_looking)
        queue = processing.window
        assert queue is not None, "it was waited for"
        run_until(lambda: len(queue.runner.model.items) == len(names))
        run_for(3)
        queue.commands.start()
        run_until(lambda: queue.runner.current is not None and queue.runner.current.path.name == names[3], 300)
        run_for(4)
        save(queue, "process-files.png")
        processing.end()
    studio.close()


def take_relief(theme: Theme) -> None:
    """The relief, turned to both sides. No figures: it may be taken at any time."""
    turned = []
    for yaw in (-30.0, 30.0):
        style = {"depth": "relief", "relief_yaw": yaw, "relief_pitch": 8.0}
        studio = Studio(theme, Settings(theme="dark", tasks=("depth",), style=style))
        view = studio.controller.picture
        assert view is not None, "it was waited for"
        turned.append(cv2.resize(view.view.image_bgr, (640, 360), interpolation=cv2.INTER_AREA))
        studio.close()
    cv2.imwrite(str(FOLDER / "relief.jpg"), np.hstack(turned), [cv2.IMWRITE_JPEG_QUALITY, 86])
    print(f"relief.jpg: {(FOLDER / 'relief.jpg').stat().st_size // 1024} KB")


TAKES = {"window": take_window, "compare": take_compare, "files": take_files, "relief": take_relief}


def main(wanted: list[str]) -> None:
    """Take the pictures that are named, or all."""
    unknown = set(wanted) - set(TAKES)
    if unknown:
        raise SystemExit(f"there is no picture called {', '.join(sorted(unknown))} (known: {', '.join(TAKES)})")
    sys.setswitchinterval(SWITCH_S)
    application = QApplication(["Twinlens"])
    theme = Theme(application)
    for name in wanted or TAKES:
        TAKES[name](theme)


if __name__ == "__main__":
    main(sys.argv[1:])
