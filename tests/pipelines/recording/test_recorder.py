"""Recordings hold every picture at its time, can be played whatever happens, and never make anybody wait."""

import errno
import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest

from pipelines.recording.fit import fitted_into
from pipelines.recording.part import PART_SUFFIX, RecordingPart
from pipelines.recording.recorder import FREE_BYTES, Recorder, RecordingPhase
from pipelines.recording.recovery import recover
from tests.numbered import number_of, numbered
from tests.patience import PATIENCE_S
from tests.pipelines.recording.helpers import held, metadata, view

ROOT = Path(__file__).parents[3]


def picture(shown):
    return shown.image_bgr


def record(folder, views, **more):
    recorder = Recorder(folder, picture, **more)
    recorder.start()
    for one in views:
        recorder.offer(one)
    recorder.finish()
    assert recorder.join(PATIENCE_S)
    return recorder.state()


def test_every_picture_is_there_at_its_time(tmp_path):
    times = [3.0, 3.04, 3.05, 3.3, 3.31, 4.9, 4.95, 5.0, 5.7]
    state = record(tmp_path / "new", [view(number, time_s) for number, time_s in enumerate(times)])
    assert state.phase is RecordingPhase.SAVED
    assert re.fullmatch(r"twinlens-fake-\d{8}-\d{6}-\d{3}\.mp4", state.path.name)
    assert [path.name for path in state.path.parent.iterdir()] == [state.path.name]
    assert state.bytes == state.path.stat().st_size
    assert (state.frames, state.dropped) == (9, 0)
    numbers, found = zip(*held(state.path), strict=True)
    assert list(numbers) == list(range(9))
    np.testing.assert_allclose(found, np.array(times) - times[0], atol=1e-5)


def test_the_finished_file_is_a_plain_one_with_a_length(tmp_path):
    state = record(tmp_path, [view(number) for number in range(50)])
    with av.open(str(state.path)) as container:
        assert container.duration / av.time_base == pytest.approx(2.0, abs=0.001)
        stream = container.streams.video[0]
        assert stream.frames == 50
        assert stream.codec_context.name == "h264"
        assert float(stream.average_rate) == pytest.approx(25, abs=0.01)
    kinds = [kind for kind, _ in boxes(state.path)]
    assert b"moof" not in kinds
    assert kinds[-1] == b"moov"


def boxes(path):
    data, at, found = path.read_bytes(), 0, []
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        found.append((data[at + 4 : at + 8], length))
        at += length
    return found


def test_it_says_what_made_it(tmp_path):
    state = record(tmp_path, [view(0), view(1)], notes=lambda shown: {"models": "face_mesh"})
    said = metadata(state.path)
    assert said["title"] == "fake"
    assert re.fullmatch(r"twinlens \S+; face on ort-cpu; models: face_mesh", said["comment"])


def test_colours_are_those_of_the_picture(tmp_path):
    shown = view(0, size_wh=(64, 64))
    image = np.zeros((64, 64, 3), np.uint8)
    image[:32, :32], image[:32, 32:], image[32:, :32], image[32:, 32:] = (
        (200, 40, 40),
        (40, 180, 40),
        (40, 40, 220),
        128,
    )
    state = record(tmp_path, [replace(shown, drawn=image)])
    with av.open(str(state.path)) as container:
        frame = next(container.decode(video=0))
        got = frame.to_ndarray(format="bgr24", src_colorspace=1, dst_colorspace=1)
    for y, x in ((16, 16), (16, 48), (48, 16), (48, 48)):
        np.testing.assert_allclose(got[y, x].astype(int), image[y, x].astype(int), atol=8)


def test_a_picture_of_another_size_is_fitted_into_the_first(tmp_path):
    views = [view(0, size_wh=(96, 64)), view(1, size_wh=(192, 128)), view(2, size_wh=(64, 128))]
    state = record(tmp_path, views)
    with av.open(str(state.path)) as container:
        frames = [frame.to_ndarray(format="bgr24") for frame in container.decode(video=0)]
    assert [frame.shape for frame in frames] == [(64, 96, 3)] * 3
    assert [number_of(frame) for frame in frames[:2]] == [0, 1]
    # 64 x 128 into 96 x 64 is 32 x 64 in the middle.
    assert number_of(frames[2][:, 32:64]) == 2
    assert frames[2][:, :28].max() < 12
    assert frames[2][:, 68:].max() < 12


@pytest.mark.parametrize("size_wh", [(95, 63), (96, 63), (1, 1), (3, 200)])
def test_odd_sizes(tmp_path, size_wh):
    state = record(tmp_path, [view(number, size_wh=size_wh) for number in range(3)])
    assert state.phase is RecordingPhase.SAVED
    with av.open(str(state.path)) as container:
        stream = container.streams.video[0]
        assert (stream.width, stream.height) == (size_wh[0] + size_wh[0] % 2, size_wh[1] + size_wh[1] % 2)


def test_fitting_keeps_the_shape():
    image = fitted_into(np.full((10, 40, 3), 255, np.uint8), (40, 40))
    assert (image[15:25] == 255).all()
    assert not image[:15].any()
    assert not image[25:].any()
    same = numbered(5)
    np.testing.assert_array_equal(fitted_into(same, same.shape[1::-1]), same)


def test_another_source_goes_on_in_the_same_file(tmp_path):
    first = [view(number, 10 + number / 10) for number in range(4)]
    second = [view(number, 500 + number / 10, serial=number - 9) for number in range(10, 14)]
    state = record(tmp_path, [*first, *second])
    numbers, times = zip(*held(state.path), strict=True)
    assert list(numbers) == [0, 1, 2, 3, 10, 11, 12, 13]
    np.testing.assert_allclose(times, np.arange(8) / 10, atol=1e-4)


def test_what_is_only_drawn_again_is_not_recorded_twice(tmp_path):
    one = view(0)
    state = record(tmp_path, [one, one, view(0, serial=2), view(1, serial=3)])
    assert [number for number, _ in held(state.path)] == [0, 1]


def test_nothing_recorded_leaves_nothing(tmp_path):
    state = record(tmp_path / "new", [])
    assert state.phase is RecordingPhase.EMPTY
    assert not (tmp_path / "new").exists()


def test_two_at_the_same_time_have_two_names(tmp_path):
    recorders = [Recorder(tmp_path, picture) for _ in range(2)]
    for one in recorders:
        one.start()
        one.offer(view(0))
    for one in recorders:
        one.finish()
        assert one.join(PATIENCE_S)
    assert len({one.state().path for one in recorders}) == 2
    assert len(list(tmp_path.iterdir())) == 2


def test_a_slow_disk_drops_pictures_and_holds_up_nobody(tmp_path):
    gate = threading.Event()

    def slow(shown):
        gate.wait(PATIENCE_S)
        return shown.image_bgr

    recorder = Recorder(tmp_path, slow)
    recorder.start()
    start = time.process_time()
    for number in range(200):
        recorder.offer(view(number))
    assert time.process_time() - start < 2.0
    dropped = recorder.state().dropped
    assert dropped > 100
    gate.set()
    recorder.finish()
    assert recorder.join(PATIENCE_S)
    state = recorder.state()
    assert state.frames + state.dropped == 200
    numbers, times = zip(*held(state.path), strict=True)
    assert len(numbers) == state.frames
    # Those that are there are there at their own times.
    np.testing.assert_allclose(times, np.array(numbers) / 25, atol=1e-4)


def test_ending_in_a_hurry_leaves_out_what_waits_and_finishes_the_file(tmp_path):
    gate, entered = threading.Event(), threading.Event()

    def slow(shown):
        if shown.serial > 3:
            entered.set()
            gate.wait(PATIENCE_S)
        return shown.image_bgr

    recorder = Recorder(tmp_path, slow)
    recorder.start()
    for number in range(30):
        recorder.offer(view(number))
    assert entered.wait(PATIENCE_S)
    recorder.finish(within_s=0.0)
    gate.set()
    assert recorder.join(PATIENCE_S)
    state = recorder.state()
    assert state.phase is RecordingPhase.SAVED
    assert state.frames == 4
    assert state.dropped == 26
    assert [number for number, _ in held(state.path)] == [0, 1, 2, 3]


class FullDisk(RecordingPart):
    """A disk with room for so many bytes."""

    ROOM = 20_000

    def write(self, data):
        if not self._is_sealed and self.tell() + len(data) > self.ROOM:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(data)


def noisy(count):
    rng = np.random.default_rng(0)
    return [replace(view(number), drawn=rng.integers(0, 256, (64, 96, 3), np.uint8)) for number in range(count)]


def test_a_full_disk_ends_it_with_a_sentence_and_keeps_what_there_is(tmp_path, monkeypatch):
    monkeypatch.setattr("pipelines.recording.recorder.RecordingPart", FullDisk)
    monkeypatch.setattr(FullDisk, "ROOM", 150_000)
    state = record(tmp_path, noisy(60))
    assert state.phase is RecordingPhase.FAILED
    assert "no space left on device" in state.message
    assert state.path.name in state.message
    assert [path.name for path in tmp_path.iterdir()] == [state.path.name]
    times = [time_s for _, time_s in held(state.path)]
    assert len(times) >= 20
    np.testing.assert_allclose(times, np.arange(len(times)) / 25, atol=1e-4)


def test_a_disk_that_is_full_from_the_start_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("pipelines.recording.recorder.RecordingPart", FullDisk)
    state = record(tmp_path, noisy(60))
    assert state.phase is RecordingPhase.FAILED
    assert state.path is None
    assert list(tmp_path.iterdir()) == []


def test_it_ends_in_good_order_before_the_disk_is_full(tmp_path, monkeypatch):
    monkeypatch.setattr("pipelines.recording.recorder.CHECK_S", 0.0)
    room = iter([FREE_BYTES * 10, FREE_BYTES * 2, FREE_BYTES * 2, FREE_BYTES - 1])
    state = record(tmp_path, [view(number) for number in range(30)], free_bytes=lambda path: next(room))
    assert state.phase is RecordingPhase.SAVED
    assert "63 MB are left" in state.message
    assert [number for number, _ in held(state.path)] == [0, 1, 2]


def test_without_room_it_does_not_begin(tmp_path):
    state = record(tmp_path, [view(0)], free_bytes=lambda path: 1 << 20)
    assert state.phase is RecordingPhase.FAILED
    assert "no room" in state.message
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    state = record(tmp_path / "file" / "below", [view(0)])
    assert state.phase is RecordingPhase.FAILED
    assert "cannot be used" in state.message


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be removed elsewhere")
def test_a_folder_that_goes_away_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr("pipelines.recording.recorder.CHECK_S", 0.0)
    begun, gone = threading.Event(), threading.Event()

    def draw(shown):
        if shown.serial == 3:
            begun.set()
            gone.wait(PATIENCE_S)
        return shown.image_bgr

    recorder = Recorder(tmp_path / "sub", draw)
    recorder.start()
    for number in range(8):
        recorder.offer(view(number))
    assert begun.wait(PATIENCE_S)
    for path in (tmp_path / "sub").iterdir():
        path.unlink()
    (tmp_path / "sub").rmdir()
    gone.set()
    assert recorder.join(PATIENCE_S)
    assert recorder.state().phase is RecordingPhase.FAILED
    assert "was removed" in recorder.state().message
    assert recorder.state().path is None


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_in_drawing_keeps_what_was_recorded(tmp_path):
    def draw(shown):
        if shown.serial > 60:
            raise ZeroDivisionError("a bug")
        return shown.image_bgr

    recorder = Recorder(tmp_path, draw)
    recorder.start()
    for number in range(30, 70):
        recorder.offer(view(number))
    assert recorder.join(PATIENCE_S)
    assert recorder.state().phase is RecordingPhase.FAILED
    assert "ZeroDivisionError" in recorder.state().message
    assert len(held(recorder.state().path)) >= 20


CHILD = """
import sys, time
from pathlib import Path
from pipelines.recording.recorder import Recorder
from tests.pipelines.recording.helpers import view
recorder = Recorder(Path(sys.argv[1]), lambda shown: shown.image_bgr)
recorder.start()
for number in range(10**6):
    recorder.offer(view(number, 0.03 * number))
    while recorder.state().frames <= number and not recorder.state().is_over:
        time.sleep(0.001)
    print(number, flush=True)  # the encoder has it: a busy machine may be late, but loses nothing
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_a_killed_recording_lacks_its_last_second_at_most(tmp_path):
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    told = next(number for number in map(int, child.stdout) if 0.03 * number > 4.0)
    child.send_signal(signal.SIGKILL)
    child.wait(PATIENCE_S)
    child.stdout.close()
    part = next(tmp_path.iterdir())
    assert part.name.endswith(f".mp4{PART_SUFFIX}")
    # It can be played as it is, and under its name after the next start.
    as_it_is = held(part)
    (saved,) = recover(tmp_path)
    assert saved.name == part.name.removesuffix(PART_SUFFIX)
    assert list(tmp_path.iterdir()) == [saved]
    found = held(saved)
    assert found == as_it_is
    numbers, times = zip(*found, strict=True)
    assert list(numbers) == list(range(len(numbers)))
    np.testing.assert_allclose(times, 0.03 * np.array(numbers), atol=1e-4)
    assert 0.03 * told - times[-1] < 1.1


def test_a_recording_that_goes_on_is_not_recovered(tmp_path):
    begun = threading.Event()
    recorder = Recorder(tmp_path, picture, on_change=begun.set)
    recorder.start()
    recorder.offer(view(0))
    assert begun.wait(PATIENCE_S)
    assert recover(tmp_path) == ()
    recorder.finish()
    assert recorder.join(PATIENCE_S)
    assert recorder.state().phase is RecordingPhase.SAVED


def test_what_cannot_be_played_is_cleared_away_and_what_is_not_ours_is_left(tmp_path):
    (tmp_path / "twinlens-a-20260101-000000-000.mp4.part").write_bytes(b"")
    (tmp_path / "twinlens-b-20260101-000000-000.mp4.part").write_bytes(b"\0\0\0\x10ftypisom\0\0\0\0" + b"\0\0")
    (tmp_path / "holiday.mp4.part").write_bytes(b"")
    assert recover(tmp_path) == ()
    assert [path.name for path in tmp_path.iterdir()] == ["holiday.mp4.part"]
    assert recover(tmp_path / "missing") == ()


def test_a_name_that_is_taken_is_never_overwritten(tmp_path):
    state = record(tmp_path, [view(number) for number in range(30)])
    part = state.path.with_name(state.path.name + PART_SUFFIX)
    part.write_bytes(state.path.read_bytes())
    before = state.path.read_bytes()
    assert recover(tmp_path) == ()
    assert state.path.read_bytes() == before
    assert part.exists()


@pytest.mark.parametrize("cut", [1, 100, 1000])
def test_a_finished_file_that_was_not_renamed_is_whole(tmp_path, cut):
    state = record(tmp_path, [view(number) for number in range(60)])
    data = state.path.read_bytes()
    state.path.unlink()
    part = tmp_path / f"{state.path.name}{PART_SUFFIX}"
    part.write_bytes(data)
    (saved,) = recover(tmp_path)
    assert saved.read_bytes() == data
    assert len(held(saved)) == 60
    # One that lost its index cannot be played, but it is not ours to throw away.
    saved.rename(part)
    with part.open("r+b") as file:
        file.truncate(len(data) - cut)
    assert recover(tmp_path) == ()
    assert part.stat().st_size == len(data) - cut


def test_recovery_needs_no_pyav():
    """It runs while another thread imports PyAV, which does not bear to be imported twice at once."""
    code = "import sys, pipelines.recording.recovery; sys.exit('av' in sys.modules or 'cv2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
