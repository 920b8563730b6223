"""What `twinlens process` refuses, in one sentence, leaving nothing behind; and damaged files."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from app.__main__ import main
from tests.app.clips import VARIABLE, frame_times, make_clip


@pytest.fixture(scope="session")
def clip(tmp_path_factory):
    """A clip with a variable rate."""
    return make_clip(tmp_path_factory.mktemp("clip") / "clip.mp4", VARIABLE)


def bad_inputs():
    good = cv2.imencode(".png", np.zeros((1, 1, 3), np.uint8))[1].tobytes()
    return {
        "missing.mp4": None,
        "missing.png": None,
        "empty.mp4": b"",
        "empty.jpg": b"",
        "text.mp4": b"this is no video\n" * 100,
        "text.png": b"this is no picture\n" * 100,
        "one.png": good,
        "folder/": None,
        "nothing*.mp4": None,
    }


@pytest.mark.parametrize("name", bad_inputs())
def test_bad_inputs_are_one_sentence_and_leave_nothing(inside, capfd, name):
    content = bad_inputs()[name]
    if name.endswith("/"):
        Path(name).mkdir()
    elif content is not None:
        Path(name).write_bytes(content)
    before = sorted(inside.rglob("*"))
    extra = ["--layers", "mask", "--layers-dir", "L"]
    out = "o.png" if name.endswith(("png", "jpg")) else "o.mp4"
    output = [] if name.endswith("/") else ["-o", out]
    assert main(["process", name, *output, "--results", "r.jsonl", *extra]) == 1
    captured = capfd.readouterr()
    lines = captured.err.strip().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("twinlens: ")
    assert name.rstrip("/") in lines[0]
    assert captured.out == ""
    assert sorted(inside.rglob("*")) == before


def test_a_video_cut_before_its_index_leaves_nothing(clip, inside, capfd):
    Path("cut.mp4").write_bytes(clip.read_bytes()[: clip.stat().st_size // 2])  # written without faststart
    assert main(["process", "cut.mp4", "-o", "o.mp4"]) == 1
    (line,) = capfd.readouterr().err.strip().splitlines()
    assert "cut.mp4" in line
    assert [path.name for path in inside.iterdir()] == ["cut.mp4"]


def test_a_video_cut_in_the_middle_keeps_what_could_be_read(inside, capfd):
    make_clip(inside / "whole.mkv", [number / 25 for number in range(50)])
    data = Path("whole.mkv").read_bytes()
    Path("cut.mkv").write_bytes(data[: len(data) * 6 // 10])
    assert main(["process", "cut.mkv", "-o", "o.mp4", "--results", "r.jsonl", "--tasks", "depth"]) == 1
    error = capfd.readouterr().err
    assert "cut.mkv: read " in error
    frames = len(frame_times("o.mp4"))
    assert 5 < frames < 50
    assert len(Path("r.jsonl").read_text().splitlines()) == frames


WRONG_USAGE = [
    ["-o", "x.txt"],
    ["--no-video"],
    ["--layers", "mask"],
    ["--layers", "halo", "--layers-dir", "L"],
    ["--start", "2", "--end", "1"],
    ["--start", "-1"],
    ["--max-frames", "0"],
    ["--tasks", "smell"],
    ["--max-faces", "0"],
    ["--effect", "halo"],
    ["--crf", "0"],
    ["--pipeline", "face="],
    [""],
    ["-o", ""],
    ["--results", " "],
    ["--report", ""],
    ["--layers", "mask", "--layers-dir", ""],
    ["rtsp://user:secret@127.0.0.1/stream"],
    ["camera:0"],
    ["demo"],
    ["--effect", "blur", "--tasks", "face"],
    ["--alpha", "-o", "o.mp4"],
    ["--alpha", "--tasks", "face"],
    ["--alpha", "--effect", "blur"],
    ["-o", "o.gif", "--crf", "20"],
    ["--jobs", "0"],
    ["--jobs", "65"],
]


@pytest.mark.parametrize("options", WRONG_USAGE, ids=" ".join)
def test_wrong_usage_exits_with_2(clip, inside, capsys, options):
    with pytest.raises(SystemExit) as caught:
        main(["process", str(clip), *options])
    assert caught.value.code == 2
    told = capsys.readouterr().err
    assert "usage: twinlens process" in told
    assert "secret" not in told
    assert list(inside.iterdir()) == []


def test_nothing_is_overwritten_unasked(clip, inside, capsys):
    Path("out.mp4").write_bytes(b"old")
    assert main(["process", str(clip), "-o", "out.mp4"]) == 1
    assert "exists already" in capsys.readouterr().err
    assert Path("out.mp4").read_bytes() == b"old"
    assert main(["process", str(clip), "-o", "out.mp4", "--tasks", "depth", "--overwrite"]) == 0
    assert len(frame_times("out.mp4")) == 8


def test_the_input_is_never_the_output(clip, inside, capsys):
    Path("in.mp4").write_bytes(clip.read_bytes())
    Path("link.mp4").symlink_to("in.mp4")
    assert main(["process", "in.mp4", "-o", "link.mp4", "--overwrite"]) == 1
    assert "is the input itself" in capsys.readouterr().err
    assert Path("in.mp4").read_bytes() == clip.read_bytes()


def test_the_report_says_what_became_of_each_file(clip, inside, capfd):
    Path("broken.mp4").write_text("this is no video")
    arguments = ["--no-video", "--results", "r.jsonl", "--tasks", "depth", "--max-frames", "3", "--report", "rep.json"]
    assert main(["process", str(clip), "broken.mp4", *arguments]) == 1
    report = json.loads(Path("rep.json").read_text())
    assert report["complete"] is False
    good, bad = report["jobs"]
    assert (good["input"], good["status"], good["frames"], good["message"]) == (str(clip), "done", 3, "")
    assert good["preflight"].startswith("320x240, ")
    assert "variable rate" in good["preflight"]
    assert (bad["input"], bad["status"], bad["output"]) == ("broken.mp4", "failed", None)
    assert "broken.mp4" in bad["message"]
    assert f"{clip}: {good['preflight']}" in capfd.readouterr().err
