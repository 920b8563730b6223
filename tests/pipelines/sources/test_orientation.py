"""Pictures with transparency or 16 bits stand upright, as Pillow shows them."""

import struct
import zlib

import cv2
import numpy as np
import pytest
from PIL import Image, ImageOps

from pipelines.errors import SourceError
from pipelines.sources.images import read_picture
from pipelines.sources.orientation import exif_orientation


def marked(width=30, height=20):
    """A picture whose four corners differ, RGBA."""
    image = np.full((height, width, 4), (40, 80, 120, 255), np.uint8)
    image[:6, :8, :3] = (255, 0, 0)
    image[:6, -8:, :3] = (0, 255, 0)
    image[-6:, :8, :3] = (0, 0, 255)
    image[10, 15, 3] = 0
    return image


def exif(orientation):
    found = Image.Exif()
    found[0x0112] = orientation
    return found


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize(("suffix", "options"), [("png", {}), ("webp", {"lossless": True, "exact": True})])
def test_transparent_pictures_stand_upright(tmp_path, suffix, options, orientation):
    path = tmp_path / f"picture.{suffix}"
    Image.fromarray(marked()).save(path, exif=exif(orientation), **options)
    upright = np.asarray(ImageOps.exif_transpose(Image.open(path)).convert("RGBA")).astype(int)
    expected = (upright[..., :3] * upright[..., 3:] // 255)[..., ::-1]
    np.testing.assert_array_equal(read_picture(path), expected)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_16_bit_png_stands_upright(tmp_path, orientation, order):
    rgb = marked()[..., :3]
    plain = cv2.imencode(".png", rgb[..., ::-1].astype(np.uint16) * 257)[1].tobytes()
    body = b"eXIf" + (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, 8)
    body += struct.pack(order + "HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    path = tmp_path / "deep.png"
    path.write_bytes(plain[:33] + chunk + plain[33:])
    turns = {1: 0, 3: 2, 6: -1, 8: 1}[orientation]
    np.testing.assert_array_equal(read_picture(path), np.rot90(rgb, turns)[..., ::-1])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        b"RIFF\x04\0\0\0WEBP",
        b"RIFF\x20\0\0\0WEBPEXIF\x0e\0\0\0II*\0\x08\0\0\0\x05\0\x12\x01\x03\0",
        b"RIFF\x20\0\0\0WEBPEXIF\x08\0\0\0II*\0\xff\xff\xff\xff",
        b"RIFF\x20\0\0\0WEBPEXIF\x04\0\0\0XX*\0",
    ],
    ids=["nothing", "no chunk", "no EXIF", "cut off", "beyond the end", "no byte order"],
)
def test_damaged_exif_leaves_the_picture_as_it_is(data):
    assert exif_orientation(data) == 1


def test_impossible_orientation_is_ignored(tmp_path):
    path = tmp_path / "odd.png"
    Image.fromarray(marked()).save(path, exif=exif(9))
    assert read_picture(path).shape == (20, 30, 3)


def test_values_without_a_known_range_are_refused_in_one_sentence(tmp_path):
    path = tmp_path / "counts.tiff"
    Image.fromarray(np.full((20, 20), 1000, np.int32)).save(path)
    with pytest.raises(SourceError, match=r"counts\.tiff cannot be shown: not a picture: values of type int32"):
        read_picture(path)
