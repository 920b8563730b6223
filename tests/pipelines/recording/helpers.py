"""Views with numbered pictures, and what a recording holds."""

import av

from models.results import FaceLandmarks
from pipelines.engine import View
from pipelines.frame import Frame
from pipelines.pipeline import FrameResult
from tests.numbered import SIZE_WH, number_of, numbered


def view(number, time_s=None, serial=None, size_wh=SIZE_WH, source="fake"):
    """What the engine shows of a numbered picture."""
    image = numbered(number, size_wh)
    frame = Frame(image, number, number / 25 if time_s is None else time_s, source)
    found = FrameResult(frame, {"face": FaceLandmarks()}, {}, 1.0, {"face": "ort-cpu"})
    return View(image, found, number + 1 if serial is None else serial)


def held(path):
    """(number, time) of every picture in a file."""
    with av.open(str(path)) as container:
        return [
            (number_of(frame.to_ndarray(format="bgr24")), float(frame.pts * frame.time_base))
            for frame in container.decode(video=0)
        ]


def metadata(path):
    """What the file says of itself."""
    with av.open(str(path)) as container:
        return dict(container.metadata)
