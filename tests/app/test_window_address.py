"""Network cameras: the dialog, its test picture, and that no password is written down."""

import logging

import numpy as np
import pytest
from PySide6.QtCore import Qt

from app.addresses import Logins, kept, split_login, with_login
from app.qimage import to_bgr
from app.settings import Settings, to_json
from app.widgets.address_dialog import SCHEMES, AddressDialog, look, problem
from pipelines.errors import SourceError
from pipelines.sources import stream
from tests.pipelines.sources.mjpeg_server import Plan, serving

LEFT = Qt.MouseButton.LeftButton


@pytest.mark.parametrize(
    ("source", "short"),
    [
        ("rtsp://me:s3cret@10.0.0.7:554/a", "rtsp://10.0.0.7:554/a"),
        ("http://cam/cgi?user=me&pwd=s3cret&channel=2", "http://cam/cgi?channel=2"),
        ("http://cam/video?token=s3cret", "http://cam/video"),
        ("http://s3cret:x@[bad/cam", "http address"),
        ("/videos/user:s3cret@home?.mp4", "/videos/user:s3cret@home?.mp4"),
        ("camera:a@b", "camera:a@b"),
    ],
)
def test_what_is_written_down_of_a_source(source, short):
    assert kept(source) == short
    assert Settings().with_recent(source).recent == (short,)
    if short != source:
        assert "s3cret" not in to_json(Settings(source=source))


@pytest.mark.parametrize(("user", "password"), [("me", "p@ss:w/rd ?#%"), ("", "x"), ("zoë", ""), ("a:b", "c")])
def test_a_login_survives_the_address(user, password):
    whole = with_login("rtsp://cam:554/live?channel=1", user, password)
    assert split_login(whole) == ("rtsp://cam:554/live?channel=1", user, password)
    assert with_login("rtsp://cam/live", "", "") == "rtsp://cam/live"


def test_logins_are_remembered_while_the_program_runs():
    logins = Logins()
    assert logins.whole("http://cam/a") == "http://cam/a"
    assert logins.whole("http://me:pw@cam/a") == "http://me:pw@cam/a"
    assert logins.whole("http://cam/a") == "http://me:pw@cam/a"
    assert logins.whole("http://cam/b") == "http://cam/b"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("192.168.1.20/stream", "begins with"),
        ("file:///etc/passwd", "begins with"),
        ("rtsp://", "host"),
        ("http://cam:port/x", "not valid"),
        ("http://[bad/x", "not valid"),
        ("http://my cam/x", "spaces"),
    ],
)
def test_an_address_that_cannot_be_one(text, word):
    assert word in problem(text)


def test_what_the_pipeline_opens_the_dialog_takes():
    assert SCHEMES == stream.SCHEMES
    assert not any(problem(f"{scheme}://host/x") for scheme in SCHEMES)


@pytest.fixture
def asked(bench):
    """A window that plays, and its dialog."""
    one = bench().play()
    one.act("open_address")
    one.dialog = one.window.findChild(AddressDialog)
    one.qtbot.waitUntil(one.dialog.isVisible)
    return one


def test_the_picture_of_a_camera_before_it_is_opened(asked, caplog):
    caplog.set_level(logging.DEBUG)
    dialog = asked.dialog
    assert not dialog.open_button.isEnabled()
    assert not dialog.test_button.isEnabled()
    with serving(Plan(user="me:p@ss w0rd")) as host:
        dialog.edit.setText(f"http://me:wr0ng@{host}/cam")
        asked.qtbot.mouseClick(dialog.test_button, LEFT)
        assert (dialog.edit.text(), dialog.user.text()) == (f"http://{host}/cam", "me")
        assert dialog.password.displayText() != "wr0ng"
        asked.deliver()  # the live picture goes on
        asked.qtbot.waitUntil(dialog.test_button.isEnabled)
        assert "user name and password" in dialog.preview.text()

        dialog.password.setText("p@ss w0rd")
        asked.qtbot.mouseClick(dialog.test_button, LEFT)
        asked.qtbot.waitUntil(lambda: not dialog.preview.pixmap().isNull())
        picture = to_bgr(dialog.preview.pixmap().toImage())
        assert picture.shape[1] / picture.shape[0] == pytest.approx(64 / 48, abs=0.02)
        assert np.ptp(picture) <= 3
        assert dialog.outcome.text().startswith("64 \N{MULTIPLICATION SIGN} 48")
        dialog.user.setText("another")
        assert dialog.preview.pixmap().isNull()
        dialog.user.setText("me")

    asked.qtbot.mouseClick(dialog.open_button, LEFT)
    whole, short = f"http://me:p%40ss%20w0rd@{host}/cam", f"http://{host}/cam"
    assert asked.engine.started[-1][0] == whole
    assert asked.settings.recent == (short,)
    told = asked.window.windowTitle() + asked.window.top_bar.source.text() + to_json(asked.settings) + caplog.text
    assert "w0rd" not in told
    entry = asked.window.top_bar.source.entries()[short]
    assert entry.isChecked()
    asked.act("open_demo")
    entry = asked.window.top_bar.source.entries()[short]
    entry.trigger()
    assert asked.engine.started[-1][0] == whole


def test_a_test_that_nobody_waits_for(asked):
    dialog = asked.dialog
    with serving(Plan(silent=True)) as host:
        dialog.edit.setText(f"http://{host}/cam")
        asked.qtbot.mouseClick(dialog.test_button, LEFT)
        assert dialog.preview.text() == "Connecting…"
        dialog.reject()
        asked.deliver()


def test_a_camera_that_refuses_leads_back_to_the_dialog(bench):
    one = bench(Settings(recent=("http://old.cam/a", "/v/clip.mp4"))).begin("rtsp://me:pw@cam.local/a")
    one.engine.fail("rtsp://cam.local/a wants a user name and password")
    bar = one.window.message_bar
    one.qtbot.waitUntil(bar.isVisible)
    assert bar.text.startswith("rtsp://cam.local/a ")
    one.qtbot.mouseClick(bar.action_button, LEFT)
    dialog = one.window.findChild(AddressDialog)
    assert (dialog.edit.text(), dialog.user.text(), dialog.password.text()) == ("rtsp://cam.local/a", "me", "pw")
    assert [dialog.box.itemText(index) for index in range(dialog.box.count())] == [
        "rtsp://cam.local/a",
        "http://old.cam/a",
    ]
    dialog.reject()


def test_a_server_without_pictures_says_so():
    with serving(Plan(status=404)) as host, pytest.raises(SourceError, match=host):
        look(f"http://{host}/cam")
