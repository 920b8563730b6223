"""`twinlens screenshot` with the real models."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from app.__main__ import main
from tests.app.clips import make_clip, portrait


@pytest.fixture(scope="session")
def clip(tmp_path_factory):
    return make_clip(tmp_path_factory.mktemp("clip") / "clip.mkv", [number / 10 for number in range(10)])


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_video_frame_with_all_layers(clip, inside, capsys):
    layers = "overlay,mask,depth,landmarks"
    assert main(["screenshot", str(clip), "-o", "shot.png", "--layers", layers, "--at", "0.45"]) == 0
    assert names(inside) == ["shot-depth.png", "shot-landmarks.json", "shot-mask.png", "shot.png"]
    assert capsys.readouterr().out.split() == ["shot.png", "shot-mask.png", "shot-depth.png", "shot-landmarks.json"]
    picture, mask, depth = (cv2.imread(name, cv2.IMREAD_UNCHANGED) for name in names(inside)[3::-1] if "png" in name)
    assert picture.shape == (240, 320, 3)
    assert (mask.shape, mask.dtype) == ((240, 320), np.uint8)
    assert (depth.shape, depth.dtype) == ((240, 320), np.uint16)
    record = json.loads(Path("shot-landmarks.json").read_text())
    assert (record["frame"], record["time_s"]) == (5, 0.5)
    assert len(record["faces"]) == 1
    assert np.abs(picture.astype(int) - portrait()).max() > 60
    assert b"face on ort-cpu" in Path("shot.png").read_bytes()


def test_without_overlay_the_picture_is_the_plain_frame(inside):
    Path("in.png").write_bytes(cv2.imencode(".png", portrait((201, 151)))[1].tobytes())
    assert main(["screenshot", "in.png", "-o", "shot.png", "--layers", "mask", "--tasks", "segmentation"]) == 0
    assert names(inside) == ["in.png", "shot-mask.png", "shot.png"]
    assert (cv2.imread("shot.png") == portrait((201, 151))).all()


def test_the_demo(inside):
    assert main(["screenshot", "demo", "-o", "shot.png"]) == 0
    assert min(cv2.imread("shot.png").shape[:2]) >= 360


@pytest.mark.parametrize("taken", ["shot.png", "shot-mask.png"])
def test_nothing_is_overwritten_unasked(clip, inside, capsys, taken):
    Path(taken).write_bytes(b"old")
    arguments = ["screenshot", str(clip), "-o", "shot.png", "--layers", "mask", "--tasks", "segmentation"]
    assert main(arguments) == 1
    assert "exists already" in capsys.readouterr().err
    assert names(inside) == [taken]
    assert Path(taken).read_bytes() == b"old"
    assert main([*arguments, "--overwrite"]) == 0
    assert names(inside) == ["shot-mask.png", "shot.png"]


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        ("missing.mp4", [], "missing.mp4"),
        ("clip", ["--at", "99"], "ends after 0.90 s, before 99 s"),
        ("in.png", ["--at", "1"], "pictures have no time"),
        ("clip", ["-o", "no/shot.png"], "no does not exist"),
        ("clip", ["--pipeline", "ort-imaginary"], "ort-imaginary"),
    ],
)
def test_failures_are_one_sentence_and_leave_nothing(clip, inside, capfd, source, options, message):
    Path("in.png").write_bytes(cv2.imencode(".png", portrait((64, 48)))[1].tobytes())
    source = str(clip) if source == "clip" else source
    assert main(["screenshot", source, *(["-o", "shot.png"] if "-o" not in options else []), *options]) == 1
    (line,) = capfd.readouterr().err.strip().splitlines()
    assert message in line
    assert names(inside) == ["in.png"]


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["-o", "shot.jpg"],
        ["-o", "s.png", "--layers", "halo"],
        ["-o", "s.png", "--layers", "mask", "--tasks", "face"],
    ],
)
def test_wrong_usage_exits_with_2(clip, inside, capsys, options):
    with pytest.raises(SystemExit) as caught:
        main(["screenshot", str(clip), *options])
    assert caught.value.code == 2
    assert "usage: twinlens screenshot" in capsys.readouterr().err
    assert names(inside) == []


@pytest.mark.parametrize(("source", "shot"), [("a.png", "a.png"), ("a-mask.png", "a.png"), (".", "a.png")])
def test_the_source_is_not_replaced(inside, capsys, source, shot):
    for name in ("a.png", "a-mask.png"):
        Path(name).write_bytes(cv2.imencode(".png", portrait((64, 48)))[1].tobytes())
    before = {path.name: path.read_bytes() for path in inside.iterdir()}
    options = ["--layers", "overlay,mask", "--tasks", "segmentation", "--overwrite"]
    assert main(["screenshot", source, "-o", shot, *options]) == 1
    assert "is the input itself" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in inside.iterdir()} == before
