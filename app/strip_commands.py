"""Commands of the performance strip: hold it, save its figures, save its picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage

from app.controller import Controller
from app.file_dialogs import SAVED, ask_name
from app.history import SERIES, Sample
from app.i18n import tr
from app.qimage import to_bgr

if TYPE_CHECKING:
    from app.main_window import MainWindow

PNG_SCALE: Final = 2


def to_csv(samples: Sequence[Sample]) -> str:
    """Return samples as a table: a line each, the oldest first.

    Times are seconds before the newest sample, stages milliseconds a frame; a cell is empty where nothing was
    measured.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["time_s", *(f"{side}_{name}_ms" for side in "ab" for name in SERIES), "dropped", "frames"])
    for sample in samples:
        stages = [
            f"{values[name]:.3f}" if name in values else ""
            for values in (sample.stages_ms, sample.stages_b_ms)
            for name in SERIES
        ]
        writer.writerow([f"{sample.time_s - samples[-1].time_s:.1f}", *stages, sample.dropped, sample.frames])
    return text.getvalue()


def to_png(image: QImage) -> bytes:
    """Return the bytes of a PNG file."""
    _, data = cv2.imencode(".png", to_bgr(image))
    return data.tobytes()


class StripCommands:
    """What the commands of the strip do.

    Parameters
    ----------
    window : MainWindow
        Its strip.
    controller : Controller
        Writes files.
    """

    def __init__(self, window: MainWindow, controller: Controller) -> None:
        self._window = window
        self._controller = controller

    def handlers(self) -> dict[str, Callable[[], None]]:
        """Return what each command does, by its id."""
        return {"strip_hold": self.hold, "strip_csv": self.save_csv, "strip_png": self.save_png}

    def hold(self) -> None:
        """Let the strip stand still, or follow the run again."""
        strip = self._window.strip
        strip.hold(not strip.is_held)
        self._window.actions_by_id["strip_hold"].setChecked(strip.is_held)

    def save_csv(self) -> None:
        """Ask where the figures shall go."""
        samples = self._window.strip.samples
        if not samples:
            self._window.toast.show_text(tr("There are no figures to save yet"))
            return
        self._ask(tr("Save the figures"), "twinlens.csv", tr("Tables (*.csv)"), lambda: to_csv(samples).encode())

    def save_png(self) -> None:
        """Ask where the picture of the strip shall go. It is made now: later it would show something else."""
        image = self._window.strip.picture(PNG_SCALE)

        def ask() -> None:
            self._ask(tr("Save the chart"), "twinlens.png", tr("Pictures (*.png)"), lambda: to_png(image))

        # Each is as much as a turn of the event loop should have to do.
        QTimer.singleShot(0, self._window, ask)

    def _ask(self, title: str, name: str, kind: str, make: Callable[[], bytes]) -> None:
        said = self._window.toast.show_text

        def save(path: str) -> None:
            done = tr("{name} saved").format(name=Path(path).name)
            self._controller.files.write(Path(path), make, lambda: said(done))

        ask_name(self._window, title, SAVED, name, [kind], save)
