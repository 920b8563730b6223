"""High dynamic range against the figures of its standards, and from file to picture."""

import av
import numpy as np
import pytest

from pipelines.sources.tone_mapping import (
    BT2020_TO_BT709,
    PEAK_NITS,
    WHITE_NITS,
    Transfer,
    compressed,
    hlg_light,
    pq_light,
    pq_signal,
    tone_mapped,
)
from pipelines.sources.video import VideoSource
from tests.clips import play, write_clip


def one(transfer, *signal, wide=True):
    """A pixel of an R, G, B signal in [0, 1], as R, G, B."""
    pixel = np.rint(np.array([[signal]]) * 65535).astype(np.uint16)
    return tone_mapped(pixel, transfer, wide)[0, 0, ::-1].astype(int)


@pytest.mark.parametrize(
    ("nits", "signal"),
    [(0.0, 0.0), (100.0, 0.508078), (203.0, 0.580689), (1000.0, 0.751827), (4000.0, 0.902572), (10000.0, 1.0)],
)
def test_pq_is_that_of_st_2084(nits, signal):
    """Values as BT.2408 and BT.2390 give them, rounded there to two or three digits, e.g. 58 % for 203 cd/m2."""
    assert pq_signal(np.array(nits)) == pytest.approx(signal, abs=1e-6)
    assert pq_light(np.array(signal)) == pytest.approx(nits, rel=2e-5, abs=1e-9)


@pytest.mark.parametrize(("signal", "nits"), [(0.0, 0.0), (0.5, 1000 / 12**1.2), (0.75, 203.0), (1.0, 1000.0)])
def test_hlg_is_that_of_bt_2100(signal, nits):
    """BT.2408: white is 75 % HLG and 203 cd/m2 on a screen of 1000; half the signal is a twelfth of the light."""
    assert hlg_light(np.array(signal)) == pytest.approx(nits, rel=1e-3, abs=1e-9)


class TestCurve:
    def test_shadows_and_mid_tones_stay(self):
        peak = pq_signal(np.array(PEAK_NITS))
        knee = pq_light((1.5 * pq_signal(np.array(WHITE_NITS)) / peak - 0.5) * peak)
        light = np.linspace(0, float(knee), 50)
        assert compressed(light) == pytest.approx(light, rel=1e-6, abs=1e-9)
        assert 80 < knee < 110

    def test_the_peak_becomes_white_and_nothing_is_brighter(self):
        assert compressed(np.array([PEAK_NITS, 4000.0, 10000.0])) == pytest.approx([WHITE_NITS] * 3, rel=1e-6)

    def test_it_rises_without_a_step_or_a_kink(self):
        light = np.linspace(1, PEAK_NITS, 20_000)
        slope = np.diff(compressed(light)) / np.diff(light)
        assert slope[:-100].min() > 0
        assert slope[-1] == pytest.approx(0.0, abs=1e-6)
        assert slope.max() < 1 + 1e-3
        assert np.abs(np.diff(slope)).max() < 0.01


def test_the_matrix_is_that_of_the_primaries():
    def to_xyz(*corners):
        """Matrix from linear R, G, B to X, Y, Z from the chromaticities of the primaries and of white (D65)."""
        columns = np.array([[x / y, 1.0, (1 - x - y) / y] for x, y in corners]).T
        x, y = 0.3127, 0.3290
        return columns * np.linalg.solve(columns, [x / y, 1.0, (1 - x - y) / y])

    wide = to_xyz((0.708, 0.292), (0.170, 0.797), (0.131, 0.046))
    narrow = to_xyz((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))
    assert np.array(BT2020_TO_BT709) == pytest.approx(np.linalg.solve(narrow, wide), abs=2e-5)


@pytest.mark.parametrize("nits", [0.0, 0.1, 1.0, 10.0, 50.0, 90.0])
def test_greys_below_the_knee_have_the_light_that_they_had(nits):
    found = one(Transfer.PQ, *[float(pq_signal(np.array(nits)))] * 3)
    assert found == pytest.approx([255 * (nits / WHITE_NITS) ** (1 / 2.4)] * 3, abs=0.75)


def test_black_and_white():
    for transfer, peak in ((Transfer.PQ, 0.751827), (Transfer.HLG, 1.0)):
        assert (one(transfer, 0, 0, 0) == 0).all()
        assert (one(transfer, peak, peak, peak) == 255).all()


def test_colours_of_bt709_keep_their_light():
    """Dim red of BT.709, given in BT.2020: below the knee nothing but the primaries changes."""
    red = np.linalg.solve(np.array(BT2020_TO_BT709), [60.0, 0.0, 0.0])
    found = one(Transfer.PQ, *pq_signal(red))
    assert found == pytest.approx([255 * (60 / WHITE_NITS) ** (1 / 2.4), 0, 0], abs=2)
    assert one(Transfer.PQ, *pq_signal(np.array([60.0, 0, 0])), wide=False) == pytest.approx(found, abs=2)


def test_colours_outside_of_bt709_are_clipped():
    assert (one(Transfer.PQ, 0.58, 0.0, 0.0)[1:] == 0).all()


def test_bands_are_not_seen():
    ramp = np.linspace(0, 65535, 300 * 700).astype(np.uint16).reshape(300, 700)
    picture = np.dstack([ramp, ramp[::-1], ramp])
    whole = tone_mapped(picture, Transfer.PQ)
    rows = np.vstack([tone_mapped(picture[row : row + 1], Transfer.PQ) for row in range(300)])
    assert (whole == rows).all()
    assert whole.shape == (300, 700, 3)


@pytest.mark.parametrize(("number", "transfer"), [(16, Transfer.PQ), (18, Transfer.HLG)])
def test_from_file_to_picture(tmp_path, number, transfer):
    """10 bits, limited range: code 64 + 876 v. Grey 20 cd/m2 and white 203 cd/m2 on the left and on the right."""

    def setup(stream):
        context = stream.codec_context
        context.colorspace, context.color_range, context.color_trc, context.color_primaries = 9, 1, number, 9

    signals = {16: (float(pq_signal(np.array(20.0))), 0.580689), 18: (None, 0.75)}[number]
    low = signals[0] if signals[0] is not None else (3 * (20 / 1000) ** (1 / 1.2)) ** 0.5
    codes = [round(64 + 876 * signal) for signal in (low, signals[1])]

    frames = []
    for index in range(2):
        frame = av.VideoFrame(64, 48, "yuv420p10le")
        for plane, value in zip(frame.planes, (codes, (512, 512), (512, 512)), strict=True):
            data = np.empty((plane.height, plane.line_size // 2), np.uint16)
            half = plane.width // 2
            data[:, :half], data[:, half:] = value
            plane.update(data.tobytes())
        frame.pts = index
        frames.append(frame)
    path = write_clip(tmp_path / "clip.mkv", frames, codec="ffv1", pix_fmt="yuv420p10le", setup=setup)
    info, pictures = play(VideoSource(path))
    assert info.notices == (f"HDR ({transfer.name}) is shown tone-mapped to the range and colours of BT.709",)
    image = pictures[0].image_bgr.astype(int)
    white = float(compressed(np.array(WHITE_NITS))) / WHITE_NITS
    assert image[24, 10] == pytest.approx([255 * (20 / WHITE_NITS) ** (1 / 2.4)] * 3, abs=2)
    assert image[24, 54] == pytest.approx([255 * white ** (1 / 2.4)] * 3, abs=2)
