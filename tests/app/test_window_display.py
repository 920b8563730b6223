"""The program as a user starts it: a process, a screen, a keyboard."""

import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Event

import cv2
import numpy as np
import pytest

from pipelines.overlay import COLOUR_B
from tests.app.clips import frame_times, make_clip
from tests.app.xserver import HAS_XVFB, XServer, comes_true, wait_until
from tests.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
AMBER = (0x24, 0xA5, 0xF5)
TEAL = tuple(int(COLOUR_B[start : start + 2], 16) for start in (5, 3, 1))
LIPS = (61, 291, 0, 17, 13, 14)
"""Landmarks on the lips: corners, outer and inner middle."""


def environment(folder, **more):
    """The variables of this process without those that tell Qt where to draw; settings go into `folder`."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("QT_")}
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        kept.pop(name, None)
    return {**kept, "XDG_CONFIG_HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache"), **more}


def start(folder, *arguments, **variables):
    return subprocess.Popen(
        [sys.executable, "-m", "app", *arguments],
        cwd=ROOT,
        env=environment(folder, **variables),
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
@pytest.mark.parametrize(
    ("display", "sentence"),
    [(None, "there is no display to open a window on"), (":4711", "the display :4711 does not answer")],
)
def test_without_a_display_one_sentence_says_so(tmp_path, display, sentence):
    variables = {} if display is None else {"DISPLAY": display}
    program = start(tmp_path, "--source", "demo", **variables)
    _, errors = program.communicate(timeout=PATIENCE_S)
    assert program.returncode == 1
    assert errors.startswith(f"twinlens: {sentence}")
    assert errors.count("\n") == 1


class RealWindow:
    """The program on an X server of its own, 1280 x 800."""

    def __init__(self, home, *arguments, **settings):
        self.settings_file = home / "twinlens" / "settings.json"
        self.settings_file.parent.mkdir()
        self.settings_file.write_text(json.dumps({"version": 1, "theme": "dark", **settings}))
        self.server = XServer(home)
        self.program = start(home, *arguments, DISPLAY=self.server.display)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.program.poll() is None:
            self.program.kill()
            self.program.communicate()
        self.server.close()

    def screen(self):
        assert self.program.poll() is None, f"the program ended: {self.program.communicate()[1]}"
        return self.server.screen().astype(int)

    def press(self, keys):
        self.server.keyboard.press(keys)

    def settings(self):
        return json.loads(self.settings_file.read_text())

    def cpu_s(self):
        """Seconds of processor time that the program has used."""
        fields = Path(f"/proc/{self.program.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def has_divider(self):
        return is_divided(self.screen()[100:560, : 1280 - 288])

    def has_picture(self):
        """The middle is no longer plain, and the amber chip of the figures is there."""
        screen = self.screen()
        chip = np.abs(screen[80:180, 10:60] - AMBER).max(axis=2) <= 12
        return screen[150:600, 300:700].std() > 30 and chip.sum() > 100

    def has_sheet(self):
        """A dark sheet covers most of the middle."""
        return (self.screen()[200:400, 350:700].max(axis=2) < 60).mean() > 0.7

    def is_at_rest(self):
        """Nothing moves for a second and a half: on a busy machine a frame takes as long as that."""
        before = self.screen()
        for _ in range(3):
            Event().wait(0.5)
            if not np.array_equal(before[200:560, 250:650], self.screen()[200:560, 250:650]):
                return False
        return True


def find(screen, picture):
    """Find where on the screen a picture of the window's width lies; return its top, and how far it differs there."""
    height = picture.shape[0]
    part = np.s_[200:450, 250:650]  # free of figures, buttons, messages and the depth card
    errors = {
        top: np.abs(screen[top : top + height, : picture.shape[1]][part] - picture[part]).mean()
        for top in range(60, 120)
    }
    top = min(errors, key=errors.get)
    return top, errors[top]


def on_screen(path, width, flags=cv2.IMREAD_COLOR):
    image = cv2.imread(str(path), flags)
    size = (width, round(image.shape[0] * width / image.shape[1]))
    return cv2.resize(image, size, interpolation=cv2.INTER_LINEAR).astype(int)


@pytest.mark.display
@pytest.mark.timeout(1200)
@pytest.mark.skipif(not HAS_XVFB, reason="Xvfb is not installed")
def test_a_session_from_the_first_picture_to_the_last(tmp_path):
    shots, clip = tmp_path / "shots", make_clip(tmp_path / "c.mp4", [n / 25 for n in range(50)])
    chosen = {"folder": str(shots), "max_faces": 3, "pipeline_b": "ort-cpu", "processing": {"crf": 40}}
    with RealWindow(tmp_path, "--source", "demo", "--max-faces", "1", **chosen) as window:
        wait_until(window.has_picture, PATIENCE_S, "a picture")
        # The promise is 3 s; here others use the machine at the same time, so that only its own work counts.
        assert window.cpu_s() < 12
        look_at_the_demo(window, shots)
        open_through_the_dialog(window, "o", clip)
        wait_until(lambda: window.settings()["recent"] == [str(clip)], PATIENCE_S, "the clip to be played")

        window.press("1")
        wait_until(lambda: window.settings()["pipeline"] == "cpu", PATIENCE_S, "the other pipeline")
        window.press("c")
        wait_until(window.has_divider, PATIENCE_S, "the divider")
        compared = shoot(window, shots)
        assert is_divided(cv2.imread(str(compared)))

        window.press("r")
        part = wait_until(lambda: next(shots.glob("*.mp4.part"), None), PATIENCE_S, "a recording")
        wait_until(lambda: part.stat().st_size > 20_000, PATIENCE_S, "some of it")
        window.press("r")
        recorded = wait_until(lambda: next(shots.glob("*.mp4"), None), PATIENCE_S, "the end of it")
        assert len(frame_times(recorded)) > 1

        process(window, clip)
        window.press("space")  # a frame in progress may take longer than the program waits for it at its end
        wait_until(window.is_at_rest, PATIENCE_S, "the picture to stop")
        window.press("ctrl+q")
        _, errors = window.program.communicate(timeout=PATIENCE_S)
        assert (window.program.returncode, errors) == (0, "")
        kept = window.settings()
        assert (kept["source"], kept["max_faces"], kept["compare"]) == (str(clip), 1, "split")


def look_at_the_demo(window, shots):
    """The sheet with the keys, then the picture at rest against the layers that are saved of it."""
    window.press("question")
    wait_until(window.has_sheet, PATIENCE_S, "the sheet with the keys")
    window.press("escape")
    wait_until(lambda: not window.has_sheet(), PATIENCE_S, "the picture again")
    window.press("space")
    wait_until(window.is_at_rest, PATIENCE_S, "the picture to stop")
    window.press("S")
    wait_until(lambda: list(shots.glob("*-landmarks.json")), PATIENCE_S, "the screenshot with its layers")
    check_the_three_results(window.screen(), next(shots.glob("*-landmarks.json")))


def open_through_the_dialog(window, key, path):
    """Press a key that asks for a file, and write its name.

    The dialog of Qt loses letters while its list of suggestions opens, and a key that is pressed in the moment in
    which another window closes may be lost: what had no effect is done again.
    """
    keyboard = window.server.keyboard
    others = len(keyboard.windows())

    def is_open():
        keyboard.press(key)
        return comes_true(lambda: len(keyboard.windows()) > others)

    def is_answered():
        if comes_true(lambda: len(keyboard.windows()) > others + 1, 0.2):
            keyboard.press("return")  # "file not found": something was lost
        keyboard.press("ctrl+a")
        keyboard.type(str(path))
        Event().wait(0.2)
        keyboard.press("return")
        return comes_true(lambda: len(keyboard.windows()) == others)

    wait_until(is_open, PATIENCE_S, "the dialog")
    wait_until(is_answered, PATIENCE_S, "the dialog to close")


def shoot(window, shots):
    """Save a screenshot; return its path."""
    before = set(shots.glob("*.png"))
    window.press("s")
    return wait_until(lambda: next(iter(set(shots.glob("*.png")) - before), None), PATIENCE_S, "the screenshot")


def process(window, clip):
    """Process a file in the window for that, and close it."""
    window.press("ctrl+p")
    wait_until(lambda: len(window.server.keyboard.windows()) == 2, PATIENCE_S, "the window for files")
    open_through_the_dialog(window, "ctrl+o", clip)
    output = clip.with_name("c.twinlens.mp4")

    # "Start" is light once there is something to start, in the lower right corner.
    wait_until(lambda: (window.screen()[720:760, 1080:1180] > 200).mean() > 0.5, PATIENCE_S, "the file in the queue")
    window.press("ctrl+return")
    wait_until(output.exists, PATIENCE_S, "the file that was made")
    assert len(frame_times(output)) == 50

    def is_closed():
        window.press("escape")  # the first takes the marks off the list
        return len(window.server.keyboard.windows()) == 1

    wait_until(is_closed, PATIENCE_S, "the window for files to close")
    Event().wait(0.5)  # until the window behind it has the keyboard


def is_divided(image):
    """Whether the divider stands in the middle of a picture: amber left, teal right of it."""
    height, width = image.shape[:2]
    around = image[height // 3 : height // 2, width // 2 - 12 : width // 2 + 12].astype(int)
    amber, teal = (np.abs(around - color).max(axis=2) <= 40 for color in (AMBER, TEAL))
    return bool(amber.any(axis=1).all() and teal.any(axis=1).all())


@pytest.mark.skipif(sys.platform == "win32", reason="no signals to send")
def test_an_interrupt_from_the_terminal_closes_the_window(tmp_path):
    code = """
import os, signal, sys
from app.__main__ import main
from app.main_window import MainWindow
shown = MainWindow.showEvent
def show(self, event):
    shown(self, event)
    os.kill(os.getpid(), signal.SIGINT)
MainWindow.showEvent = show
sys.exit(main([]))
"""
    program = subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        cwd=ROOT,
        env=environment(tmp_path, QT_QPA_PLATFORM="offscreen"),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert program.returncode == 130
    assert "Traceback" not in program.stderr


def check_the_three_results(screen, landmarks_file):
    """What is on the screen is the frame that was saved, with face, person and depth in their places."""
    stem = landmarks_file.name.removesuffix("-landmarks.json")

    def layer(name):
        return landmarks_file.with_name(f"{stem}{name}.png")

    assert cv2.imread(str(layer(""))).shape == (720, 1280, 3)
    width = 1280 - 288  # all but the side panel
    annotated, plain = on_screen(layer(""), width), on_screen(layer("-plain"), width)
    top, error = find(screen, annotated)
    assert error < 2
    shown = screen[top : top + annotated.shape[0], :width]

    (face,) = json.loads(landmarks_file.read_text())["faces"]
    assert len(face["landmarks"]) == 478
    for index in LIPS:
        x, y, _ = (value * width / 1280 for value in face["landmarks"][index])
        around = np.s_[round(y) - 3 : round(y) + 4, round(x) - 3 : round(x) + 4]
        assert np.abs(shown[around] - plain[around]).max() > 40, f"nothing is drawn at landmark {index}"

    mask = on_screen(layer("-mask"), width, cv2.IMREAD_GRAYSCALE)
    free = np.zeros(mask.shape, bool)
    free[100:380, 100:700] = True
    person, rest = free & (mask > 250), free & (mask < 5)
    assert person.sum() > 10_000
    assert rest.sum() > 10_000

    def violet(image, where):
        return (image[where][:, 0] - image[where][:, 1]).mean()

    assert violet(shown, person) > violet(plain, person) + 8, "the person is not tinted"
    assert abs(violet(shown, rest) - violet(plain, rest)) < 4, "the background is tinted"

    depth = cv2.imread(str(layer("-depth")), cv2.IMREAD_UNCHANGED)
    card = shown[400:520, 735:970].sum(axis=2).astype(np.float64)
    small = cv2.resize(depth, (258, 145), interpolation=cv2.INTER_AREA)
    scores = [
        np.corrcoef(card.ravel(), small[y : y + 120, x : x + 235].ravel().astype(np.float64))[0, 1]
        for y in range(0, 25, 2)
        for x in range(0, 23, 2)
    ]
    assert max(scores) > 0.95, "the depth card does not show the depth"
