"""Pictures in every form, checked against Pillow and against numbers, and folders of them."""

import os
import struct
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pipelines.errors import SourceError
from pipelines.sources.images import MAX_PIXELS, ImagesSource, declared_size, natural_key, read_picture
from tests.clips import corner_letters, corners, jpeg, play

RED_BGR = (10, 60, 200)
RED_RGB = RED_BGR[::-1]


def save(path, mode, value, size=(12, 8), **options):
    Image.new(mode, size, value).save(path, **options)
    return path


def only_colour(path):
    image = read_picture(path)
    assert image.shape == (8, 12, 3)
    assert image.dtype == np.uint8
    assert image.flags.c_contiguous
    assert np.ptp(image.reshape(-1, 3), axis=0).max() <= 4  # plain
    return image[4, 6].tolist()


def complaint(path):
    with pytest.raises(SourceError) as caught:
        read_picture(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("suffix", ["png", "bmp", "tiff", "tif", "ppm", "webp", "PNG", "BMP"])
def test_lossless_forms_are_exact(tmp_path, suffix):
    options = {"lossless": True} if suffix == "webp" else {}
    assert only_colour(save(tmp_path / f"a.{suffix}", "RGB", RED_RGB, **options)) == list(RED_BGR)


@pytest.mark.parametrize("suffix", ["jpg", "jpeg", "jpe", "JPG", "webp", "avif", "jp2"])
def test_lossy_forms_are_close(tmp_path, suffix):
    options = {"format": "JPEG"} if suffix == "jpe" else {}
    path = save(tmp_path / f"a.{suffix}", "RGB", RED_RGB, (12, 8), quality=95, **options)
    assert only_colour(path) == pytest.approx(RED_BGR, abs=4)


@pytest.mark.parametrize(
    ("suffix", "mode", "value", "expected"),
    [
        ("png", "L", 77, [77] * 3),
        ("jpg", "L", 77, [77] * 3),
        ("tiff", "L", 77, [77] * 3),
        ("pgm", "L", 77, [77] * 3),
        ("bmp", "L", 77, [77] * 3),
        ("png", "1", 1, [255] * 3),
        ("png", "1", 0, [0] * 3),
        ("tiff", "1", 1, [255] * 3),
        ("bmp", "1", 1, [255] * 3),
        ("pbm", "1", 1, [255] * 3),
        ("png", "LA", (200, 128), [100] * 3),
        ("png", "RGBA", (200, 100, 50, 128), [25, 50, 100]),
        ("webp", "RGBA", (200, 100, 50, 128), [25, 50, 100]),
        ("tiff", "RGBA", (200, 100, 50, 128), [25, 50, 100]),
        ("png", "RGBA", (200, 100, 50, 0), [0, 0, 0]),
        ("png", "RGBA", (200, 100, 50, 255), [50, 100, 200]),
        ("tiff", "CMYK", (0, 255, 255, 0), [0, 0, 255]),
        ("png", "I;16", 40_000, [155] * 3),  # 40,000 / 257 = 155.6
        ("png", "I;16", 65_535, [255] * 3),
        ("tiff", "I;16", 40_000, [155] * 3),
        ("tiff", "F", 0.5, [128] * 3),
        ("tiff", "F", 7.0, [255] * 3),
    ],
)
def test_channels_and_depths(tmp_path, suffix, mode, value, expected):
    options = {"lossless": True} if suffix == "webp" else {"quality": 100} if suffix == "jpg" else {}
    assert only_colour(save(tmp_path / f"a.{suffix}", mode, value, **options)) == pytest.approx(expected, abs=1)


@pytest.mark.parametrize(("suffix", "levels"), [("png", 0), ("tiff", 0)])
def test_deep_colour(tmp_path, suffix, levels):
    deep = np.full((8, 12, 3), (257 * 10, 257 * 60, 257 * 200), np.uint16)
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(cv2.imencode(f".{suffix}", deep)[1].tobytes())
    assert only_colour(path) == pytest.approx(RED_BGR, abs=levels)
    with_alpha = np.dstack([deep, np.full((8, 12, 1), 257 * 128, np.uint16)])
    path.write_bytes(cv2.imencode(f".{suffix}", with_alpha)[1].tobytes())
    assert only_colour(path) == pytest.approx([level * 128 / 255 for level in RED_BGR], abs=1)


def test_palettes(tmp_path):
    image = Image.new("P", (12, 8), 3)
    image.putpalette([0, 0, 0, 9, 9, 9, 8, 8, 8, *RED_RGB])
    image.save(tmp_path / "a.png")
    assert only_colour(tmp_path / "a.png") == list(RED_BGR)
    image.save(tmp_path / "b.bmp")
    assert only_colour(tmp_path / "b.bmp") == list(RED_BGR)
    image.save(tmp_path / "c.png", transparency=3)
    assert only_colour(tmp_path / "c.png") == [0, 0, 0]


@pytest.mark.parametrize("inks", [(0, 0, 0, 0), (255, 0, 0, 0), (0, 255, 0, 0), (0, 0, 255, 0), (10, 100, 200, 30)])
def test_printers_jpeg(tmp_path, inks):
    path = save(tmp_path / "a.jpg", "CMYK", inks, quality=100)
    cyan, magenta, yellow, black = (1 - ink / 255 for ink in inks)
    expected = [255 * yellow * black, 255 * magenta * black, 255 * cyan * black]
    assert only_colour(path) == pytest.approx(expected, abs=3)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize(
    ("suffix", "mode", "options"),
    [
        ("jpg", "RGB", {"quality": 95}),
        ("jpg", "L", {"quality": 95}),
        ("png", "RGB", {}),
        ("png", "RGBA", {}),
        ("webp", "RGB", {"lossless": True}),
        ("tiff", "RGB", {}),
        ("tiff", "RGBA", {}),
    ],
)
def test_orientation_is_applied_once(tmp_path, orientation, suffix, mode, options):
    marked = corners((96, 64))
    if mode == "L":
        marked[:] = (marked.astype(int) * [1, 2, 3] // 6).sum(axis=2, keepdims=True)  # 42 B, 85 G, 127 R, 255 W
    path = tmp_path / f"a.{suffix}"
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.fromarray(marked[..., ::-1]).convert(mode).save(path, exif=exif, **options)
    image = read_picture(path)
    # EXIF 2.3: the stored first row and first column are seen at these edges.
    letters = ["RGBW", "GRWB", "WBGR", "BWRG", "RBGW", "BRWG", "WGBR", "GWRB"][orientation - 1]
    assert image.shape == ((64, 96, 3) if orientation < 5 else (96, 64, 3))
    if mode == "L":
        grey = {"R": 127, "G": 85, "B": 42, "W": 255}
        found = [int(image[y, x, 0]) for y in (6, -7) for x in (6, -7)]
        assert found == pytest.approx([grey[letter] for letter in letters], abs=4)
    else:
        assert corner_letters(image) == letters


@pytest.mark.parametrize("size", [(1, 1), (1, 50), (50, 1), (2, 3), (65, 49), (641, 359)])
@pytest.mark.parametrize(
    ("suffix", "mode"), [("png", "RGB"), ("png", "RGBA"), ("png", "L"), ("jpg", "RGB"), ("bmp", "RGB")]
)
def test_any_size(tmp_path, size, suffix, mode):
    path = save(tmp_path / f"a.{suffix}", mode, {"L": 99}.get(mode, (99, 99, 99, 255)[: len(mode)]), size)
    image = read_picture(path)
    assert image.shape == (size[1], size[0], 3)
    assert (np.abs(image.astype(int) - 99) <= 1).all()


def test_a_file_is_known_by_what_it_holds_and_not_by_its_name(tmp_path):
    path = tmp_path / "really a jpeg.png"
    path.write_bytes(jpeg(np.full((8, 12, 3), RED_BGR, np.uint8), 100))
    assert only_colour(path) == pytest.approx(RED_BGR, abs=4)


def bomb_png(width, height):
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


def bomb_jpeg(width, height):
    data = bytearray(jpeg(np.zeros((8, 8, 3), np.uint8)))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", height, width)
    return bytes(data)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.png", bomb_png(100_000, 100_000), "100,000 x 100,000"),
        ("a.png", bomb_png(30_000, 30_000), "30,000 x 30,000"),
        ("a.png", bomb_png(2**31 - 1, 1), "2,147,483,647 x 1 "),
        ("a.jpg", bomb_jpeg(65_500, 65_500), "65,500 x 65,500"),
        ("a.jpg", bomb_jpeg(30_000, 30_000), "30,000 x 30,000"),
    ],
)
def test_pictures_that_claim_to_be_huge_are_not_unpacked(tmp_path, name, data, said):
    path = tmp_path / name
    path.write_bytes(data)
    assert complaint(path).startswith(f"{path} is too large: {said}".rstrip())


@given(st.integers(1, 65_500), st.integers(1, 65_500))
def test_declared_sizes_are_read(width, height):
    assert declared_size(bomb_png(width, height)) == (width, height)
    assert declared_size(bomb_jpeg(width, height)) == (width, height)
    assert declared_size(b"\xff\xd8\xff\xe1\x00\x10" + bytes(14) + bomb_jpeg(width, height)[2:]) == (width, height)


@given(st.binary(max_size=60), st.sampled_from([b"", b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0"]))
def test_declared_size_of_rubbish_is_harmless(rubbish, head):
    width, height = declared_size(head + rubbish)
    assert 0 <= width < 2**32
    assert 0 <= height < 2**32


def test_the_largest_picture_is_allowed():
    assert MAX_PIXELS == 16_384 * 16_384


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.webp", "a.bmp", "a.tiff"])
@pytest.mark.parametrize("share", [0.05, 0.5, 0.95])
def test_cut_pictures_are_told(tmp_path, capfd, name, share):
    path = tmp_path / name
    image = np.random.default_rng(0).integers(0, 256, (240, 320, 3), np.uint8)
    Image.fromarray(image).save(path)
    data = path.read_bytes()
    path.write_bytes(data[: round(len(data) * share)])
    assert complaint(path) == f"{path} is damaged or incomplete: it cannot be decoded"
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"", "is empty (0 bytes)"),
        (b"This is no picture.\n" * 20, "is not a picture that can be decoded"),
        (bytes(500), "is not a picture that can be decoded"),
        (b"x", "is not a picture that can be decoded"),
        (b"\x89PNG\r\n\x1a\n", "is damaged or incomplete: it cannot be decoded"),
        (b"\xff\xd8\xff", "is damaged or incomplete: it cannot be decoded"),
        (b"BM" + bytes(100), "is damaged or incomplete: it cannot be decoded"),
        (b"II*\0" + b"\xff" * 100, "is damaged or incomplete: it cannot be decoded"),
    ],
)
def test_what_is_no_picture(tmp_path, content, cause):
    path = tmp_path / "a.png"
    path.write_bytes(content)
    assert complaint(path) == f"{path} {cause}"


@pytest.mark.parametrize("seed", range(30))
def test_scattered_damage_never_ends_in_another_exception(tmp_path, seed):
    rng = np.random.default_rng(seed)
    name = ["a.png", "a.jpg", "a.webp", "a.bmp", "a.tiff", "a.avif"][seed % 6]
    path = tmp_path / name
    Image.fromarray(rng.integers(0, 256, (24, 32, 3), np.uint8)).save(path)
    data = bytearray(path.read_bytes())
    for at in rng.integers(0, min(len(data), 300 + 1000 * (seed % 2)), 6):
        data[at] = rng.integers(0, 256)
    path.write_bytes(data)
    said = ""
    try:
        image = read_picture(path)
        assert image.ndim == 3
    except SourceError as error:
        said = str(error)
    assert said == "" or said.startswith(f"{path} ")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not allow most of these names")
@pytest.mark.parametrize(
    "name", ["人 物.png", "é\u0301 ñ.png", "🎉.png", "a (1) [2] %d.png", "-x.png", "a:b.png", " .png", "'\"`$;.png"]
)
def test_any_name(tmp_path, name):
    path = save(tmp_path / name, "RGB", RED_RGB)
    info, frames = play(ImagesSource(path))
    assert info.name == frames[0].source == name


@pytest.mark.skipif(sys.platform != "linux", reason="names are text on this system")
def test_a_name_that_is_no_text(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.png"))
    path.write_bytes(cv2.imencode(".png", np.full((8, 12, 3), RED_BGR, np.uint8))[1].tobytes())
    assert len(play(ImagesSource(path))[1]) == 1


def test_where_there_is_no_picture(tmp_path):
    assert complaint(tmp_path / "none.png") == f"{tmp_path / 'none.png'}: there is no such file or folder"
    assert complaint(tmp_path) == f"{tmp_path} is a folder, not a file"
    (tmp_path / "file").write_bytes(b"x")
    path = tmp_path / "file" / "a.png"
    assert complaint(path) == f"{path} cannot be read: Not a directory"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path):
    path = tmp_path / "a.png"
    os.mkfifo(path)
    assert complaint(path) == f"{path} is neither a file nor a folder"


def test_a_file_that_is_too_large_for_a_picture_is_not_read(tmp_path):
    path = tmp_path / "a.png"
    with path.open("wb") as file:
        file.truncate((1 << 30) + 1)  # takes no room
    assert complaint(path) == f"{path} is too large for a picture (1,073,741,825 bytes)"


class TestFolder:
    def test_pictures_come_in_natural_order_with_names_and_times(self, tmp_path):
        names = ["a10.png", "a2.png", "A1.PNG", "b.JPG", "a02.png", "z.webp", "é.bmp"]
        for level, name in enumerate(names):
            form = "JPEG" if name.endswith("JPG") else None
            Image.new("L", (8 + level, 8), 10).save(tmp_path / name, form)
        (tmp_path / "notes.txt").write_text("no picture")
        (tmp_path / "clip.mp4").write_bytes(b"no picture")
        (tmp_path / "._a2.png").write_bytes(b"left by macOS")
        (tmp_path / "folder.png").mkdir()
        source = ImagesSource(tmp_path)
        info, frames = play(source)
        order = ["A1.PNG", "a02.png", "a2.png", "a10.png", "b.JPG", "z.webp", "é.bmp"]
        assert [frame.source for frame in frames] == order
        assert [frame.width for frame in frames] == [8 + names.index(name) for name in order]
        assert [frame.timestamp_s for frame in frames] == [0, 1, 2, 3, 4, 5, 6]
        assert [frame.index for frame in frames] == [0, 1, 2, 3, 4, 5, 6]
        assert (info.name, info.kind, info.live, info.still) == (tmp_path.name, "images", False, True)
        assert info.frame_count == 7
        assert info.size_wh == (10, 8)
        assert info.fps is None
        assert source.problems == []

    def test_bad_pictures_are_skipped_and_told(self, tmp_path):
        (tmp_path / "1.png").write_bytes(b"bad")
        save(tmp_path / "2.png", "L", 1)
        (tmp_path / "3.png").write_bytes(b"")
        save(tmp_path / "4.png", "L", 1)
        (tmp_path / "5.jpg").write_bytes(b"\xff\xd8\xff bad")
        source = ImagesSource(tmp_path)
        info, frames = play(source)
        assert [frame.source for frame in frames] == ["2.png", "4.png"]
        assert [frame.index for frame in frames] == [0, 1]
        assert [sentence.partition(" ")[0] for sentence in source.problems] == [
            str(tmp_path / name) for name in ("1.png", "3.png", "5.jpg")
        ]
        assert info.frame_count == 5

    def test_only_bad_pictures(self, tmp_path):
        for number in range(3):
            (tmp_path / f"{number}.png").write_bytes(b"bad")
        with pytest.raises(SourceError, match="none of its 3 pictures can be read"):
            ImagesSource(tmp_path).open()

    def test_no_pictures(self, tmp_path):
        (tmp_path / "notes.txt").write_text("no picture")
        with pytest.raises(SourceError) as caught:
            ImagesSource(tmp_path).open()
        assert str(caught.value) == f"{tmp_path}: the folder holds no picture"

    def test_rewinding_and_closing(self, tmp_path):
        for number in range(3):
            save(tmp_path / f"{number}.png", "L", 10 * number)
        (tmp_path / "bad.png").write_bytes(b"bad")
        source = ImagesSource(tmp_path)
        source.close()
        assert source.read() is None
        source.open()
        first = [source.read() for _ in range(5)]
        assert first[3:] == [None, None]
        assert source.rewind()
        second = [source.read() for _ in range(4)]
        for one, other in zip(first[:3], second[:3], strict=True):
            np.testing.assert_array_equal(one.image_bgr, other.image_bgr)
            assert (one.index, one.timestamp_s, one.source) == (other.index, other.timestamp_s, other.source)
        assert len(source.problems) == 1  # not told twice
        source.close()
        source.close()
        assert source.read() is None

    def test_the_current_folder_has_a_name(self, tmp_path, monkeypatch):
        save(tmp_path / "a.png", "L", 1)
        monkeypatch.chdir(tmp_path)
        assert ImagesSource(Path()).open().name == tmp_path.name

    def test_a_picture_that_vanishes_is_skipped(self, tmp_path):
        for number in range(3):
            save(tmp_path / f"{number}.png", "L", 1)
        source = ImagesSource(tmp_path)
        source.open()
        (tmp_path / "1.png").unlink()
        frames = list(iter(source.read, None))
        assert [frame.source for frame in frames] == ["0.png", "2.png"]
        assert source.problems == [f"{tmp_path / '1.png'}: there is no such file or folder"]


NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\0"), min_size=1, max_size=20)


@given(st.lists(NAMES, max_size=8))
def test_natural_order_is_an_order(names):
    paths = [Path(name) for name in names if name not in (".", "..")]
    ordered = sorted(paths, key=natural_key)
    backwards = paths[::-1]
    backwards.sort(key=natural_key)
    assert backwards == ordered
    assert sorted(ordered) == sorted(paths)


@given(st.text("ab_ ", max_size=5), st.integers(0, 10**12), st.integers(0, 10**12), st.text("ab_ ", max_size=5))
def test_natural_order_counts(before, one, other, after):
    first, second = (natural_key(Path(f"x{before}{number}{after}x")) for number in (one, other))
    assert (first < second) == (one < other)
    assert (first == second) == (one == other)


@pytest.mark.parametrize("name", ["²", "a²3", "1²", "٣", "Ⅷ", "①.png", "x" * 250])
def test_natural_order_takes_any_digit(name):
    assert natural_key(Path(name)) < natural_key(Path(name + "0"))


def test_a_picture_is_decoded_once(tmp_path, monkeypatch):
    path = save(tmp_path / "a.png", "RGB", RED_RGB)
    decoded = []
    real = cv2.imdecode
    monkeypatch.setattr(cv2, "imdecode", lambda *arguments: decoded.append(1) or real(*arguments))
    read_picture(path)
    assert decoded == [1]
