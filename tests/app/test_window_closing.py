"""Closing ends in time, whatever is going on, and nothing stays behind; nothing ever makes the window wait."""

import threading

import pytest
from PySide6.QtCore import QTimer

from app.controller import Controller
from app.main_window import MainWindow
from app.notifications import Notifications
from app.settings import Settings
from app.workers import BackgroundJobs, PictureWorker, UpdateGate
from pipelines.engine import EngineState, LiveEngine
from pipelines.errors import SourceError
from pipelines.figures import Figures
from pipelines.sources import SourceInfo
from tests.app.window_fakes import CAMERAS, FakeInventory, result
from tests.patience import PATIENCE_S, Stopped, within


@pytest.mark.parametrize("after_ms", [0, 50, 500])
@pytest.mark.parametrize("what", ["nothing", "demo", "screenshot", "pipeline", "stall", "cameras"])
def test_closing_after_any_action_ends_within_two_seconds(bench, qtbot, after_ms, what):
    inventory = FakeInventory(CAMERAS)
    one = bench(inventory=inventory)
    if what == "cameras":
        inventory.gate.clear()
    if what in ("nothing", "cameras"):
        one.begin()
    else:
        one.play()
    if what == "screenshot":
        one.act("screenshot_all")
    elif what == "pipeline":
        one.engine.hold_changes = True
        one.act("cpu")
    elif what == "stall":
        one.engine.stop_stalls.clear()
    if after_ms:
        qtbot.wait(after_ms)
    with within(2.0):
        one.window.close()
    assert not one.window.isVisible()
    clean = one.controller.close()
    assert clean is (what != "stall")
    if what == "screenshot":
        folder = one.settings.screenshot_folder()
        assert len(list(folder.glob("*.png"))) == 4
        assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_the_settings_are_kept_at_the_end(bench):
    one = bench().play()
    one.controller.change(max_faces=7)
    one.window.close()
    assert one.kept[-1].max_faces == 7
    assert one.kept[-1].geometry != ""


def test_the_place_of_the_window_is_remembered(bench):
    first = bench(Settings(panel=False)).play()
    first.window.resize(700, 640)  # fits on the screen of the platform "offscreen", 800 x 800
    size = first.window.size()
    first.window.close()
    second = bench(Settings(panel=False, geometry=first.kept[-1].geometry))
    assert second.window.size() == size


def test_settings_are_kept_a_moment_after_a_change(bench):
    one = bench().play()
    one.controller.change(max_faces=3)
    one.controller.change(max_faces=4)
    one.qtbot.waitUntil(lambda: bool(one.kept))
    assert [settings.max_faces for settings in one.kept] == [4]


class StuckSource:
    """Opens, then hangs in a driver until it is let go."""

    def __init__(self, hang_in="read"):
        self.hang_in = hang_in
        self.release = threading.Event()

    def open(self):
        if self.hang_in == "open":
            self.release.wait(PATIENCE_S)
            raise SourceError("let go")
        return SourceInfo("stuck", "camera", True, (160, 90))

    def read(self):
        self.release.wait(PATIENCE_S)

    def rewind(self):
        return False

    def close(self):
        pass


class QuickPipeline:
    """Loads at once and finds what the fakes find."""

    def __init__(self, config):
        self.config = config
        self.load_ms = 1.0

    def process(self, frame):
        return result(tasks=self.config.tasks)

    def reset(self):
        pass

    def close(self):
        pass


@pytest.mark.parametrize("hang_in", ["open", "read"])
def test_a_source_that_hangs_keeps_nobody(qtbot, theme, hang_in, caplog):
    source = StuckSource(hang_in)
    notifications = Notifications()
    controller = Controller(
        Settings(),
        notifications,
        FakeInventory(),
        lambda settings: None,
        lambda on_update: LiveEngine(on_update, lambda text, options: source, QuickPipeline),
    )
    window = MainWindow(controller, theme)
    window.show()
    controller.begin("camera:0")
    with Watch() as watch:
        qtbot.wait(300)
        controller.toggle()
        qtbot.wait(300)
        controller.start()
        qtbot.wait(100)
    assert watch.worst_ms < LIMIT_MS
    with within(2.0):
        window.close()
    assert controller.close() is False
    source.release.set()
    for one in (window, controller, notifications):
        one.deleteLater()


LIMIT_MS = 250
"""The promise is 50 ms; a shared machine that runs other things at the same time is given some more."""


class Watch:
    """Measures the longest time for which the event loop did nothing although it had a processor."""

    def __init__(self):
        self.worst_ms = 0.0
        self._timer = QTimer()
        self._timer.setInterval(5)
        self._timer.timeout.connect(self._beat)

    def _beat(self):
        self._watch.__exit__()
        self.worst_ms = max(self.worst_ms, self._watch.seconds * 1e3 - 5)
        self._watch.__enter__()

    def __enter__(self):
        self._watch = Stopped().__enter__()
        self._timer.start()
        return self

    def __exit__(self, *_):
        self._timer.stop()
        self._watch.__exit__()


def test_nothing_blocks_the_window(bench, qtbot):
    """A source that does not stop, cameras that do not answer, a slow disk, and 4K pictures all the while."""
    inventory = FakeInventory(CAMERAS)
    one = bench(inventory=inventory).play()
    slow = threading.Event()
    one.controller._keeper._write = lambda settings: slow.wait(PATIENCE_S)
    big = result(3840, 2160, tasks=("segmentation",))
    one.window.strip.build_plot()
    qtbot.wait(100)
    one.engine.deliver(big)
    view = one.engine.view()
    with Watch() as watch:
        inventory.gate.clear()
        one.controller.refresh_cameras()
        one.engine.stop_stalls.clear()
        one.act("toggle")
        one.controller.change(max_faces=8)
        for number in range(20):
            # Drawing is the engine's work; here only what the window has to do with a 4K picture is meant.
            one.engine._view = type(view)(view.image_bgr, view.result, number)
            one.engine.on_update()
            qtbot.wait(25)
        one.controller._keeper.flush()
        qtbot.wait(50)
    slow.set()
    assert watch.worst_ms < LIMIT_MS
    assert one.controller.picture.view.image_bgr.shape == (2160, 3840, 3)


# -- the parts


def test_at_most_one_message_is_on_its_way(qtbot):
    gate = UpdateGate()
    opened = []
    gate.opened.connect(lambda: opened.append(1))
    threads = [threading.Thread(target=lambda: [gate.knock() for _ in range(200)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    qtbot.waitUntil(lambda: bool(opened))
    qtbot.wait(20)
    assert opened == [1]
    gate.knock()
    qtbot.waitUntil(lambda: len(opened) == 2)
    gate.close()
    gate.knock()
    qtbot.wait(20)
    assert len(opened) == 2


def test_a_knock_while_the_news_is_looked_at_is_not_lost(qtbot):
    gate = UpdateGate()
    opened = []

    def look():
        opened.append(1)
        if len(opened) == 1:
            gate.knock()

    gate.opened.connect(look)
    gate.knock()
    qtbot.waitUntil(lambda: len(opened) == 2)


def test_jobs_bring_their_outcome_to_the_gui_thread(qtbot):
    jobs = BackgroundJobs()
    seen = []

    def note(outcome):
        seen.append((outcome, threading.current_thread()))

    jobs.run("sum", lambda: (1 + 1, threading.current_thread()), note)
    jobs.run("bad", lambda: 1 / 0, failed=note)
    qtbot.waitUntil(lambda: len(seen) == 2)
    done = next(out for out, _ in seen if isinstance(out, tuple))
    assert done[0] == 2
    assert done[1] is not threading.main_thread()
    assert any(isinstance(out, ZeroDivisionError) for out, _ in seen)
    assert {thread for _, thread in seen} == {threading.main_thread()}
    assert jobs.close()


def test_a_closed_job_runner_waits_for_what_is_needed_only(qtbot, caplog):
    jobs = BackgroundJobs()
    release = threading.Event()
    seen = []
    jobs.run("idle", lambda: release.wait(PATIENCE_S), seen.append)
    jobs.run("quick", lambda: 1, seen.append, needed=True)
    assert jobs.close(5.0)
    jobs.run("late", lambda: seen.append("late"))
    release.set()
    qtbot.wait(20)
    assert seen == []


def test_a_needed_job_that_hangs_is_given_up(caplog):
    jobs = BackgroundJobs()
    release = threading.Event()
    jobs.run("stuck", lambda: release.wait(PATIENCE_S), needed=True)
    with within(1.0):
        assert not jobs.close(0.1)
    assert "stuck" in caplog.text
    release.set()


def test_the_picture_worker_follows_view_and_wish(qtbot, bench):
    one = bench().play()
    ready = threading.Event()
    worker = PictureWorker(ready.set)
    worker.start(one.engine)
    worker.wake()
    assert ready.wait(PATIENCE_S)
    assert worker.picture.view is one.engine.view()
    assert worker.close()
    assert worker.close()


def test_figures_stand_still_when_nothing_runs(bench, qtbot):
    one = bench().play()
    qtbot.waitUntil(lambda: one.controller.figures.processed_fps > 0)
    one.act("toggle")
    qtbot.waitUntil(lambda: one.controller.state == "idle")
    samples = len(one.controller.history.samples)
    one.engine.now = Figures()
    qtbot.wait(700)
    assert len(one.controller.history.samples) == samples


def test_begin_twice_starts_once(bench):
    one = bench().begin("demo")
    one.controller.begin("demo")
    assert one.engine.calls.count("start") == 1
    assert one.controller.state == EngineState.OPENING.value
