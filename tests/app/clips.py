"""Clips made for the tests of the command line: a real face, moved by hand, encoded by PyAV alone."""

from fractions import Fraction
from functools import lru_cache

import av
import cv2
import numpy as np
from skimage import data

VARIABLE = [0.0, 0.04, 0.08, 0.15, 0.31, 0.35, 0.5, 0.54]
"""Times of a clip with a variable rate, in seconds."""


@lru_cache(maxsize=1)
def collins():
    """NASA's portrait of Eileen Collins (public domain, shipped by scikit-image), BGR, 512x512."""
    return cv2.cvtColor(data.astronaut(), cv2.COLOR_RGB2BGR)


def portrait(size_wh=(320, 240), shift=0.0):
    """The portrait on a canvas, moved sideways."""
    width, height = size_wh
    scale = max(width, height) / 512
    matrix = np.array([[scale, 0, shift], [0, scale, 0]], np.float64)
    return cv2.warpAffine(collins(), matrix, size_wh, borderMode=cv2.BORDER_REPLICATE)


def make_clip(path, times, size_wh=(320, 240), codec="libx264", pix_fmt="yuv420p", rate=25):
    """Write a clip with a frame at each of `times` (seconds) and return the path."""
    base = Fraction(1, 90_000)
    with av.open(f"file:{path}", "w") as container:
        stream = container.add_stream(codec, rate=rate, options={"crf": "18", "bf": "0"} if codec == "libx264" else {})
        stream.width, stream.height = size_wh
        stream.pix_fmt = pix_fmt
        stream.codec_context.time_base = base
        for number, time_s in enumerate(times):
            image = portrait(size_wh, shift=4.0 * np.sin(number / 5))
            frame = av.VideoFrame.from_ndarray(image, format="bgr24").reformat(format=pix_fmt)
            frame.pts, frame.time_base = round(time_s / base), base
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def frame_times(path):
    """Presentation times of a video's frames, in seconds, as its container has them."""
    with av.open(f"file:{path}") as container:
        stream = container.streams.video[0]
        return sorted(
            float(packet.pts * stream.time_base) for packet in container.demux(stream) if packet.pts is not None
        )
