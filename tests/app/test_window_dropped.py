"""Several files and folders at once: one is played, and all of them can be processed."""

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog

from app.dropped import choose
from tests.app.processing_fakes import FakeChildren


@pytest.fixture
def folder(tmp_path):
    """A folder with two clips, a picture and a note, and one in it with pictures only."""
    for name in ("clip2.mp4", "clip10.mov", "shot.png", "notes.txt", "stills/b.jpg", "stills/a.jpg", "empty/x.txt"):
        path = tmp_path / "media" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    return tmp_path / "media"


@pytest.mark.parametrize(
    ("given", "first", "others"),
    [
        (["shot.png", "clip2.mp4"], "shot.png", 1),
        (["clip10.mov", "stills"], "clip10.mov", 2),
        (["stills", "clip10.mov"], "stills", 1),
        (["stills"], "stills", 0),
        (["."], "clip2.mp4", 2),
        (["notes.txt", "clip2.mp4"], "clip2.mp4", 0),
        (["empty", "clip2.mp4", "clip2.mp4"], "clip2.mp4", 0),
        (["missing.mp4", "clip2.mp4"], "missing.mp4", 1),
        (["notes.txt"], "notes.txt", 0),
        (["empty"], "empty", 0),
    ],
)
def test_which_of_several_is_played(folder, given, first, others):
    chosen = choose([str(folder / name) for name in given])
    assert (chosen.first, chosen.others) == (str(folder / first), others)


def drop(window, *paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    keys, button = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    window.dropEvent(
        QDropEvent(QPointF(window.rect().center()), Qt.DropAction.CopyAction, data, button, keys, QEvent.Type.Drop)
    )


def test_the_first_is_played_and_all_can_be_processed(bench, folder):
    one = bench().play()
    children = FakeChildren()
    processing = one.window.commands.processing
    processing.make_link = children
    paths = [str(folder / name) for name in ("clip2.mp4", "shot.png", "stills")]
    bar = one.window.message_bar

    drop(one.window, *paths)
    one.qtbot.waitUntil(bar.isVisible)
    assert one.engine.started[-1][0] == paths[0]
    assert bar.text == "3 more files: the window plays one at a time."
    assert bar.action_button.text() == "Process files…"

    one.qtbot.mouseClick(bar.action_button, Qt.MouseButton.LeftButton)
    one.qtbot.waitUntil(lambda: processing.window is not None and processing.window.isVisible())
    assert [order["paths"] for order in children.looker.orders if order["do"] == "expand"] == [paths]
    assert not bar.isVisible()
    assert one.engine.started[-1][0] == paths[0]


def test_the_dialog_takes_several_and_another_source_ends_the_offer(bench, folder):
    one = bench().play()
    one.act("open_file")
    dialog = one.window.findChild(QFileDialog)
    assert dialog.fileMode() is QFileDialog.FileMode.ExistingFiles
    dialog.filesSelected.emit([str(folder / "clip10.mov"), str(folder / "clip2.mp4")])
    dialog.reject()
    bar = one.window.message_bar
    one.qtbot.waitUntil(bar.isVisible)
    assert one.engine.started[-1][0] == str(folder / "clip10.mov")
    assert bar.text == "1 more file: the window plays one at a time."
    one.act("open_demo")
    assert not bar.isVisible()
