"""Pictures for people, and files that are complete or absent."""

import zlib
from datetime import datetime

import cv2
import numpy as np
import pytest

from pipelines.atomic import PartFile, check_writable, reason_of, write_file
from pipelines.errors import ExportError
from pipelines.export import (
    encode_picture,
    layer_path,
    result_text,
    save_png,
    save_screenshot,
    screenshot_path,
    with_png_text,
)
from tests.pipelines.offline.helpers import make_result

WHEN = datetime(2025, 1, 31, 14, 25, 30, 123_456)


def picture():
    return np.random.default_rng(1).integers(0, 256, (49, 65, 3), dtype=np.uint8)


def read(path):
    return cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_UNCHANGED)


def png_chunks(data):
    """Type and body of every chunk, checksums verified (PNG specification, 5.3)."""
    position, chunks = 8, []
    while position < len(data):
        length = int.from_bytes(data[position : position + 4])
        kind, body = data[position + 4 : position + 8], data[position + 8 : position + 8 + length]
        assert zlib.crc32(kind + body) == int.from_bytes(data[position + 8 + length : position + 12 + length])
        chunks.append((kind, body))
        position += 12 + length
    return chunks


class TestPartFile:
    def test_it_appears_complete_or_not_at_all(self, tmp_path):
        with PartFile(tmp_path / "a") as part:
            part.path.write_bytes(b"1")
            assert not (tmp_path / "a").exists()
            part.commit()
        assert [path.name for path in tmp_path.iterdir()] == ["a"]
        with PartFile(tmp_path / "b") as part:
            part.path.write_bytes(b"1")
        assert [path.name for path in tmp_path.iterdir()] == ["a"]

    def test_nothing_is_overwritten_unasked(self, tmp_path):
        write_file(tmp_path / "a", b"1")
        with pytest.raises(ExportError, match="exists already"):
            write_file(tmp_path / "a", b"2")
        assert (tmp_path / "a").read_bytes() == b"1"
        write_file(tmp_path / "a", b"3", overwrite=True)
        assert (tmp_path / "a").read_bytes() == b"3"

    def test_a_file_that_came_into_being_meanwhile_is_kept(self, tmp_path):
        with PartFile(tmp_path / "a") as part:
            part.path.write_bytes(b"mine")
            (tmp_path / "a").write_bytes(b"theirs")
            with pytest.raises(ExportError, match="exists already"):
                part.commit()
        assert [path.name for path in tmp_path.iterdir()] == ["a"]
        assert (tmp_path / "a").read_bytes() == b"theirs"

    def test_two_parts_of_one_name_do_not_meet(self, tmp_path):
        with PartFile(tmp_path / "a") as one, PartFile(tmp_path / "a") as two:
            assert one.path != two.path

    def test_it_has_ordinary_permissions(self, tmp_path):
        write_file(tmp_path / "a", b"")
        (tmp_path / "plain").touch()
        assert (tmp_path / "a").stat().st_mode == (tmp_path / "plain").stat().st_mode

    def test_a_name_that_is_almost_too_long(self, tmp_path):
        name = "x" * 251 + ".png"
        write_file(tmp_path / name, b"1")
        assert (tmp_path / name).read_bytes() == b"1"

    @pytest.mark.parametrize(
        ("final", "message"), [("no/a", "no does not exist"), ("file/a", "file is not a folder"), ("dir", "a folder")]
    )
    def test_impossible_places(self, tmp_path, final, message):
        (tmp_path / "file").touch()
        (tmp_path / "dir").mkdir()
        with pytest.raises(ExportError, match=message):
            check_writable(tmp_path / final, overwrite=True)

    def test_reasons_have_no_numbers(self):
        assert reason_of(OSError(28, "No space left on device", "x.mp4")) == "no space left on device"
        assert reason_of(ValueError("embedded null byte")) == "embedded null byte"
        assert reason_of(ValueError()) == "ValueError"


@pytest.mark.parametrize("suffix", [".png", ".PNG", ".jpg", ".jpeg"])
def test_pictures_read_back(suffix):
    smooth = cv2.GaussianBlur(picture(), (0, 0), 5)
    image = cv2.imdecode(np.frombuffer(encode_picture(smooth, suffix), np.uint8), cv2.IMREAD_COLOR)
    difference = np.abs(image.astype(int) - smooth)
    assert difference.max() <= (0 if suffix.lower() == ".png" else 8)


def test_other_formats_are_refused():
    with pytest.raises(ExportError, match=r"not as \.bmp"):
        encode_picture(picture(), ".bmp")


def test_png_text_is_valid_and_leaves_the_pixels_alone():
    plain = encode_picture(picture(), ".png")
    data = with_png_text(plain, {"Software": "twinlens 0.1.0", "Comment": "кино"})
    chunks = png_chunks(data)
    assert [kind for kind, _ in chunks][:3] == [b"IHDR", b"iTXt", b"iTXt"]
    assert chunks[-1][0] == b"IEND"
    # iTXt: keyword, 0, uncompressed, method 0, no language, no translated keyword, UTF-8 text.
    assert chunks[1][1] == b"Software\0\0\0\0\0twinlens 0.1.0"
    assert chunks[2][1] == b"Comment\0\0\0\0\0" + "кино".encode()
    assert (cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) == picture()).all()
    assert with_png_text(plain, {}) == plain


class TestScreenshot:
    def test_the_name_has_date_and_milliseconds(self, tmp_path):
        assert screenshot_path(tmp_path, "Demo", WHEN).name == "twinlens-Demo-20250131-142530-123.png"

    @pytest.mark.parametrize(
        ("source", "stem"),
        [("clip.mp4", "clip.mp4"), ("a/b:c*?", "a_b_c"), ("映画", "映画"), ("..", "picture"), ("x" * 300, "x" * 60)],
    )
    def test_the_name_works_everywhere(self, tmp_path, source, stem):
        assert screenshot_path(tmp_path, source, WHEN).name == f"twinlens-{stem}-20250131-142530-123.png"

    @pytest.mark.parametrize("taken", [".png", "-mask.png", "-landmarks.json"])
    def test_a_taken_name_moves_on_by_a_millisecond(self, tmp_path, taken):
        (tmp_path / f"twinlens-Demo-20250131-142530-123{taken}").touch()
        assert screenshot_path(tmp_path, "Demo", WHEN).name == "twinlens-Demo-20250131-142530-124.png"

    def test_many_in_a_row_are_all_kept(self, tmp_path):
        image = picture()
        paths = {save_screenshot(tmp_path / "new" / "folder", "Demo", image) for _ in range(20)}
        assert len(paths) == len(list((tmp_path / "new" / "folder").iterdir())) == 20
        assert all((read(path) == image).all() for path in paths)

    def test_a_folder_that_cannot_be_made(self, tmp_path):
        (tmp_path / "file").touch()
        with pytest.raises(ExportError, match="cannot be made"):
            save_screenshot(tmp_path / "file" / "folder", "Demo", picture())

    def test_sixteen_bits(self, tmp_path):
        depth = np.arange(65 * 49, dtype=np.uint16).reshape(49, 65) * 20
        save_png(tmp_path / "映画 [1].png", depth, {"Software": "x"})
        assert (read(tmp_path / "映画 [1].png") == depth).all()

    def test_layers_lie_beside_it(self, tmp_path):
        assert layer_path(tmp_path / "shot.v2.png", "mask") == tmp_path / "shot.v2-mask.png"
        assert layer_path(tmp_path / "shot.png", "landmarks") == tmp_path / "shot-landmarks.json"

    def test_the_text_says_what_ran_where(self):
        text = result_text(make_result(4, 0.16), "twinlens 0.1.0")
        assert text["Source"] == "test, frame 4, 0.160 s"
        assert text["Comment"] == "face on ort-cpu, segmentation on ort-cpu, depth on ort-cpu; 6.50 ms"
