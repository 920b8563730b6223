"""Pictures on the clipboard."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QImage


def put_picture(image: QImage, png: bytes) -> None:
    """Put a picture on the clipboard, as Qt's own and encoded.

    The content is one that Qt made: one made here would outlive Python, and crash the program at its end.
    """
    clipboard = QGuiApplication.clipboard()
    clipboard.setImage(image)
    clipboard.mimeData().setData("image/png", png)
