"""The window: its rate against the engine without one, its start against an empty window, and what painting costs.

    python -m benchmarks window

On the display there is, else on Xvfb if it is installed, else on Qt's platform "offscreen". Each measurement is a
process of its own with an empty settings folder, and those that are compared take turns. Python's compiled modules are
kept, as an installed program has them, also where the environment forbids that: the first round makes them.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.rows import Row, in_turn, median_ratio, table

ROUNDS = 3
FIRST = {"first": "first picture", "results": "first picture with results"}
"""Which starts are timed, and what they are called: the source is seen before the models are loaded."""


@contextmanager
def display() -> Iterator[tuple[str, dict[str, str]]]:
    """Give a display: its name in words, and the environment variables that lead to it."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("QT_QPA_PLATFORM"):
        yield "this display", {}
        return
    if shutil.which("Xvfb") is None:
        yield "Qt's offscreen platform", {"QT_QPA_PLATFORM": "offscreen"}
        return
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=(writing,), stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        yield "Xvfb", {"DISPLAY": f":{number}"}
    finally:
        server.terminate()
        server.wait(10)


def child(what: str, environment: dict[str, str]) -> float:
    """Run one measurement and return its figure; moments are returned as seconds since the process was started."""
    with tempfile.TemporaryDirectory() as folder:
        variables = {**os.environ, **environment, "XDG_CONFIG_HOME": folder}
        variables.pop("PYTHONDONTWRITEBYTECODE", None)
        start = time.time()
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.window_child", what],
            cwd=Path(__file__).resolve().parent.parent,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    if done.returncode:
        raise RuntimeError(f"the measurement {what!r} ended with {done.returncode}:\n{done.stderr}")
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures["at_s"] - start if "at_s" in figures else next(iter(figures.values()))


def main() -> list[Row]:
    """Print the figures."""
    with display() as (name, variables), tempfile.TemporaryDirectory() as compiled:
        print(f"on {name}")
        environment = {**variables, "PYTHONPYCACHEPREFIX": compiled}
        starts = in_turn({what: lambda what=what: child(what, environment) for what in ("empty", *FIRST)}, ROUNDS)
        rates = in_turn({what: lambda what=what: child(what, environment) for what in ("engine", "window")}, ROUNDS, 0)
        idle = child("idle", environment)
        # On any screen it is painted by the processor; only here is there room for it everywhere.
        paint_ms = child("paint", {**environment, "QT_QPA_PLATFORM": "offscreen"})
    empty_s = statistics.median(starts["empty"])
    engine_fps, window_fps = (statistics.median(rates[what]) for what in ("engine", "window"))
    rows = [
        Row(
            "window over engine, 1280x720",
            f"{window_fps:.0f} pictures/s, engine {engine_fps:.0f}",
            median_ratio(rates["window"], rates["engine"]),
            0.9,
        ),
        *(
            Row(
                f"{words} of the demo after an empty window",
                f"{statistics.median(starts[what]):.2f} s, empty window {empty_s:.2f} s",
                statistics.median(a - b for a, b in zip(starts[what], starts["empty"], strict=True)),
                1.0,
                "s",
                at_most=True,
            )
            for what, words in FIRST.items()
        ),
        Row("painting a picture", "1920x1080, the window's thread", paint_ms, 2.0, "ms of CPU", at_most=True),
        Row("idle window", "no source", 100 * idle, 1.0, "% of a core", at_most=True),
    ]
    print(table(rows))
    return rows
