"""MediaPipe's side of `benchmarks/vs_mediapipe.py`; runs in an environment of its own and imports nothing of ours.

Reads a line on standard input ("face", "segmentation" or "face+segmentation"), runs the solutions over all frames of
the file that the command line names, and prints the seconds that took and the CPU seconds
of the process. The first line it prints is its version.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import mediapipe as mp
import numpy as np


def main() -> None:
    """Serve until standard input ends."""
    frames = [np.ascontiguousarray(frame[:, :, ::-1]) for frame in np.load(sys.argv[1], mmap_mode="r")]
    face = mp.solutions.face_mesh.FaceMesh(static_image_mode=False, max_num_faces=1, refine_landmarks=True)
    person = mp.solutions.selfie_segmentation.SelfieSegmentation(model_selection=1)
    print(mp.__version__, flush=True)
    with ThreadPoolExecutor(1) as pool:
        for line in sys.stdin:
            what = line.strip()
            start, start_cpu = time.perf_counter(), time.process_time()
            for frame in frames:
                # Both at the same time, as in ours.
                other = pool.submit(person.process, frame) if "segmentation" in what else None
                if "face" in what:
                    face.process(frame)
                if other is not None:
                    other.result()
            print(time.perf_counter() - start, time.process_time() - start_cpu, flush=True)


if __name__ == "__main__":
    main()
