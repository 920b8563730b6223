"""Colours against the definitions in ITU-R BT.601, BT.709 and BT.2020, transparency, and what is said about both.

FFmpeg's fast conversion is up to 3 levels off, and is kept: the exact one takes 16 times as long.
"""

from types import SimpleNamespace

import av
import cv2
import numpy as np
import pytest
from PIL import Image

from pipelines.errors import SourceError
from pipelines.sources.decoding import Converter
from pipelines.sources.video import VideoSource
from tests.clips import greys, jpeg, plain_frames, play, write_clip, ycc_to_bgr

BT601, BT709, BT2020 = (0.299, 0.114), (0.2126, 0.0722), (0.2627, 0.0593)
LIMITED, FULL = 1, 2
LEVELS = 3.0
COLOURS = [
    (16, 128, 128),
    (235, 128, 128),
    (126, 128, 128),
    (81, 90, 240),
    (145, 54, 34),
    (100, 90, 200),
    (60, 200, 100),
]
LOSSLESS = {"qp": "0", "preset": "ultrafast"}


def first_colour(path):
    info, frames = play(VideoSource(path))
    image = frames[0].image_bgr
    assert np.ptp(image.reshape(-1, 3), axis=0).max() <= 1  # plain, but for the dither of deep colour
    return info, image[0, 0].astype(float)


def tags(space=None, limits=None, transfer=None):
    def setup(stream):
        for name, value in (("colorspace", space), ("color_range", limits), ("color_trc", transfer)):
            if value is not None:
                setattr(stream.codec_context, name, value)

    return setup


@pytest.mark.parametrize("colour", COLOURS, ids=str)
@pytest.mark.parametrize(
    ("space", "weights"),
    [(1, BT709), (5, BT601), (6, BT601), (9, BT2020)],
    ids=["709", "601 PAL", "601 NTSC", "2020"],
)
@pytest.mark.parametrize("limits", [LIMITED, FULL], ids=["limited", "full"])
def test_tagged_colours(tmp_path, colour, space, weights, limits):
    frames = plain_frames(colour)
    path = write_clip(tmp_path / "clip.mp4", frames, setup=tags(space, limits), options=LOSSLESS)
    expected = ycc_to_bgr(*colour, *weights, full=limits == FULL)
    _, found = first_colour(path)
    assert found == pytest.approx(expected, abs=LEVELS)


@pytest.mark.parametrize(
    ("height", "weights"), [(48, BT601), (576, BT601), (718, BT601), (720, BT709), (1080, BT709)], ids=str
)
def test_untagged_colours_go_by_the_number_of_lines(tmp_path, height, weights):
    colour = (100, 90, 200)
    path = write_clip(tmp_path / "clip.mp4", plain_frames(colour, size_wh=(64, height)), options=LOSSLESS)
    _, found = first_colour(path)
    assert found == pytest.approx(ycc_to_bgr(*colour, *weights), abs=LEVELS)


@pytest.mark.parametrize("pix_fmt", ["yuv420p10le", "yuv422p10le", "yuv444p12le", "yuv422p", "yuv444p"])
def test_deep_and_finer_colour(tmp_path, pix_fmt):
    bits = av.VideoFormat(pix_fmt).components[0].bits
    scale = 2 ** (bits - 8)
    colour = tuple(value * scale for value in (100, 90, 200))
    path = write_clip(tmp_path / "clip.mkv", plain_frames(colour, pix_fmt), codec="ffv1", pix_fmt=pix_fmt)
    _, found = first_colour(path)
    assert found == pytest.approx(ycc_to_bgr(*colour, *BT601, bits=bits), abs=LEVELS)


def test_constant_luminance_counts_as_bt2020():
    converter = Converter(SimpleNamespace(sample_aspect_ratio=None))
    (frame,) = plain_frames((100, 90, 200), count=1)
    frame.colorspace, frame.color_range = 10, LIMITED
    assert converter.picture(frame)[0, 0] == pytest.approx(ycc_to_bgr(100, 90, 200, *BT2020), abs=LEVELS)


@pytest.mark.parametrize("space", [0, 2, 3, 4, 7, 8, 11, 12, 14])
def test_unusual_colour_spaces_still_give_a_picture(space):
    stream = SimpleNamespace(sample_aspect_ratio=None, metadata={})
    converter = Converter(stream)
    (frame,) = plain_frames((126, 128, 128), count=1)
    frame.colorspace = space
    assert converter.picture(frame)[0, 0].astype(int) == pytest.approx([128, 128, 128], abs=LEVELS)
    told = converter.notices(frame, stream)
    assert told == (() if space in (0, 2, 4, 7) else ("its colour space is unknown: colours may be wrong",))


def test_motion_jpeg_has_full_range(tmp_path):
    colours = [(40, 90, 200), (255, 255, 255), (0, 0, 0), (16, 16, 16)]
    for colour in colours:
        path = tmp_path / "clip.mjpeg"
        path.write_bytes(jpeg(np.full((48, 64, 3), colour, np.uint8), 100) * 2)
        _, found = first_colour(path)
        assert found == pytest.approx(colour, abs=LEVELS)


@pytest.mark.parametrize(("pix_fmt", "levels"), [("gray", 0), ("bgr0", 0), ("gray10le", 1)])
def test_grey_and_rgb_video(tmp_path, pix_fmt, levels):
    path = write_clip(tmp_path / "clip.mkv", greys(8, step=30), codec="ffv1", pix_fmt=pix_fmt)
    _, frames = play(VideoSource(path))
    for number, frame in enumerate(frames):
        assert frame.image_bgr[0, 0].astype(int) == pytest.approx([30 * number] * 3, abs=levels)


@pytest.mark.parametrize(("transfer", "said"), [(16, "HDR (PQ)"), (18, "HDR (HLG)"), (1, None)])
def test_hdr_is_told(tmp_path, transfer, said):
    path = write_clip(tmp_path / "clip.mp4", greys(2), setup=tags(9, LIMITED, transfer))
    info, _ = play(VideoSource(path))
    assert any(notice.startswith(f"{said} is shown tone-mapped") for notice in info.notices) == bool(said)
    assert len(info.notices) == bool(said)


def test_interlaced_is_told(tmp_path):
    path = write_clip(tmp_path / "clip.mp4", greys(4), options={"x264-params": "tff=1", "bf": "0"})
    info, frames = play(VideoSource(path))
    assert info.notices == ("interlaced: moving edges look like combs",)
    assert len(frames) == 4


def half_transparent(level=200, alpha=128, size_wh=(64, 48)):
    """Plain blue-green-red with an opaque left half."""
    image = np.empty((size_wh[1], size_wh[0], 4), np.uint8)
    image[:] = (level, level // 2, level // 4, alpha)
    image[:, : size_wh[0] // 2, 3] = 255
    return image


@pytest.mark.parametrize(
    ("name", "codec", "pix_fmt", "levels"),
    [
        ("clip.mov", "png", "rgba", 0),
        ("clip.mov", "qtrle", "argb", 0),
        ("clip.mkv", "ffv1", "bgra", 0),
        ("clip.mov", "prores_ks", "yuva444p10le", 4),
        ("clip.mkv", "ffv1", "yuva420p", 4),
    ],
)
def test_transparency_is_composited_over_black(tmp_path, name, codec, pix_fmt, levels):
    path = write_clip(tmp_path / name, [half_transparent()] * 2, codec=codec, pix_fmt=pix_fmt)
    info, frames = play(VideoSource(path))
    assert info.notices == ("its transparency was composited over black",)
    image = frames[1].image_bgr
    assert image[24, 8].astype(int) == pytest.approx([200, 100, 50], abs=levels + LEVELS * bool(levels))
    assert image[24, 56].astype(int) == pytest.approx([100, 50, 25], abs=1 + levels)


@pytest.mark.parametrize(("name", "codec", "pix_fmt"), [("a.mov", "png", "rgba"), ("a.mkv", "ffv1", "yuva420p")])
def test_an_opaque_alpha_channel_is_not_worth_a_word(tmp_path, name, codec, pix_fmt):
    image = half_transparent(alpha=255)
    info, frames = play(VideoSource(write_clip(tmp_path / name, [image] * 2, codec=codec, pix_fmt=pix_fmt)))
    assert info.notices == ()
    assert frames[0].image_bgr[0, 0].astype(int) == pytest.approx([200, 100, 50], abs=4)


def test_webm_transparency_is_ignored_and_told(tmp_path):
    path = write_clip(tmp_path / "clip.webm", [half_transparent()] * 3, codec="libvpx-vp9", pix_fmt="yuva420p")
    info, frames = play(VideoSource(path))
    assert info.notices == ("its transparency is ignored",)
    assert len(frames) == 3
    assert frames[0].image_bgr[24, 8].astype(int) == pytest.approx([200, 100, 50], abs=8)


def test_transparency_of_a_copied_webm_is_told_too(tmp_path):
    """A tag that is copied, as in the videos that we write ourselves, is in capitals afterwards."""
    path = write_clip(tmp_path / "clip.webm", [half_transparent()] * 3, codec="libvpx-vp9", pix_fmt="yuva420p")
    with av.open(str(path)) as source, av.open(str(tmp_path / "copy.webm"), "w") as target:
        stream = target.add_stream_from_template(source.streams.video[0])
        stream.metadata["alpha_mode"] = "1"
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                target.mux(packet)
    with av.open(str(tmp_path / "copy.webm")) as copy:
        assert "ALPHA_MODE" in copy.streams.video[0].metadata
    assert play(VideoSource(tmp_path / "copy.webm"))[0].notices == ("its transparency is ignored",)


def test_a_transparent_gif_is_composited_over_black(tmp_path):
    image = half_transparent(alpha=0)[..., [2, 1, 0, 3]]
    pictures = [Image.fromarray(image), Image.fromarray(np.roll(image, 8, 1))]
    path = tmp_path / "clip.gif"
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=100, disposal=2)
    info, frames = play(VideoSource(path))
    assert info.notices == ("its transparency was composited over black",)
    assert len(frames) == 2
    assert frames[0].image_bgr[24, 8].astype(int) == pytest.approx([200, 100, 50], abs=4)
    assert frames[0].image_bgr[24, 56].tolist() == [0, 0, 0]
    assert frames[1].image_bgr[24, 36].astype(int) == pytest.approx([200, 100, 50], abs=4)
    assert frames[1].image_bgr[24, 4].tolist() == [0, 0, 0]


def test_a_form_that_cannot_be_converted_is_one_sentence(tmp_path, monkeypatch):
    def refuse(*arguments, **options):
        raise ValueError("Operation not supported")

    path = write_clip(tmp_path / "clip.mp4", greys(2))
    monkeypatch.setattr(
        Converter,
        "__init__",
        lambda self, stream: self.__dict__.update(
            _aspect=None, _reformatter=SimpleNamespace(reformat=refuse), transparent=False
        ),
    )
    with pytest.raises(SourceError) as caught:
        VideoSource(path).open()
    sentence = f"{path}: its pictures (yuv420p, 64x48) cannot be converted: Operation not supported"
    assert str(caught.value) == sentence


def test_picture_agrees_with_opencv_on_a_natural_gradient(tmp_path):
    """A colourful gradient survives coding and decoding, wherever the chroma samples sit."""
    across, down = np.meshgrid(np.linspace(0, 255, 64), np.linspace(0, 255, 48))
    image = np.dstack([across, down, 255 - across]).astype(np.uint8)
    smooth = cv2.GaussianBlur(image, (0, 0), 3)
    path = write_clip(tmp_path / "clip.mp4", [smooth] * 2, setup=tags(5, LIMITED), options=LOSSLESS)
    _, frames = play(VideoSource(path))
    error = np.abs(frames[0].image_bgr.astype(int) - smooth)
    assert error.mean() < 3
    assert np.percentile(error, 99) < 9
