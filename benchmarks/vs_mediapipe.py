"""End to end against MediaPipe's own Python solutions (0.10.21), on the same 1280x720 frames.

    python -m benchmarks vs_mediapipe

MediaPipe needs packages of its own and runs in another process: the interpreter named by TWINLENS_MEDIAPIPE_PYTHON, or
one in .venv-mediapipe, which is made here when it is missing (pip, requirements/reference.txt). The two processes work
in turn on the same frames, never at the same time, one face, tracking and smoothing on. CPU time is given too: work
of others on the machine hits it less than frames a second. MediaPipe is given RGB frames ready made, and both deliver
a mask at the size of the frame. MediaPipe's is the confidence, enlarged; ours follows the picture's edges: segmentation
is measured both ways, as it is and "like for like", enlarged only.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.live import demo_frames
from benchmarks.rows import Row, in_turn, median_ratio, table
from models.results import SegmentationMask
from models.soft_mask import SoftMask
from pipelines.config import PipelineConfig
from pipelines.frame import Frame
from pipelines.matting import refined
from pipelines.pipeline import Pipeline
from pipelines.tasks import segmentation

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv-mediapipe"
VARIABLE = "TWINLENS_MEDIAPIPE_PYTHON"
ROUNDS = 7
FRAMES = 60
LIKE = "segmentation, like for like"
GOALS = {"face": 1.5, "segmentation": 2.0, LIKE: 2.0, "face+segmentation": 1.8}


def find_python() -> str | None:
    """Return an interpreter that has MediaPipe, or None, after saying why."""
    named = os.environ.get(VARIABLE)
    if named:
        return named
    python = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        print(f"installing MediaPipe into {ENVIRONMENT.name}", flush=True)
        requirements = ROOT / "requirements" / "reference.txt"
        steps = (
            [sys.executable, "-m", "venv", str(ENVIRONMENT)],
            [str(python), "-m", "pip", "install", "--quiet", "--requirement", str(requirements)],
        )
        for step in steps:
            done = subprocess.run(step, capture_output=True, text=True, check=False)
            if done.returncode:
                said = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
                print(
                    f"skipped, MediaPipe could not be installed ({said}); {VARIABLE} names an interpreter that has it"
                )
                return None
    return str(python)


class Peer:
    """The other process: told which solution to run over all frames, it answers with the seconds that took."""

    def __init__(self, python: str, frames_file: Path) -> None:
        script = Path(__file__).with_name("vs_mediapipe_peer.py")
        self._process = subprocess.Popen(
            [python, str(script), str(frames_file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.version = self._answer()
        self.cpu_s: list[float] = []

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line:
            raise RuntimeError("the process with MediaPipe ended early; does the interpreter have it?")
        return line

    def seconds(self, what: str) -> float:
        """Run `what` over all frames."""
        assert self._process.stdin is not None
        self._process.stdin.write(what + "\n")
        self._process.stdin.flush()
        wall_s, cpu_s = map(float, self._answer().split())
        self.cpu_s.append(cpu_s)
        return wall_s

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)


@contextmanager
def peer_on(frames: Sequence[Frame], python: str) -> Iterator[Peer]:
    """Start the other process with these frames."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "frames.npy"
        np.save(file, np.stack([frame.image_bgr for frame in frames]))
        peer = Peer(python, file)
        try:
            yield peer
        finally:
            peer.close()


def seconds(pipeline: Pipeline, frames: Sequence[Frame], cpu_s: list[float]) -> float:
    """Analyse all frames and return the seconds that took; note the CPU seconds.

    The faces of the pass before are still followed: the thorough search of a first frame is not part of tracking. A
    second thread brings the masks to the size of the frame, as the drawing thread of `pipelines.engine` does; the time
    ends when the last one has it.
    """
    masks: Queue[SegmentationMask | None] = Queue(1)

    def enlarge() -> None:
        while (mask := masks.get()) is not None:
            _ = mask.alpha

    thread = threading.Thread(target=enlarge)
    thread.start()
    start, start_cpu = time.perf_counter(), time.process_time()
    for frame in frames:
        mask = pipeline.process(frame).mask
        if mask is not None:
            masks.put(mask)
    masks.put(None)
    thread.join()
    cpu_s.append(time.process_time() - start_cpu)
    return time.perf_counter() - start


def enlarged(
    confidence: NDArray[np.float32], guide: NDArray[np.uint8], image_bgr: NDArray[np.uint8], first: int, end: int
) -> SoftMask:
    """Take a confidence map as it is, to be enlarged bilinearly: stands in for `pipelines.matting.refined`."""
    height, width = image_bgr.shape[:2]
    levels = np.asarray(cv2.convertScaleAbs(confidence, alpha=255.0), np.uint8)
    return SoftMask((first, end), height, (0, 0, width, height), levels)


def main() -> list[Row]:
    """Print the ratios of frames a second."""
    python = find_python()
    if python is None:
        return []
    frames = demo_frames(FRAMES)
    rows = []
    with peer_on(frames, python) as peer:
        for what, goal in GOALS.items():
            tasks = tuple(what.removesuffix(", like for like").split("+"))
            config = PipelineConfig(tasks=tasks, pipeline="ort-cpu", max_faces=1)
            segmentation.refined = enlarged if what == LIKE else refined
            cpu_s: list[float] = []
            peer.cpu_s.clear()
            with Pipeline(config) as pipeline:
                found = in_turn(
                    {
                        "ours": lambda pipeline=pipeline, cpu_s=cpu_s: seconds(pipeline, frames, cpu_s),
                        "peer": lambda what=what: peer.seconds(what),
                    },
                    ROUNDS,
                )
            ours, theirs = (len(frames) / statistics.median(found[name]) for name in ("ours", "peer"))
            cpu_ms, peer_cpu_ms = (min(values) / len(frames) * 1e3 for values in (cpu_s, peer.cpu_s))
            figures = (
                f"{ours:.0f} frames/s and {cpu_ms:.1f} ms of CPU a frame, "
                f"MediaPipe {peer.version} {theirs:.0f} and {peer_cpu_ms:.1f}"
            )
            rows.append(Row(f"{what}, ours over MediaPipe", figures, median_ratio(found["peer"], found["ours"]), goal))
    print(table(rows))
    return rows
