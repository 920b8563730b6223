"""Decoded frames go away when nobody uses them, not when the collector of cycles finds them."""

import gc
from pathlib import Path

import pytest
from av import VideoFrame

from pipelines.sources import SourceOptions, make_source

DEMO = Path(__file__).parents[3] / "assets/demo.mp4"


@pytest.fixture
def cycles():
    """A list of what only the collector of cycles would have freed; it is off meanwhile."""
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    found = gc.garbage
    found.clear()
    yield found
    gc.set_debug(0)
    found.clear()
    gc.enable()
    gc.collect()


def test_a_long_video_leaves_no_frames_to_the_collector(cycles):
    source = make_source(str(DEMO), SourceOptions())
    source.open()
    count = 0
    while source.read() is not None:
        count += 1
    source.close()
    gc.collect()
    # The first frame's side data are read, and refer back to it.
    assert count > 50
    assert sum(isinstance(item, VideoFrame) for item in cycles) <= 1
