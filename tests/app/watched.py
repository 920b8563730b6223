"""Plays a scenario in the window and prints, as JSON, what its events took: `python -m tests.app.watched NAME`."""

import json
import os
import sys
import tempfile
import threading
import time
import traceback
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

if __name__ == "__main__" and "QT_QPA_PLATFORM" not in os.environ:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"

import av
import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QWidget

from app.changeover import changeover_of
from app.commands import COMMANDS
from app.controller import Controller
from app.inventory import RealInventory
from app.main_window import MainWindow
from app.notifications import Notifications
from app.settings import Settings
from app.theme import Theme
from app.window import SWITCH_S
from pipelines.engine import LiveEngine
from pipelines.sources import SourceInfo, make_source
from tests.app.watchdog import LIMIT_MS, Turns, WatchedApplication
from tests.app.window_fakes import CAMERAS, FakeInventory, result

STEP_MS = 10
ASKED_BY_WINDOW = []
"""What the window's own thread asked the slow disk: however busy the machine is, it must not."""


class Stage:
    """A window that follows a script.

    Parameters
    ----------
    application : WatchedApplication
        Measures.
    folder : Path
        For files.
    """

    def __init__(self, application, folder, inventory=None, write=None, engine=LiveEngine):
        self.application = application
        self.folder = folder
        self.notifications = Notifications()
        self.controller = Controller(
            Settings(folder=str(folder)),
            self.notifications,
            inventory or FakeInventory(CAMERAS),
            write or (lambda settings: None),
            engine,
        )
        self.window = MainWindow(self.controller, Theme(application))
        self._timer = QTimer()
        self._timer.setInterval(STEP_MS)
        self._timer.timeout.connect(self._step)
        self._wait = lambda: True
        self.label = ""
        """What the script is at."""

    def play(self, script):
        """Show the window and run the script: a generator of conditions and of milliseconds to wait for."""
        self.window.show()
        self._script = script
        self._timer.start()
        self.application.exec()

    def play_by_turns(self, turns, script):
        """Show the window and run the script, with `Turns` instead of an event loop."""
        self.window.show()
        # The first picture of the whole window: how long it takes to open is another scenario's.
        self.application.processEvents()
        self._script = script
        turns.run(lambda: self.label if self._advance() else None)
        self.window.close()

    def _step(self):
        if not self._advance():
            self._timer.stop()
            # Closing may wait for threads, with the window gone from the screen: it has a limit of its own.
            self.application.watches = False
            self.window.close()
            self.application.quit()

    def _advance(self):
        """Go on with the script if it is time. Return whether there is more of it."""
        if not self._wait():
            return True
        wanted = next(self._script, None)
        if wanted is None:
            return False
        if callable(wanted):
            self._wait = wanted
        else:
            end = time.monotonic() + wanted / 1e3
            self._wait = lambda: time.monotonic() > end
        return True

    def act(self, name):
        """Trigger a command."""
        self.window.actions_by_id[name].trigger()

    def shows(self):
        """Whether there is a picture on which something was found."""
        picture = self.window.view.picture
        return picture is not None and bool(picture.view.result.results)

    def has_charts(self):
        """Whether the performance strip is complete."""
        return any(type(child).__name__ == "GraphicsView" for child in self.window.strip.findChildren(QWidget))

    def is_in(self, *states):
        """Condition that the engine is in one of some states."""
        return lambda: self.controller.state in states


class SlowPipeline:
    """Takes two seconds to load, and finds what the fakes find."""

    notes = ()

    def __init__(self, config, seconds=2.0):
        threading.Event().wait(seconds)
        self.config = config
        self.load_ms = 1e3 * seconds

    def warm_up(self, frame):
        pass

    def process(self, frame):
        height, width = frame.image_bgr.shape[:2]
        return result(width, height, frame.index, self.config.tasks)

    def reset(self):
        pass

    def close(self):
        pass


class StallingSource:
    """Gives some frames, then none for as long as it is not released."""

    release = threading.Event()

    def __init__(self):
        self.count = 0

    def open(self):
        return SourceInfo("stalling", "camera", True, (640, 360), Fraction(30))

    def read(self):
        self.count += 1
        if self.count > 5:
            self.release.wait(60)
            return None
        return result(640, 360, self.count).frame

    def rewind(self):
        return False

    def close(self):
        pass


# -- scenarios


def proof(application, folder):
    """Handlers that sleep, calculate and wait for a lock, and one that is quick."""
    timer = QTimer()
    lock = threading.Lock()
    lock.acquire()

    def calculate():
        end = time.thread_time() + 0.1
        while time.thread_time() < end:
            pass

    steps = [
        lambda: time.sleep(0.005),
        lambda: time.sleep(0.4),
        calculate,
        lambda: lock.acquire(timeout=0.4),
        application.quit,
    ]

    def step():
        steps.pop(0)()

    timer.timeout.connect(step)
    timer.start(5)
    application.exec()


def proof_of_turns(turns, folder):
    """A step that is quick, one that waits, and an event that does, which comes with others."""
    timer = QTimer()
    timer.setSingleShot(True)
    timer.timeout.connect(lambda: threading.Event().wait(0.4))
    steps = iter(["quick", "waits", "event", "rest", None])

    def step():
        name = next(steps)
        if name == "waits":
            threading.Event().wait(0.4)
        elif name == "event":
            timer.start(0)
        return name

    turns.run(step)


def start(application, folder):
    """The program begins with the demo and the real models."""
    stage = Stage(application, folder, RealInventory())

    def script():
        stage.controller.begin("demo")
        yield stage.shows
        yield stage.has_charts
        yield 1500

    stage.play(script())


def stall(application, folder):
    """A camera that stops giving frames, is stopped and started, and cameras that do not answer."""
    inventory = FakeInventory(CAMERAS)
    inventory.gate.clear()
    stage = Stage(application, folder, inventory, engine=lambda told: LiveEngine(told, source, quick))
    made = []

    def source(text, options):
        made.append(text)
        return StallingSource()

    def quick(config):
        return SlowPipeline(config, 0.0)

    def script():
        stage.controller.begin("camera:0")
        yield stage.shows
        yield 300
        stage.act("pause")
        yield 100
        stage.act("pause")
        stage.act("toggle")
        yield stage.is_in("idle")
        stage.act("toggle")
        yield lambda: len(made) == 2
        stage.controller.open("camera:1")
        yield lambda: len(made) == 3
        stage.act("refresh")
        yield 300
        inventory.gate.set()
        StallingSource.release.set()
        yield 100

    stage.play(script())


def session(application, folder):
    """Pipelines that take two seconds to load, one after the other."""
    stage = Stage(application, folder, engine=lambda told: LiveEngine(told, make_source, SlowPipeline))

    def script():
        stage.controller.begin("demo")
        yield stage.shows
        for faces in (3, 4):
            stage.controller.change(max_faces=faces)
            yield 200
            stage.act("cpu")
            yield 200
            stage.act("auto")
        # On a machine that is slow enough they are all built by now.
        yield lambda: not (stage.controller.status.loading or stage.controller.is_building)
        yield 200

    stage.play(script())


def disk(application, folder):
    """A disk on which every look takes a fifth of a second, and settings take one."""

    def slowly(call):
        def slow(*arguments, **more):
            if threading.current_thread() is threading.main_thread():
                ASKED_BY_WINDOW.append(f"{call.__name__} {arguments[0]}\n{''.join(traceback.format_stack(limit=6))}")
            threading.Event().wait(0.2)
            return call(*arguments, **more)

        return slow

    stage = Stage(
        application,
        folder,
        write=lambda settings: threading.Event().wait(1.0),
        engine=lambda told: LiveEngine(told, make_source, lambda config: SlowPipeline(config, 0.0)),
    )

    def script():
        stage.controller.begin("demo")
        yield stage.shows
        for name in ("open", "mkdir", "replace", "rename", "exists", "is_file", "is_dir", "stat", "glob", "iterdir"):
            setattr(Path, name, slowly(getattr(Path, name)))
        stage.act("screenshot_all")
        stage.controller.change(max_faces=5)
        yield 300
        stage.act("screenshot")
        stage.controller.change(effect=f"replace:{folder / 'nothing.png'}")
        yield lambda: sum(entry.name.endswith(".png") for entry in os.scandir(folder)) > 4
        stage.controller.open(str(folder / "nothing.mp4"))
        yield stage.is_in("failed")
        yield 200

    stage.play(script())


def video(application, folder):
    """A video of 3840 x 2160 pixels, with screenshots, a copy and changes of the window's size."""
    path = folder / "large.mp4"
    write_video(path, 3840, 2160, 30)
    stage = Stage(
        application, folder, engine=lambda told: LiveEngine(told, make_source, lambda config: SlowPipeline(config, 0.0))
    )

    def script():
        stage.controller.begin("demo")
        yield stage.shows
        stage.controller.change(tasks=("segmentation",))
        stage.controller.open(str(path))
        yield lambda: stage.shows() and stage.window.view.picture.view.image_bgr.shape[0] == 2160
        yield 500
        stage.act("screenshot")
        yield 200
        stage.act("copy")
        for width in (900, 1200, 1000):
            stage.window.resize(width, 700)
            yield 200
        yield 500

    stage.play(script())


def commands(turns, folder):
    """Every command once; what opens is closed again."""
    stage = Stage(
        QApplication.instance(),
        folder,
        engine=lambda told: LiveEngine(told, make_source, lambda config: SlowPipeline(config, 0.0)),
    )

    def script():
        stage.label = "start"
        stage.controller.begin("demo")
        yield stage.shows
        yield stage.has_charts
        for command in COMMANDS:
            if command.id == "quit":
                continue
            stage.label = command.id
            stage.act(command.id)
            yield 150
            yield lambda: not changeover_of(QApplication.instance()).is_going_on
            for widget in QApplication.topLevelWidgets():
                if widget.isVisible() and widget is not stage.window and isinstance(widget, QDialog | QMainWindow):
                    widget.close()
            if command.checkable and not command.group:
                stage.act(command.id)
                yield 100
        stage.label = "panel"
        for index in range(stage.window.panel.styles["face"].count()):
            stage.window.panel.styles["face"].activated.emit(index)
            yield 50
        for card in stage.window.panel.cards.values():
            card.fold.click()
            yield 100

    stage.play_by_turns(turns, script())


SCENARIOS = {play.__name__: play for play in (proof, proof_of_turns, start, stall, session, disk, video, commands)}
BY_TURNS = (proof_of_turns, commands)
"""Scenarios that make windows (see `WatchedApplication`)."""


def write_video(path, width, height, count):
    """Write a video of moving colours."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=30)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.options = {"qscale": "5"}
        ramp = np.tile(np.linspace(0, 255, width, dtype=np.uint8), (height, 1))
        for index in range(count):
            pixels = np.dstack([np.roll(ramp, 8 * index, axis=1), ramp, ramp])
            container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="bgr24")))
        container.mux(stream.encode())


def main():
    sys.setswitchinterval(SWITCH_S)
    play = SCENARIOS[sys.argv[1]]
    watch = Turns(QApplication(["watched"])) if play in BY_TURNS else WatchedApplication(["watched"])
    with tempfile.TemporaryDirectory() as folder:
        play(watch, Path(folder))
    watch.stopwatch.finish()
    report = {
        "limit_ms": LIMIT_MS,
        "events": watch.count,
        "longest_ms": watch.stopwatch.longest_ms,
        "with_loops": [] if isinstance(watch, Turns) else sorted(watch.with_loops),
        "asked_by_window": ASKED_BY_WINDOW,
        "too_long": [asdict(held) for held in watch.stopwatch.too_long],
    }
    sys.stdout.write(json.dumps(report))
    sys.stdout.flush()
    # Threads of fakes that hang must not be waited for.
    os._exit(0)


if __name__ == "__main__":
    main()
