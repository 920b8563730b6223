"""Playing files: exact places, steps, loops and speeds, and what is remembered across a jump."""

import threading
import time
from itertools import pairwise

import numpy as np
import pytest

from models.results import FaceLandmarks
from pipelines.config import PipelineConfig
from pipelines.engine import EngineState, LiveEngine
from pipelines.engine.pace import LATE_S, Pace
from pipelines.frame import Frame
from pipelines.overlay import OverlayStyle
from pipelines.pipeline import FrameResult
from pipelines.playback import Order, PlaybackDesk
from pipelines.sources import SourceInfo, SourceOptions
from tests.numbered import number_of, write_numbered
from tests.patience import PATIENCE_S, within

CONFIG = PipelineConfig(tasks=("face",))


# -- when a frame is due


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def played(pace, clock, times, speed=1.0):
    """Moments at which frames with these times are shown by somebody who waits as told."""
    moments = []
    for time_s in times:
        while (wait_s := pace.wait_s(time_s, speed)) > 0:
            clock.now += wait_s
        moments.append(clock.now)
    return moments


@pytest.mark.parametrize("speed", [0.25, 0.5, 1.0, 2.0, 4.0])
def test_the_speed_stretches_all_intervals_alike(speed):
    clock = Clock()
    times = [0.0, 0.04, 0.05, 0.5, 0.51, 1.7]
    moments = played(Pace(clock), clock, times, speed)
    np.testing.assert_allclose(np.diff(moments), np.diff(times) / speed, atol=1e-9)


def test_another_speed_counts_from_where_the_file_is():
    clock = Clock()
    pace = Pace(clock)
    assert played(pace, clock, [0.0, 1.0]) == [100.0, 101.0]
    assert pace.wait_s(2.0) == pytest.approx(1.0)
    clock.now += 0.5  # at 1.5 s of the file
    assert pace.wait_s(2.0, 0.5) == pytest.approx(1.0)
    assert pace.wait_s(2.0, 4.0) == pytest.approx(0.125)


def test_who_is_a_little_late_catches_up_and_who_is_very_late_does_not():
    clock = Clock()
    pace = Pace(clock)
    assert pace.wait_s(0.0) == 0
    clock.now += 0.1
    assert pace.wait_s(0.04) == 0
    assert pace.wait_s(0.12) == pytest.approx(0.02)
    clock.now += LATE_S + 1.0
    assert pace.wait_s(0.16) == 0
    assert pace.wait_s(0.20) == pytest.approx(0.04)


def test_a_file_that_was_held_goes_on_at_once():
    clock = Clock()
    pace = Pace(clock)
    pace.wait_s(0.0)
    clock.now += 0.2
    pace.restart()
    assert pace.wait_s(1.0) == 0
    assert pace.wait_s(1.5) == pytest.approx(0.5)


# -- orders


def test_the_newest_place_wins_and_steps_add_up():
    desk = PlaybackDesk()
    for time_s in (1.0, 5.0, 3.0):
        desk.seek(time_s)
    desk.step(2)
    desk.step(-5)
    assert desk.state().is_seeking
    assert desk.state().position_s == 3.0
    assert desk.take() == Order(3.0, -3)
    assert desk.state().is_seeking  # still being looked for
    assert desk.take() is None
    assert not desk.state().is_seeking


def test_a_place_takes_back_the_steps_before_it():
    desk = PlaybackDesk()
    desk.step(4)
    desk.seek(2.0)
    assert desk.take() == Order(2.0, 0)


def test_the_speed_stays_within_its_limits():
    desk = PlaybackDesk()
    desk.set_speed(100.0)
    assert desk.state().speed == 4.0
    desk.set_speed(0.0)
    assert desk.state().speed == 0.25


def test_the_length_grows_with_what_was_seen():
    desk = PlaybackDesk()
    desk.tell(4.0)
    assert desk.state().length_s is None
    desk.tell_length(3.0)
    desk.tell(3.5)
    assert desk.state().length_s == 3.5


# -- the engine with real files


class NumberPipeline:
    """Notes which pictures it sees, and when it is told to forget."""

    def __init__(self, config):
        self.config = config
        self.load_ms = 0.0
        self.notes = []
        self.seen = []

    def process(self, frame):
        self.seen.append((number_of(frame.image_bgr), frame))
        return FrameResult(frame, {"face": FaceLandmarks()}, {}, 1.0, {"face": "ort-cpu"})

    def warm_up(self, frame):
        pass

    def reset(self):
        self.seen.append("reset")

    def close(self):
        pass


@pytest.fixture
def play():
    """Starts the engine on a file; stops it when the test ends."""
    made = []

    def start(path, loop=False, **more):
        news = threading.Event()
        pipelines = []

        def make(config):
            pipelines.append(NumberPipeline(config))
            return pipelines[-1]

        engine = LiveEngine(news.set, pipeline_factory=make, **more)
        engine.news, engine.pipelines = news, pipelines
        engine.set_loop(loop)
        made.append(engine)
        engine.start(str(path), SourceOptions(), CONFIG, OverlayStyle())
        return engine

    yield start
    for engine in made:
        assert engine.stop(PATIENCE_S)


def until(engine, condition, timeout_s=PATIENCE_S):
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain: {engine.status()}, {engine.playback()}"
        engine.news.wait(0.02)
        engine.news.clear()


def shown(engine):
    """Number of the picture that is shown, None before the first."""
    view = engine.view()
    return number_of(view.plain_bgr) if view is not None else None


def held(engine):
    """Hold an engine that shows something."""
    until(engine, lambda: engine.view() is not None)
    engine.pause(True)
    assert engine.status().state is EngineState.PAUSED
    return engine


@pytest.fixture
def clip(tmp_path):
    """Ten seconds, 25 frames a second, a place to start from every half second."""
    options = {"crf": "12", "preset": "ultrafast", "g": "12", "bf": "0"}
    return write_numbered(tmp_path / "numbers.mp4", 250, options=options)


def test_while_held_a_place_is_shown_and_nothing_else(play, clip):
    engine = held(play(clip))
    for number in (200, 3, 121, 249, 0):
        engine.seek(number / 25)
        until(engine, lambda number=number: shown(engine) == number)
        assert engine.view().result.frame.position_s == pytest.approx(number / 25, abs=1e-4)
        until(engine, lambda: not engine.playback().is_seeking)
        assert engine.playback().position_s == engine.view().result.frame.position_s
        assert engine.status().state is EngineState.PAUSED


def test_a_running_file_runs_on_from_there(play, clip):
    engine = play(clip)
    until(engine, lambda: engine.view() is not None)
    engine.seek(6.0)
    until(engine, lambda: (shown(engine) or 0) > 155)
    numbers = [item[0] for item in engine.pipelines[0].seen if item != "reset"]
    after = numbers[numbers.index(150) :]
    assert after == list(range(150, 150 + len(after)))


def test_steps_go_one_frame_on_and_back(play, clip):
    engine = held(play(clip))
    engine.seek(4.0)
    until(engine, lambda: shown(engine) == 100)
    for step, number in ((1, 101), (1, 102), (-1, 101), (-1, 100), (-1, 99), (1, 100), (-30, 70), (5, 75)):
        engine.step(step)
        until(engine, lambda number=number: shown(engine) == number)


def test_a_step_holds_a_running_file(play, clip):
    engine = play(clip)
    until(engine, lambda: (shown(engine) or 0) > 3)
    engine.step(-1)
    until(engine, lambda: engine.status().state is EngineState.PAUSED and not engine.playback().is_seeking)
    numbers = [item[0] for item in engine.pipelines[0].seen if item != "reset"]
    until(engine, lambda: engine.pipelines[0].seen[-1][0] == numbers[-1])
    assert numbers[-1] == numbers[-2] - 1


def test_nothing_that_was_remembered_survives_a_jump(play, clip):
    engine = held(play(clip))
    engine.step(1)
    until(engine, lambda: not engine.playback().is_seeking)
    engine.seek(8.0)
    until(engine, lambda: shown(engine) == 200)
    engine.step(-1)
    until(engine, lambda: shown(engine) == 199)
    engine.step(1)
    until(engine, lambda: shown(engine) == 200)
    seen = engine.pipelines[0].seen
    at = [item if item == "reset" else item[0] for item in seen]
    assert at[at.index(200) - 1] == "reset"
    assert at[at.index(199) - 1] == "reset"
    assert at[-1] == 200
    assert at[-2] == 199  # a step forwards is no jump
    times = [item[1].timestamp_s for item in seen if item != "reset"]
    assert times == sorted(times)
    assert len(set(times)) == len(times)


def test_of_many_places_the_last_one_wins(play, clip):
    engine = held(play(clip))
    for number in range(40, 240):
        engine.seek(number / 25)
    until(engine, lambda: shown(engine) == 239 and not engine.playback().is_seeking)
    assert len(engine.pipelines[0].seen) < 60


def test_without_loop_the_end_is_the_end_until_it_is_played_again(play, tmp_path):
    path = write_numbered(tmp_path / "short.mp4", 10, rate=50)
    engine = play(path)
    until(engine, lambda: engine.status().state is EngineState.ENDED)
    until(engine, lambda: shown(engine) == 9)
    assert engine.playback().rounds == 0
    engine.pause(False)
    until(engine, lambda: engine.status().state is EngineState.RUNNING)
    until(engine, lambda: engine.status().state is EngineState.ENDED)
    numbers = [item[0] for item in engine.pipelines[0].seen if item != "reset"]
    assert numbers.count(0) == 2


def test_from_the_end_one_can_step_back_and_play_on(play, tmp_path):
    engine = play(write_numbered(tmp_path / "short.mp4", 10, rate=50))
    until(engine, lambda: engine.status().state is EngineState.ENDED and shown(engine) == 9)
    engine.step(-1)
    until(engine, lambda: shown(engine) == 8)
    assert engine.status().state is EngineState.PAUSED
    engine.pause(False)
    until(engine, lambda: engine.status().state is EngineState.ENDED)
    until(engine, lambda: shown(engine) == 9)
    engine.set_loop(True)
    engine.pause(False)
    until(engine, lambda: engine.playback().rounds >= 1)


def test_loops_are_counted(play, tmp_path):
    engine = play(write_numbered(tmp_path / "short.mp4", 8, rate=20), loop=True)
    until(engine, lambda: engine.playback().rounds >= 3)
    engine.set_loop(False)
    until(engine, lambda: engine.status().state is EngineState.ENDED)
    rounds = engine.playback().rounds
    numbers = [item[0] for item in engine.pipelines[0].seen if item != "reset"]
    # On a busy machine a frame may be left out, the first of a round too.
    assert sum(after < before for before, after in pairwise(numbers)) == rounds
    assert engine.pipelines[0].seen.count("reset") == rounds


def test_the_length_of_a_file_that_tells_none_is_known_after_its_end(play, tmp_path):
    path = write_numbered(tmp_path / "live.mkv", 12, container_options={"live": "1"})
    engine = play(path)
    until(engine, lambda: engine.view() is not None)
    assert engine.playback().length_s is None
    until(engine, lambda: engine.status().state is EngineState.ENDED)
    assert engine.playback().length_s == pytest.approx(12 / 25, abs=0.01)
    engine.seek(0.2)
    until(engine, lambda: engine.status().state is EngineState.RUNNING)


def test_a_place_can_be_asked_for_before_there_is_a_picture(play, clip):
    engine = play(clip)
    engine.seek(8.0)
    until(engine, lambda: (shown(engine) or 0) >= 200)
    numbers = [item[0] for item in engine.pipelines[0].seen if item != "reset"]
    assert numbers[0] == 200 or numbers[:2] == [0, 200]


def test_the_figures_tell_the_rate_that_is_played(play, tmp_path):
    path = write_numbered(tmp_path / "rate.mp4", 400, rate=20)
    engine = play(path, loop=True)
    until(engine, lambda: engine.figures().frames > 20)
    engine.set_speed(2.0)
    until(engine, lambda: engine.figures().frames > 110)
    # A busy machine oversleeps, but not for ever.
    until(engine, lambda: engine.figures().source_fps == pytest.approx(40, rel=0.2))
    engine.set_speed(0.5)
    until(engine, lambda: engine.figures().frames > 140)
    until(engine, lambda: engine.figures().source_fps == pytest.approx(10, rel=0.2))
    assert engine.playback().speed == 0.5


class UnwindableSource:
    """Twenty frames that can be played again from the beginning, and no other place."""

    def __init__(self):
        self.given = 0

    def open(self):
        return SourceInfo("stream", "stream", False, (64, 48), 50, duration_s=0.4)

    def read(self):
        if self.given >= 20:
            return None
        self.given += 1
        return Frame(np.full((48, 64, 3), self.given, np.uint8), self.given - 1, (self.given - 1) / 50, "stream")

    def rewind(self):
        self.given = 0
        return True

    def close(self):
        pass


def test_what_cannot_be_wound_can_be_held_and_played_again(play):
    source = UnwindableSource()
    engine = play("stream", source_factory=lambda text, options: source)
    until(engine, lambda: engine.status().state is EngineState.ENDED)
    engine.step(-1)
    until(engine, lambda: not engine.playback().is_seeking)
    until(engine, lambda: engine.view().result.frame.position_s == pytest.approx(0.38))
    engine.pause(False)
    until(engine, lambda: engine.status().state is EngineState.ENDED)
    engine.pause(False)
    until(engine, lambda: engine.status().state is EngineState.RUNNING)
    until(engine, lambda: engine.status().state is EngineState.ENDED)


def test_stopping_does_not_wait_for_a_long_search(play, tmp_path):
    options = {"crf": "12", "preset": "ultrafast", "g": "10000", "keyint_min": "10000", "bf": "0"}
    path = write_numbered(tmp_path / "long.mp4", 3000, options=options)
    engine = held(play(path))
    engine.seek(119.0)
    until(engine, lambda: engine.playback().is_seeking or shown(engine) == 2975)
    with within(1.0):
        assert engine.stop(PATIENCE_S)
