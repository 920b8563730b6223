"""Commands that look at the picture: zoom, and one face after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.face_view import next_pin
from app.i18n import tr
from app.relief import has_relief
from app.widgets.face_card import SIDE
from app.zoom import Zoom

if TYPE_CHECKING:
    from app.main_window import MainWindow


class ViewCommands:
    """What the commands of the picture do.

    Parameters
    ----------
    window : MainWindow
        Its view.
    """

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def handlers(self) -> dict[str, Callable[[], None]]:
        """Return what each command does, by its id."""
        return {
            "zoom_in": lambda: self._window.view.zooming.step(1),
            "zoom_out": lambda: self._window.view.zooming.step(-1),
            "zoom_fit": lambda: self._window.view.zooming.take(Zoom()),
            "zoom_fill": lambda: self._window.view.zooming.take(Zoom("fill")),
            "zoom_one": lambda: self._window.view.zooming.take(Zoom("free", 1.0)),
            "look": self.next_face,
        }

    def next_face(self) -> None:
        """Look closely at the next face, and after the last at none."""
        view = self._window.view
        pin = None if view.picture is None else next_pin(view.picture.view.result, view.pin)
        if pin is None and view.pin is None:
            self._window.toast.show_text(tr("There is no face to look at"))
        view.look_at(pin)

    def tell(self) -> None:
        """Ask for the pictures that the view wants."""
        view, controller = self._window.view, self._window.controller
        side = round(SIDE * view.devicePixelRatioF())
        # A relief shows nothing where it lies in the frame.
        reads = view.pointer is not None and not has_relief(controller.settings)
        controller.set_look(view.zooming.zoom, reads, view.pin, side)
