"""Clips and pictures for tests of the sources: small, made by PyAV from numbers that a test can predict."""

from __future__ import annotations

from fractions import Fraction

import av
import cv2
import numpy as np

CORNERS = {"R": (0, 0, 255), "G": (0, 255, 0), "B": (255, 0, 0), "W": (255, 255, 255)}
"""Colours (BGR) of the corners of `corners`: red top left, green top right, blue bottom left, white bottom right."""
X264 = {"crf": "5", "bf": "0", "preset": "ultrafast"}
"""Nearly lossless, in the order of the pictures."""


def corners(size_wh=(96, 64)):
    """A dark picture with a colour in each corner, a third of each side wide."""
    width, height = size_wh
    image = np.full((height, width, 3), 40, np.uint8)
    tall, wide = max(1, height // 3), max(1, width // 3)
    for letter, rows, columns in (
        ("R", slice(None, tall), slice(None, wide)),
        ("G", slice(None, tall), slice(-wide, None)),
        ("B", slice(-tall, None), slice(None, wide)),
        ("W", slice(-tall, None), slice(-wide, None)),
    ):
        image[rows, columns] = CORNERS[letter]
    return image


def corner_letters(image):
    """Letters of the corners, top left, top right, bottom left, bottom right: "RGBW" for an upright `corners`."""
    height, width = image.shape[:2]
    down, right = height // 8, width // 8

    def nearest(pixel):
        return min(CORNERS, key=lambda letter: np.abs(pixel.astype(int) - CORNERS[letter]).sum())

    return "".join(nearest(image[y, x]) for y in (down, height - 1 - down) for x in (right, width - 1 - right))


def greys(count, size_wh=(64, 48), step=8):
    """Plain pictures of level 0, `step`, 2 `step`..."""
    width, height = size_wh
    return [np.full((height, width, 3), step * number, np.uint8) for number in range(count)]


def noise(count, size_wh=(64, 48), seed=0):
    """Pictures that do not compress, so that a file's bytes are spread over its frames."""
    width, height = size_wh
    return list(np.random.default_rng(seed).integers(0, 256, (count, height, width, 3), np.uint8))


def write_clip(
    path,
    images,
    rate=25,
    codec="libx264",
    pix_fmt="yuv420p",
    options=None,
    times=None,
    base=Fraction(1, 90_000),
    container_options=None,
    form=None,
    setup=None,
    sound_s=0.0,
):
    """Write a clip and return its path.

    `images` are BGR or BGRA arrays, or `av.VideoFrame`s that are encoded as they are. `times` are in seconds; without
    them the frames follow each other at `rate`. `setup(stream)` may change the stream before it is written.
    """
    with av.open(f"file:{path}", "w", format=form, options=container_options or {}) as container:
        if options is None:
            options = X264 if codec == "libx264" else {}
        stream = container.add_stream(codec, rate=rate, options=options)
        first = images[0]
        is_frame = isinstance(first, av.VideoFrame)
        stream.width, stream.height = (first.width, first.height) if is_frame else first.shape[1::-1]
        stream.pix_fmt = pix_fmt
        if times is not None:
            stream.codec_context.time_base = base
        if setup is not None:
            setup(stream)
        sound = _add_sound(container, sound_s) if sound_s else []
        for number, image in enumerate(images):
            container.mux(stream.encode(_frame(image, number, pix_fmt, times, base)))
        container.mux(stream.encode(None))
        for packet in sound:
            container.mux(packet)
    return path


def _frame(image, number, pix_fmt, times, base):
    if isinstance(image, av.VideoFrame):
        frame = image
    else:
        form = "bgr24" if image.shape[2] == 3 else "bgra"
        frame = av.VideoFrame.from_ndarray(image, format=form).reformat(format=pix_fmt)
    if times is None:
        frame.pts = number
    else:
        frame.pts, frame.time_base = round(times[number] / base), base
    return frame


def _add_sound(container, seconds, codec="aac"):
    stream = container.add_stream(codec, rate=48_000, layout="mono")
    packets = []
    for start in range(0, round(seconds * 48_000), 1024):
        tone = np.sin(2 * np.pi * 440 * np.arange(start, start + 1024) / 48_000) * 0.3
        frame = av.AudioFrame.from_ndarray(tone[None].astype(np.float32), "fltp", "mono")
        frame.sample_rate, frame.pts, frame.time_base = 48_000, start, Fraction(1, 48_000)
        packets += stream.encode(frame)
    return packets + stream.encode(None)


def write_sound(path, seconds=0.5, codec="aac"):
    """Write a file with a tone and no picture."""
    with av.open(f"file:{path}", "w") as container:
        for packet in _add_sound(container, seconds, codec):
            container.mux(packet)
    return path


def plain_frames(values, pix_fmt="yuv420p", count=2, size_wh=(64, 48)):
    """`av.VideoFrame`s whose planes hold one value each, 8 or 16 bits wide."""
    found = []
    for _ in range(count):
        frame = av.VideoFrame(*size_wh, pix_fmt)
        for plane, component, value in zip(frame.planes, frame.format.components, values, strict=True):
            kind = np.uint8 if component.bits <= 8 else np.uint16
            np.frombuffer(plane, kind)[:] = value
        found.append(frame)
    return found


def ycc_to_bgr(luma, blue, red, kr, kb, full=False, bits=8):
    """The colour of a Y'CbCr triple by the definition in ITU-R BT.601, BT.709 and BT.2020, not rounded."""
    scale = 2 ** (bits - 8)
    zero, white, swing = (0, 2**bits - 1, 2**bits - 1) if full else (16 * scale, 219 * scale, 224 * scale)
    y, pb, pr = (luma - zero) / white, (blue - 128 * scale) / swing, (red - 128 * scale) / swing
    r, b = y + 2 * (1 - kr) * pr, y + 2 * (1 - kb) * pb
    g = (y - kr * r - kb * b) / (1 - kr - kb)
    return np.clip(np.array([b, g, r]) * 255, 0, 255)


def jpeg(image, quality=95):
    """A picture as the bytes of a JPEG file."""
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def read_all(source):
    """All frames that an open source still has."""
    return list(iter(source.read, None))


def play(source):
    """Open a source, read it to its end and close it: what it says of itself, and its frames."""
    try:
        return source.open(), read_all(source)
    finally:
        source.close()
