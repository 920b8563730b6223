"""Screenshots: the full frame at source resolution, never what the window happens to show of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage, QPainter

from app.figures_place import FileCard, card_scale, clear_of
from app.qimage import fitted, to_bgr, wrap_bgr
from app.split import MIDDLE, divided_bgr, labels_height
from app.theme import GRID
from pipelines.machine import APP

if TYPE_CHECKING:
    from pipelines.engine import View
    from pipelines.pipeline import FrameResult

THUMBNAIL_WH: Final = (112, 63)


@dataclass(frozen=True, eq=False, slots=True)
class Shot:
    """What is to be saved.

    Parameters
    ----------
    view : View
        Picture and results.
    folder : Path
        Where it goes; made if missing.
    source : str
        Name of the source, for the file name.
    card : FileCard or None
        Figures to be painted on it.
    figures : str
        Figures in one line for the file's metadata; "" for none.
    all_layers : bool
        Also the plain frame and every layer there is.
    divider : float
        Where B's half begins if it is a split comparison, as a share of the width.
    """

    view: View
    folder: Path
    source: str
    card: FileCard | None = None
    figures: str = ""
    all_layers: bool = False
    divider: float = MIDDLE


@dataclass(frozen=True, eq=False, slots=True)
class Saved:
    """What was saved.

    Parameters
    ----------
    path : Path
        The annotated picture.
    layers : tuple of Path
        The other files.
    thumbnail : QImage
        Small picture for the message.
    """

    path: Path
    layers: tuple[Path, ...]
    thumbnail: QImage


def shown_bgr(view: View, divider: float, card: FileCard | None = None) -> NDArray[np.uint8]:
    """Return the annotated frame at source resolution; in a split comparison both halves and the divider.

    Parameters
    ----------
    view : View
        What the engine shows.
    divider : float
        Where B's half begins, as a share of the width.
    card : FileCard, optional
        Figures to be painted on it.

    Returns
    -------
    ndarray of uint8, shape (H, W, 3)
        The view's own array where there is nothing to paint.
    """
    height, width = view.plain_bgr.shape[:2]
    scale = card_scale((width, height))
    box = None if card is None else card.box(view.result)
    foot = clear_of(height - 1.5 * GRID * scale, labels_height(scale), box, GRID * scale)
    image = divided_bgr(view, divider, scale, foot)
    return image if card is None else with_card(image, card, view.result)


def with_card(image_bgr: NDArray[np.uint8], card: FileCard, result: FrameResult) -> NDArray[np.uint8]:
    """Return a copy of the picture of a result with the figures in their corner."""
    canvas = wrap_bgr(image_bgr).convertToFormat(QImage.Format.Format_RGB32)
    painter = QPainter(canvas)
    painter.drawImage(card.box(result).topLeft(), card.image)
    painter.end()
    return to_bgr(canvas)


def thumbnail_of(image_bgr: NDArray[np.uint8]) -> QImage:
    """Return a small picture for a message."""
    small = fitted((image_bgr.shape[1], image_bgr.shape[0]), THUMBNAIL_WH)
    # Twice the size it is shown at, so that it is sharp on a screen of 200 %.
    pixels = cv2.resize(image_bgr, (2 * small[0], 2 * small[1]), interpolation=cv2.INTER_AREA)
    thumbnail = wrap_bgr(np.asarray(pixels, np.uint8)).copy()
    thumbnail.setDevicePixelRatio(2.0)
    return thumbnail


def save(shot: Shot) -> Saved:
    """Write the files.

    Raises
    ------
    ExportError
        If one cannot be written; those before it stay.
    """
    from pipelines.atomic import write_file
    from pipelines.export import LAYER_TASK, encode_layer, layer_path, result_text, save_png, save_screenshot

    view = shot.view
    result = view.result
    image = shown_bgr(view, shot.divider, shot.card)
    text = result_text(result, APP)
    if shot.figures:
        text["Figures"] = shot.figures
    path = save_screenshot(shot.folder, shot.source, image, text)
    layers: list[Path] = []
    if shot.all_layers:
        plain = path.with_name(f"{path.stem}-plain.png")
        save_png(plain, view.plain_bgr, text)
        layers.append(plain)
        for layer, task in LAYER_TASK.items():
            if task in result.results:
                target = layer_path(path, layer)
                write_file(target, encode_layer(layer, result, view.image_bgr))
                layers.append(target)
    return Saved(path, tuple(layers), thumbnail_of(image))
