"""AVI stores no times, and its packets come in another order than its pictures where those refer to later ones."""

import av
import numpy as np
import pytest

from pipelines.sources.video import VideoSource

RATE = 25
FRAMES = 30


def write(path, codec, options, skipped=()):
    """Write pictures that brighten by 8 levels each; the numbers in `skipped` are left out."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=RATE, options=options)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for number in range(FRAMES):
            if number in skipped:
                continue
            image = np.full((48, 64, 3), 8 * number, np.uint8)
            frame = av.VideoFrame.from_ndarray(image, format="bgr24").reformat(format="yuv420p")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def read(path):
    source = VideoSource(path)
    source.open()
    times, levels = [], []
    while (frame := source.read()) is not None:
        times.append(frame.timestamp_s)
        levels.append(int(frame.image_bgr.mean()))
    assert source.truncated == ""
    source.close()
    return times, levels


@pytest.mark.parametrize(
    ("codec", "options"),
    [
        ("libx264", {"bf": "2", "b_strategy": "0"}),
        ("libx264", {"bf": "3", "b_strategy": "0", "b-pyramid": "normal"}),
        ("mpeg4", {"bf": "2", "qscale": "2"}),
        ("mpeg4", {"bf": "0", "qscale": "2"}),
    ],
    ids=["H.264", "H.264 pyramid", "MPEG-4", "MPEG-4 in order"],
)
def test_every_picture_is_one_step_after_the_one_before(tmp_path, codec, options):
    times, levels = read(write(tmp_path / "clip.avi", codec, options))
    assert times == pytest.approx([number / RATE for number in range(FRAMES)])
    assert levels == sorted(levels)


def test_a_picture_left_out_leaves_its_time(tmp_path):
    times, _ = read(write(tmp_path / "gap.avi", "mpeg4", {"bf": "0", "qscale": "2"}, skipped=(7, 8)))
    assert times == pytest.approx([number / RATE for number in range(FRAMES) if number not in (7, 8)])
