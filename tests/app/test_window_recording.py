"""Recording in the window: by key and button, what is in the file, what is shown and told, and how it ends."""

import threading
from dataclasses import replace

import av
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from app.settings import Settings
from app.widgets.recording_badge import badge_text, short_clock, size_words
from pipelines.engine import EngineState
from pipelines.recording.part import PART_SUFFIX
from pipelines.recording.recorder import Recorder, RecordingPhase, RecordingState
from tests.app.window_fakes import CPU, BackendEntry, FakeInventory, result
from tests.patience import PATIENCE_S, within

OTHER = BackendEntry("litert-cpu", "cpu", True, device="Test processor")


def press_r(one):
    one.qtbot.keyClick(QApplication.focusWidget() or one.window, Qt.Key.Key_R)


def stop(one):
    """End the recording by key; return what was saved and how it stood."""
    with one.qtbot.waitSignal(one.controller.recording.saved) as signal:
        press_r(one)
    return signal.args


def pictures(path):
    """(time, BGR picture) of everything in a file."""
    with av.open(str(path)) as container:
        return [
            (float(frame.pts * frame.time_base), frame.to_ndarray(format="bgr24", src_colorspace=1, dst_colorspace=1))
            for frame in container.decode(video=0)
        ]


def near(got, wanted, limit=6.0):
    """Whether two pictures are the same but for the coding."""
    return np.abs(got.astype(int) - wanted.astype(int)).mean() < limit


def test_r_records_what_is_shown_at_the_frames_times(bench, tmp_path):
    one = bench().play()
    press_r(one)
    badge = one.window.badge
    one.qtbot.waitUntil(badge.isVisible)
    shown = [one.engine.view()]
    for _ in range(8):
        one.deliver()
        shown.append(one.engine.view())
    one.qtbot.waitUntil(lambda: one.controller.recording.state.frames == 9)
    saved, state = stop(one)
    assert saved.path.parent == tmp_path / "shots"
    assert saved.path.name.startswith("twinlens-fake-")
    assert [path.name for path in saved.path.parent.iterdir()] == [saved.path.name]
    assert (state.frames, state.dropped) == (9, 0)
    found = pictures(saved.path)
    times = np.array([view.result.frame.timestamp_s for view in shown])
    np.testing.assert_allclose([time_s for time_s, _ in found], times - times[0], atol=1e-4)
    for (_, got), view in zip(found, shown, strict=True):
        assert near(got, view.image_bgr)
        assert not near(got, view.plain_bgr)
    assert not badge.isVisible()
    assert one.window.toast.isVisible()
    assert saved.path.name in one.window.toast.text
    assert "Recording" in one.window.toast.text


def test_the_button_does_the_same_and_says_what_it_would_do(bench):
    one = bench().play()
    button = one.window.on_picture["record"]
    assert button.accessibleName() == "Record"
    one.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert button.accessibleName() == "Stop recording"
    assert one.window.actions_by_id["record"].text() == "Stop recording"
    assert one.controller.recording.is_on
    with one.qtbot.waitSignal(one.controller.recording.saved):
        one.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert button.accessibleName() == "Record"
    assert button.geometry().right() < one.window.on_picture["full"].geometry().left()


def test_without_drawings_the_frames_are_recorded(bench):
    one = bench().play()
    one.act("record_plain")
    assert one.settings.record_plain is True
    press_r(one)
    one.deliver()
    view = one.engine.view()
    saved, _ = stop(one)
    assert near(pictures(saved.path)[1][1], view.plain_bgr)


def test_the_figures_are_on_it_only_when_asked(bench):
    one = bench().play()
    one.deliver(result(640, 360, tasks=("depth",)))
    one.qtbot.waitUntil(lambda: one.controller.figures.pipeline is not None)
    view = one.engine.view()
    corners = []
    for wanted in (False, True):
        one.controller.change(figures_on_screenshot=wanted)
        press_r(one)
        saved, _ = stop(one)
        corners.append(pictures(saved.path)[0][1][:100, :150])
    assert near(corners[0], view.image_bgr[:100, :150])
    # The figures are written in white, which the frame has none of there.
    assert corners[0].min(2).max() < 150
    assert corners[1].min(2).max() > 180


def test_a_split_comparison_is_recorded_as_it_is_divided(bench, tmp_path):
    settings = Settings(compare="split", pipeline_b="litert-cpu", panel=False)
    one = bench(replace(settings, folder=str(tmp_path)), FakeInventory(backends=(CPU, OTHER))).begin("demo")
    one.engine.open()
    base = result(320, 180, tasks=("segmentation",))
    dark = replace(base, backends={"segmentation": "litert-cpu"})
    one.deliver(base, dark)
    view = one.engine.view()
    left, right = np.zeros_like(view.image_bgr), np.full_like(view.image_bgr, 255)
    one.window.view.divider = 0.25
    one.engine._view = replace(view, drawn=left, other_drawn=right)
    press_r(one)
    one.engine.on_update()
    saved, _ = stop(one)
    got = pictures(saved.path)[-1][1][:120]
    assert got[:, :70].mean() < 15
    assert got[:, 90:].mean() > 240


def test_the_file_names_program_backends_and_models(bench):
    one = bench().play()
    press_r(one)
    saved, _ = stop(one)
    with av.open(str(saved.path)) as container:
        said = dict(container.metadata)
    assert said["title"] == "fake"
    assert said["comment"].startswith("twinlens 0.")
    assert "face on ort-cpu" in said["comment"]
    assert "face_mesh" in said["comment"]


def test_the_dot_tells_time_frames_and_size(bench):
    one = bench().play()
    press_r(one)
    for _ in range(40):
        one.deliver()
    badge = one.window.badge
    one.qtbot.waitUntil(lambda: badge.text.startswith("0:01"))
    assert "frame" in badge.text
    assert badge.text.endswith("MB")
    view = one.window.view
    assert view.rect().contains(badge.geometry())
    assert badge.geometry().top() > one.window.on_picture["record"].geometry().bottom()
    image = badge.grab().toImage()
    ratio = image.devicePixelRatio()
    dot = image.pixelColor(QPoint(round(15 * ratio), round(badge.height() / 2 * ratio)))
    assert dot.red() > 200
    assert dot.green() < 120
    one.window.resize(700, 500)
    one.qtbot.waitUntil(lambda: view.rect().contains(badge.geometry()))
    stop(one)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (RecordingState(RecordingPhase.RECORDING, None, 7, 0, 0.2, 0), ["0:00", "7 frame", "0.0 MB"]),
        (RecordingState(RecordingPhase.RECORDING, None, 7, 3, 62.9, 4_200_000), ["1:02", "4.2 MB", "3 left out"]),
        (RecordingState(RecordingPhase.RECORDING, None, 7, 0, 7265.0, 12_340_000_000), ["2:01:05", "12.34 GB"]),
    ],
)
def test_the_words_beside_the_dot(state, words):
    text = badge_text(state)
    for word in words:
        assert word in text
    assert ("left out" in text) is bool(state.dropped)
    assert short_clock(0) == "0:00"
    assert size_words(999_949_999) == "999.9 MB"


def test_nothing_to_record_is_said(bench):
    one = bench().begin()
    press_r(one)
    one.qtbot.waitUntil(lambda: any("nothing to record" in notice.text for notice in one.notifications.notices))
    assert not one.controller.recording.is_on


@pytest.mark.parametrize("how", ["stop", "ended", "failed"])
def test_it_ends_with_the_source(bench, how):
    one = bench().play()
    press_r(one)
    with one.qtbot.waitSignal(one.controller.recording.saved):
        if how == "stop":
            one.act("toggle")
        elif how == "ended":
            one.engine.say("", EngineState.ENDED)
        else:
            one.engine.fail("The camera was unplugged.")
    assert not one.controller.recording.is_on


def test_another_source_goes_on_in_the_same_file_at_its_size(bench):
    one = bench().play()
    press_r(one)
    one.deliver()
    one.controller.open("/videos/other.mp4")
    one.engine.open("other", kind="video", seekable=True)
    one.engine._serial = 0
    one.deliver(result(320, 100, index=7))
    one.deliver(result(320, 100, index=8))
    saved, state = stop(one)
    assert state.frames == 4
    found = pictures(saved.path)
    assert {image.shape for _, image in found} == {(90, 160, 3)}
    times = [time_s for time_s, _ in found]
    np.testing.assert_allclose(np.diff(times), 1 / 30, atol=1e-3)
    # 320 x 100 in 160 x 90: black above and below.
    assert found[3][1][:15].max() < 16
    assert found[3][1][-15:].max() < 16
    assert found[3][1][30:60].max() > 60


def test_holding_the_picture_leaves_no_gap(bench):
    one = bench().play()
    press_r(one)
    one.act("pause")
    one.qtbot.waitUntil(lambda: one.controller.state == "paused")
    assert one.controller.recording.is_on
    one.act("pause")
    one.deliver()
    saved, state = stop(one)
    assert state.frames == 2
    assert pictures(saved.path)[1][0] == pytest.approx(1 / 30, abs=1e-3)


@pytest.mark.parametrize("after_ms", [0, 50, 500])
def test_closing_finishes_the_file_in_time(bench, qtbot, after_ms):
    one = bench().play()
    press_r(one)
    for _ in range(5):
        one.deliver()
    if after_ms:
        qtbot.wait(after_ms)
    with within(2.0):
        one.window.close()
    assert one.controller.close() is True
    (path,) = one.settings.screenshot_folder().iterdir()
    assert path.suffix == ".mp4"
    assert 1 <= len(pictures(path)) <= 6


def test_a_disk_that_hangs_does_not_keep_the_window_open(bench, monkeypatch):
    gate = threading.Event()
    working = threading.Event()
    publish = Recorder._finish

    def hanging(self, *args):
        working.set()
        gate.wait(PATIENCE_S)
        publish(self, *args)

    monkeypatch.setattr(Recorder, "_finish", hanging)
    one = bench().play()
    press_r(one)
    one.deliver()
    with within(2.0):
        one.window.close()
    assert one.controller.close() is False
    (path,) = one.settings.screenshot_folder().iterdir()
    assert path.name.endswith(PART_SUFFIX)
    assert working.is_set()
    gate.set()


def test_a_recording_that_fails_is_told_with_a_way_out(bench, tmp_path):
    (tmp_path / "file").write_text("")
    one = bench(Settings(folder=str(tmp_path / "file" / "below"))).play()
    press_r(one)
    one.qtbot.waitUntil(lambda: bool(one.notifications.notices))
    (notice,) = one.notifications.notices
    assert notice.text.startswith("The recording stopped:")
    assert notice.action == "Choose a folder…"
    assert not one.controller.recording.is_on
    assert not one.window.badge.isVisible()


def test_what_a_crash_has_left_is_saved_at_the_next_start(bench, tmp_path):
    first = bench().play()
    press_r(first)
    first.deliver()
    saved, _ = stop(first)
    left = saved.path.with_name(saved.path.name + PART_SUFFIX)
    saved.path.rename(left)
    second = bench().begin()
    second.qtbot.waitUntil(lambda: bool(second.notifications.notices))
    (notice,) = second.notifications.notices
    assert saved.path.name in notice.text
    assert saved.path.exists()
    assert not left.exists()


def test_a_recorder_that_is_stuck_leaves_pictures_out_and_says_so(bench):
    one = bench().play()
    gate = threading.Event()
    press_r(one)
    one.controller.recording._take.recorder._draw = lambda view: gate.wait(PATIENCE_S) and view.image_bgr
    for _ in range(100):
        one.deliver()
    assert one.controller.recording.state.dropped > 20
    one.qtbot.waitUntil(lambda: "left out" in one.window.badge.text)
    gate.set()
    saved, state = stop(one)
    assert len(pictures(saved.path)) == state.frames == 101 - state.dropped
    assert "left out" in one.window.toast.text


def test_in_another_language_the_commands_say_what_they_do_now(bench):
    one = bench().play()
    press_r(one)
    try:
        one.act("language_zh_TW")
        words = one.window.actions_by_id["record"].text()
        assert words not in ("Record", "Stop recording")
        assert one.window.on_picture["record"].accessibleName() == words
        stop(one)
        assert one.window.actions_by_id["record"].text() != words
    finally:
        one.act("language_en")
    assert one.window.actions_by_id["record"].text() == "Record"
