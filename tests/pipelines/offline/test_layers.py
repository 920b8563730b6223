"""Layers of a run: complete or absent, and never mixed with those of another run."""

import json

import cv2
import numpy as np
import pytest

from pipelines.errors import ExportError
from pipelines.export import LAYERS, encode_layer
from pipelines.offline.layers import LayerFolder
from tests.pipelines.offline.helpers import make_face, make_result


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def read(data):
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)


def test_pixels_of_the_layers():
    result = make_result(3, 0.12, size_wh=(65, 49), faces=[make_face()])
    annotated = np.full((49, 65, 3), (1, 2, 3), np.uint8)
    pictures = {layer: encode_layer(layer, result, annotated) for layer in LAYERS}
    assert (read(pictures["overlay"]) == annotated).all()
    mask = read(pictures["mask"])
    assert mask.dtype == np.uint8
    assert (mask == result.mask.alpha).all()
    depth = read(pictures["depth"])
    assert depth.dtype == np.uint16
    assert depth.shape == (49, 65)
    # A ramp from 0 to 1 over the picture, where 65535 stands for 2.
    assert depth[0, 0] == 0
    assert depth[-1, -1] in (32767, 32768)
    assert depth[10, 32] == pytest.approx(32767.5 / 2, abs=20)
    record = json.loads(pictures["landmarks"])
    assert list(record) == ["frame", "time_s", "width", "height", "faces"]
    assert (record["frame"], record["time_s"]) == (3, 0.12)
    assert len(record["faces"][0]["landmarks"]) == 478


@pytest.mark.parametrize(("layer", "task"), [("mask", "segmentation"), ("depth", "depth"), ("landmarks", "face")])
def test_a_layer_needs_its_task(layer, task):
    others = tuple({"face", "segmentation", "depth"} - {task})
    with pytest.raises(ExportError, match=f"layer {layer} needs the task {task}"):
        encode_layer(layer, make_result(tasks=others), np.zeros((48, 64, 3), np.uint8))


def test_an_unknown_layer():
    with pytest.raises(ExportError, match="no layer 'halo'"):
        encode_layer("halo", make_result(), np.zeros((48, 64, 3), np.uint8))


def test_nothing_shows_before_the_commit(tmp_path):
    folder = tmp_path / "a" / "L"
    with LayerFolder(folder, ("mask", "landmarks"), overwrite=False) as layers:
        layers.write("mask", 0, b"0")
        layers.write("mask", 1_000_000, b"1")
        layers.write("landmarks", 7, b"{}")
        assert not (folder / "mask").exists()
        layers.commit()
    assert names(folder) == ["landmarks/000007.json", "mask/000000.png", "mask/1000000.png"]


def test_without_a_commit_nothing_is_left(tmp_path):
    with LayerFolder(tmp_path / "a" / "L", ("mask",), overwrite=False) as layers:
        layers.write("mask", 0, b"0")
    assert list(tmp_path.iterdir()) == []


def test_what_was_there_survives_a_failed_run(tmp_path):
    (tmp_path / "mask").mkdir()
    (tmp_path / "mask/000000.png").write_bytes(b"old")
    with LayerFolder(tmp_path, ("mask",), overwrite=True) as layers:
        layers.write("mask", 0, b"new")
    assert names(tmp_path) == ["mask/000000.png"]
    assert (tmp_path / "mask/000000.png").read_bytes() == b"old"


def test_overwriting_leaves_no_frames_of_the_longer_run_and_touches_nothing_else(tmp_path):
    for name in ("mask/000000.png", "mask/000009.png", "mask/notes.txt", "depth/000009.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"old")
    with LayerFolder(tmp_path, ("mask",), overwrite=True) as layers:
        layers.write("mask", 0, b"new")
        layers.commit()
    assert names(tmp_path) == ["depth/000009.png", "mask/000000.png", "mask/notes.txt"]
    assert (tmp_path / "mask/000000.png").read_bytes() == b"new"


def test_a_folder_that_filled_up_meanwhile_is_not_overwritten(tmp_path):
    with LayerFolder(tmp_path, ("mask",), overwrite=False) as layers:
        layers.write("mask", 0, b"new")
        (tmp_path / "mask").mkdir()
        (tmp_path / "mask/000000.png").write_bytes(b"theirs")
        with pytest.raises(ExportError, match="holds files already"):
            layers.commit()
    assert names(tmp_path) == ["mask/000000.png"]
    assert (tmp_path / "mask/000000.png").read_bytes() == b"theirs"


def test_a_file_in_the_way(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ExportError, match="cannot be made"):
        LayerFolder(tmp_path / "file" / "L", ("mask",), overwrite=False)
