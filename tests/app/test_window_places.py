"""Dialogs for files begin where something of that kind was chosen last."""

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog

from app import file_dialogs
from app.file_dialogs import nearest, places_of
from app.settings import Settings

WAIT_S = 60.0
"""Longer than anything takes that is let go."""

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The user's own folder, an empty one."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setattr(Path, "home", lambda: folder)
    return folder


@pytest.fixture
def dialog_of(bench, tmp_path):
    """Opens a dialog by its command, in a window with settings; closes it when asked for the next."""
    made = []

    def open_dialog(command, **settings):
        if settings or not made:
            made.append(bench(Settings(**{"folder": str(tmp_path / "shots"), **settings})).play())
        one = made[-1]
        one.act(command)
        one.qtbot.waitUntil(lambda: any(dialog.isVisible() for dialog in one.window.findChildren(QFileDialog)))
        return one, one.window.findChild(QFileDialog)

    return open_dialog


def close(one, dialog):
    dialog.reject()
    one.qtbot.waitUntil(lambda: one.window.findChild(QFileDialog) is None)


def test_the_nearest_folder_that_there_is(tmp_path, home):
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert nearest(str(deep)) == str(deep)
    assert nearest(str(deep / "gone" / "too")) == str(deep)
    assert nearest("") == str(home)
    assert nearest("/no such place/at all") == str(home)
    (tmp_path / "file").write_bytes(b"")
    assert nearest(str(tmp_path / "file")) == str(tmp_path)


def test_what_was_opened_is_where_the_next_dialog_begins(dialog_of, tmp_path, home):
    one, dialog = dialog_of("open_file")
    assert dialog.directory().absolutePath() == str(home)
    videos = tmp_path / "videos"
    videos.mkdir()
    dialog.filesSelected.emit([str(videos / "a.mp4"), str(videos / "b.mp4")])
    close(one, dialog)
    assert one.settings.places == {"media": str(videos)}
    one, dialog = dialog_of("open_file")
    assert dialog.directory().absolutePath() == str(videos)
    close(one, dialog)
    # Another kind of thing lies elsewhere.
    one, dialog = dialog_of("open_folder")
    assert dialog.directory().absolutePath() == str(home)
    dialog.fileSelected.emit(str(videos))
    close(one, dialog)
    assert one.settings.places == {"media": str(videos), "media folder": str(tmp_path)}


def test_it_is_remembered_over_the_end_of_the_program(dialog_of, tmp_path, home):
    one, dialog = dialog_of("open_file", places={"media": str(tmp_path / "gone" / "videos")})
    assert dialog.directory().absolutePath() == str(tmp_path)
    close(one, dialog)


def test_what_is_saved_has_its_own_place(dialog_of, tmp_path, home):
    one, dialog = dialog_of("screenshot_folder")
    assert dialog.directory().absolutePath() == str(tmp_path), "the folder of the settings is not there yet"
    close(one, dialog)
    one.qtbot.waitUntil(lambda: bool(one.window.strip.samples))
    one.act("strip_csv")
    one.qtbot.waitUntil(lambda: any(found.isVisible() for found in one.window.findChildren(QFileDialog)))
    dialog = one.window.findChild(QFileDialog)
    assert [Path(path).name for path in dialog.selectedFiles()] == ["twinlens.csv"]
    dialog.fileSelected.emit(str(tmp_path / "twinlens.csv"))
    close(one, dialog)
    assert places_of(QCoreApplication.instance()).known == {"saved": str(tmp_path)}


def test_a_folder_that_does_not_answer_keeps_nobody(dialog_of, tmp_path, home, monkeypatch):
    release = threading.Event()
    asked_in = []

    def hangs(path):
        asked_in.append(threading.current_thread())
        release.wait(WAIT_S)
        return True

    monkeypatch.setattr(file_dialogs.os.path, "isdir", hangs)
    try:
        one, dialog = dialog_of("open_file", places={"media": "/net/server/videos"})
        assert dialog.directory().absolutePath() == str(home)
        assert asked_in
        assert threading.main_thread() not in asked_in
        close(one, dialog)
    finally:
        release.set()


def test_the_dialog_is_chinese_where_qt_has_no_words_for_it(bench, tmp_path):
    one = bench(Settings(folder=str(tmp_path), language="zh_TW")).play()
    one.act("open_file")
    one.qtbot.waitUntil(lambda: one.window.findChild(QFileDialog) is not None)
    dialog = one.window.findChild(QFileDialog)
    words = [dialog.labelText(label) for label in QFileDialog.DialogLabel]
    assert all(any(character > "\u4e00" for character in word) for word in words), words
