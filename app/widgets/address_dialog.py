"""Asks for a network camera, and shows what it sends before it is opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import cv2
from numpy import uint8
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.addresses import split_login, with_login
from app.i18n import tr
from app.notifications import sentence
from app.qimage import fitted, owned, wrap_bgr
from app.sources import facts
from app.theme import GRID, RADIUS, Theme, Type, font
from app.widgets.primary import make_primary
from app.workers import BackgroundJobs
from models.errors import VisionError

SCHEMES: Final = ("http", "https", "rtsp", "rtsps", "rtmp", "srt", "udp", "tcp")
"""What `pipelines.sources.stream` opens; a test compares them. That module is too heavy to be loaded for a dialog."""
PREVIEW_WH: Final = (44 * GRID, 25 * GRID)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a camera sent.

    Parameters
    ----------
    image_bgr : ndarray of uint8, shape (H, W, 3)
        Its first picture, no larger than twice the preview.
    facts : str
        Size and rate.
    """

    image_bgr: NDArray[uint8]
    facts: str


def look(address: str) -> Seen:
    """Open an address, take a picture, and close it again. Takes seconds: not for the GUI thread.

    Raises
    ------
    SourceError
        If nobody answers, the server refuses, or sends no picture.
    """
    from pipelines.sources import first_picture

    info, frame = first_picture(address)
    # Twice the size at which it is shown, for screens of high density.
    width, height = fitted(frame.size_wh, (2 * PREVIEW_WH[0], 2 * PREVIEW_WH[1]))
    return Seen(cv2.resize(frame.image_bgr, (width, height), interpolation=cv2.INTER_AREA).astype(uint8), facts(info))


def problem(address: str) -> str:
    """Say in a sentence why a text cannot be the address of a camera; "" if it can."""
    scheme, separator, rest = address.partition("://")
    if not separator or scheme.lower() not in SCHEMES:
        return tr("An address begins with rtsp://, http:// or https://.")
    if any(letter.isspace() for letter in rest):
        return tr("An address has no spaces in it.")
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return tr("This address is not valid: check the host and the port.")
    return "" if host else tr("The host is missing, such as 192.168.1.20.")


class AddressDialog(QDialog):
    """Opens a network camera or stream.

    Parameters
    ----------
    theme : Theme
        For its colours.
    recent : sequence of str
        Addresses that were opened before, without their secrets.
    address : str
        What is proposed, with the login that is known.
    """

    address_chosen = Signal(str)
    """Carries the address with the login in it."""

    def __init__(
        self, theme: Theme, recent: Sequence[str] = (), address: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Open network camera"))
        self._theme = theme
        self._jobs = BackgroundJobs(self)
        self._tests = 0
        self._build(recent)
        self.edit.textChanged.connect(self._check)
        self.edit.editingFinished.connect(self._take_login)
        for field in (self.user, self.password):
            field.textChanged.connect(self._forget_test)
        self.finished.connect(lambda _: self._jobs.close(0))
        self.edit.setText(address)
        self._take_login()
        self._check()
        self.edit.setFocus()

    # -- building

    def _build(self, recent: Sequence[str]) -> None:
        self.box = QComboBox(self)
        self.box.setEditable(True)
        self.box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.box.addItems(list(recent))
        self.box.setCurrentIndex(-1)
        self.box.setMinimumWidth(PREVIEW_WH[0])
        edit = self.box.lineEdit()
        assert edit is not None, "a box that can be edited has a line"
        self.edit = edit
        self.edit.setPlaceholderText("rtsp://192.168.1.20/stream")
        for part in (self.box, self.edit):
            part.setAccessibleName(tr("Address"))
        self.user = QLineEdit(self)
        self.password = QLineEdit(self)
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        fields = QGridLayout()
        fields.setHorizontalSpacing(2 * GRID)
        fields.setVerticalSpacing(GRID)
        rows = ((tr("Address"), self.box), (tr("User name"), self.user), (tr("Password"), self.password))
        for row, (word, field) in enumerate(rows):
            field.setAccessibleName(word)
            label = QLabel(word, self)
            label.setBuddy(field)
            fields.addWidget(label, row, 0)
            fields.addWidget(field, row, 1)
        fields.setColumnStretch(1, 1)
        self.preview = QLabel(self)
        self.preview.setFixedSize(*PREVIEW_WH)
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.preview.setWordWrap(True)
        self.preview.setAccessibleName(tr("Picture of the camera"))
        colors = self._theme.colors
        self.preview.setStyleSheet(
            f"background: {colors.panel}; border: 1px solid {colors.line}; border-radius: {RADIUS}px;"
            f" color: {colors.muted}; padding: {GRID}px;"
        )
        self.outcome = self._note("")
        fields.addWidget(self.preview, 3, 1)
        fields.addWidget(self.outcome, 4, 1)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel, self
        )
        self.open_button = self.buttons.button(QDialogButtonBox.StandardButton.Open)
        make_primary(self.open_button)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.test_button = QPushButton(tr("Test"), self)
        self.test_button.setToolTip(tr("Fetch one picture, without opening the camera here"))
        self.test_button.setAutoDefault(False)
        self.test_button.clicked.connect(self._test)
        foot = QHBoxLayout()
        foot.addWidget(self.test_button)
        foot.addStretch()
        foot.addWidget(self.buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        layout.setSpacing(2 * GRID)
        layout.addLayout(fields)
        layout.addWidget(
            self._note(
                tr(
                    "Twinlens connects to this address only. User name and password are never saved: they are "
                    "forgotten when Twinlens closes."
                )
            )
        )
        layout.addLayout(foot)

    def _note(self, text: str) -> QLabel:
        note = QLabel(text, self)
        note.setObjectName("muted")
        note.setFont(font(Type.CAPTION))
        note.setWordWrap(True)
        return note

    # -- what was typed

    @property
    def address(self) -> str:
        """The address with the login in it."""
        bare, user, password = split_login(self.edit.text().strip())
        return with_login(bare, user or self.user.text(), password or self.password.text())

    def _take_login(self) -> None:
        """Move a login that stands in the address into its fields, where it is not read over a shoulder."""
        bare, user, password = split_login(self.edit.text().strip())
        if user or password:
            self.user.setText(user)
            self.password.setText(password)
            self.edit.setText(bare)

    def _check(self) -> None:
        text = self.edit.text().strip()
        why = problem(text)
        self.open_button.setEnabled(not why)
        self.test_button.setEnabled(not why)
        self._forget_test()
        if text and why:
            self.preview.setText(why)

    # -- the test

    def _forget_test(self) -> None:
        self._tests += 1
        self.test_button.setText(tr("Test"))
        self.outcome.setText("")
        self.preview.setText(tr("“Test” shows a picture here."))

    def _test(self) -> None:
        self._take_login()
        self._forget_test()
        self.test_button.setEnabled(False)
        self.preview.setText(tr("Connecting…"))
        number, address = self._tests, self.address

        def answer(show: Seen | Exception) -> None:
            if number == self._tests:
                self._answered(show)

        self._jobs.run("camera test", lambda: look(address), answer, answer)

    def _answered(self, answer: Seen | Exception) -> None:
        self.test_button.setEnabled(True)
        if isinstance(answer, Seen):
            picture = QPixmap.fromImage(owned(wrap_bgr(answer.image_bgr)))
            room = self.preview.contentsRect().size() * self.devicePixelRatioF()
            picture = picture.scaled(
                room, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
            picture.setDevicePixelRatio(self.devicePixelRatioF())
            self.preview.setPixmap(picture)
            self.outcome.setText(answer.facts)
            self.open_button.setFocus()
            return
        self.preview.setText(sentence(answer))
        if not isinstance(answer, VisionError):
            raise answer

    def accept(self) -> None:
        """Hand on the address."""
        if not problem(self.edit.text().strip()):
            self.address_chosen.emit(self.address)
            super().accept()
