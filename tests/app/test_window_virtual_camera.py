"""The entry for the virtual camera: grey with the reason, or on and off."""

import pytest

from app.virtual_camera import REASONS
from pipelines.recording.availability import why_no_virtual_camera
from tests.app.window_fakes import result
from tests.pipelines.recording.test_virtual_camera import FakeCamera, module

__all__ = ["module"]


@pytest.fixture
def possible(module, monkeypatch):
    """A system on which there can be one."""
    monkeypatch.setattr("pipelines.recording.availability.why_no_virtual_camera", lambda: "")


def ready(one):
    one.qtbot.waitUntil(lambda: one.controller.virtual_camera.why_not != "…")
    return one


@pytest.mark.parametrize("reason", ["the package is missing: pip install it", "v4l2loopback is not loaded"])
def test_where_there_can_be_none_the_entry_is_grey_and_says_why(bench, monkeypatch, reason):
    monkeypatch.setattr("pipelines.recording.availability.why_no_virtual_camera", lambda: reason)
    one = ready(bench().play())
    action = one.window.actions_by_id["virtual_camera"]
    assert not action.isEnabled()
    assert reason.partition(":")[0] in action.text()
    assert reason[1:] in action.toolTip()


def test_it_sends_what_is_shown_until_it_is_switched_off(bench, possible):
    one = ready(bench().play())
    action = one.window.actions_by_id["virtual_camera"]
    assert action.isEnabled()
    action.trigger()
    one.qtbot.waitUntil(lambda: bool(FakeCamera.made) and bool(FakeCamera.made[0].sent))
    assert action.isChecked()
    (device,) = FakeCamera.made
    assert device.size_wh == (160, 90)
    one.qtbot.waitUntil(lambda: any("/dev/video9" in notice.text for notice in one.notifications.notices))
    one.deliver(result(320, 180))
    sent = len(device.sent)
    one.qtbot.waitUntil(lambda: len(device.sent) > sent + 2)
    action.trigger()
    assert not action.isChecked()
    one.qtbot.waitUntil(lambda: device.is_closed)


def test_a_device_that_is_taken_is_told_and_the_entry_is_off(bench, possible, monkeypatch):
    monkeypatch.setattr(FakeCamera, "error", RuntimeError("the device is in use"))
    one = ready(bench().play())
    one.act("virtual_camera")
    one.qtbot.waitUntil(lambda: bool(one.notifications.notices))
    assert "the device is in use" in one.notifications.notices[0].text
    assert not one.window.actions_by_id["virtual_camera"].isChecked()
    assert not one.controller.virtual_camera.is_on


def test_closing_lets_go_of_the_device(bench, possible):
    one = ready(bench().play())
    one.act("virtual_camera")
    one.qtbot.waitUntil(lambda: bool(FakeCamera.made))
    one.window.close()
    assert one.controller.close() is True
    assert FakeCamera.made[0].is_closed


def test_a_camera_that_appears_makes_it_possible(bench, monkeypatch):
    answers = iter(["v4l2loopback is not loaded", ""])
    monkeypatch.setattr("pipelines.recording.availability.why_no_virtual_camera", lambda: next(answers, ""))
    one = ready(bench().play())
    one.controller.cameras_changed.emit()
    one.qtbot.waitUntil(lambda: one.controller.virtual_camera.why_not == "")
    assert one.window.actions_by_id["virtual_camera"].isEnabled()


def test_every_reason_is_known_to_the_translators(module, monkeypatch, tmp_path):
    without_device = why_no_virtual_camera(tmp_path / "missing", "linux")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert {why_no_virtual_camera(), without_device} == set(REASONS)
