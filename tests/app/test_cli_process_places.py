"""`twinlens process` where the output cannot go: full disk, missing folder; and sound through the whole command."""

import json
import os
import resource
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from app.__main__ import main
from tests.app.clips import frame_times, make_clip, portrait
from tests.patience import PATIENCE_S

ROOT = str(Path(__file__).parents[2])


@pytest.fixture(scope="session")
def clip(tmp_path_factory):
    return make_clip(tmp_path_factory.mktemp("clip") / "clip.mp4", [number / 25 for number in range(40)])


@pytest.mark.parametrize(
    "options",
    [
        ["-o", "out.mp4"],
        ["-o", "out.mkv"],
        ["--no-video", "--results", "r.jsonl"],
        ["--no-video", "--results", "r.csv"],
        ["--no-video", "--layers", "overlay", "--layers-dir", "L"],
    ],
    ids=["mp4", "mkv", "jsonl", "csv", "layers"],
)
def test_a_full_disk_stops_with_the_reason_and_leaves_nothing(clip, inside, options):
    """A file size limit makes writing fail as a full disk does, in the middle of a file."""
    command = [sys.executable, "-m", "app", "process", str(clip), "--tasks", "face", *options]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": ROOT},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (15_000, 15_000)),
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 1
    line = done.stderr.strip().splitlines()[-1]  # after the one on the input
    assert line.startswith("twinlens: ")
    assert "cannot be written: file too large" in line
    assert list(inside.iterdir()) == []


def test_a_full_disk_leaves_the_earlier_file_alone(clip, inside):
    Path("out.mp4").write_bytes(b"old")
    command = [sys.executable, "-m", "app", "process", str(clip), "--tasks", "depth", "-o", "out.mp4", "--overwrite"]
    done = subprocess.run(
        command,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": ROOT},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (15_000, 15_000)),
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 1
    assert [path.name for path in inside.iterdir()] == ["out.mp4"]
    assert Path("out.mp4").read_bytes() == b"old"


@pytest.mark.parametrize("options", [["-o", "no/out.mp4"], ["-o", "file/out.mp4"], ["--results", "no/r.csv"]])
def test_a_place_that_does_not_exist_is_refused_before_any_work(clip, inside, capsys, options):
    Path("file").touch()
    assert main(["process", str(clip), *options]) == 1
    assert "cannot be written" in capsys.readouterr().err
    assert [path.name for path in inside.iterdir()] == ["file"]


def add_sound(clip, path, seconds):
    """Remux a clip with a track of silence."""
    with av.open(str(clip)) as source, av.open(str(path), "w") as target:
        video = target.add_stream_from_template(source.streams.video[0])
        sound = target.add_stream("aac", rate=48_000)
        sound.codec_context.layout = "mono"
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = video
                target.mux(packet)
        for start in range(0, round(seconds * 48_000), 1024):
            frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), "fltp", "mono")
            frame.sample_rate, frame.pts, frame.time_base = 48_000, start, Fraction(1, 48_000)
            target.mux(sound.encode(frame))
        target.mux(sound.encode(None))


@pytest.mark.parametrize(
    ("options", "sound_s", "frames"),
    [
        ([], 2.5, 40),
        (["--start", "0.4", "--end", "1.0"], 0.6, 15),
        (["--max-frames", "10"], 0.4, 10),
        (["--no-audio"], None, 40),
    ],
)
def test_sound_follows_the_part_that_is_processed(clip, inside, options, sound_s, frames):
    add_sound(clip, "in.mp4", 2.5)
    assert main(["process", "in.mp4", "-o", "out.mp4", "--tasks", "depth", *options]) == 0
    assert len(frame_times("out.mp4")) == frames
    with av.open("out.mp4") as container:
        assert len(container.streams.audio) == (sound_s is not None)
        if sound_s is not None:
            stream = container.streams.audio[0]
            times = [packet.pts * stream.time_base for packet in container.demux(stream) if packet.size]
            assert float(times[-1]) == pytest.approx(sound_s, abs=0.05)


def test_clips_whose_names_are_odd(clip, inside):
    names = [" a (1).v2 .mp4", "b[0-9]*.mp4", "кино 映画 🎬.mp4", "%03d.mp4", "-dash.mp4"]
    for name in names:
        Path(name).write_bytes(clip.read_bytes())
    options = ["--max-frames", "2", "--tasks", "depth", "-o", "out", "--results", "r.jsonl"]
    assert main(["process", *options, "--", *names]) == 0
    assert sorted(path.name for path in Path("out").iterdir()) == sorted(
        name.replace(".mp4", ".twinlens.mp4") for name in names
    )
    rows = [json.loads(line) for line in Path("r.jsonl").read_text("utf-8").splitlines()]
    assert [row["input"] for row in rows] == [name for name in names for _ in range(2)]


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (["--report", "in.mp4"], 1),
        (["--effect", "replace:back.png", "--results", "back.csv", "--report", "back.png"], 1),
        (["--results", "r.csv", "--report", "r.csv"], 2),
    ],
)
def test_nothing_that_is_read_is_replaced(clip, inside, capsys, options, status):
    """Not even with --overwrite, which is about the outputs of an earlier run."""
    Path("in.mp4").write_bytes(clip.read_bytes())
    Path("back.png").write_bytes(cv2.imencode(".png", np.zeros((8, 8, 3), np.uint8))[1].tobytes())
    before = {path.name: path.read_bytes() for path in inside.iterdir()}
    try:
        found = main(["process", "in.mp4", "--overwrite", *options])
    except SystemExit as ended:
        found = ended.code
    assert found == status
    assert {path.name: path.read_bytes() for path in inside.iterdir()} == before
    assert ("choose another name" if status == 1 else "two outputs") in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_a_name_that_is_no_text(inside, capsys, suffix):
    """A file from another system: its name is bytes, for which there is no letter."""
    name = os.fsdecode(b"caf\xe9.png")
    for path in (name, "b.png"):
        Path(path).write_bytes(cv2.imencode(".png", portrait((64, 48)))[1].tobytes())
    options = ["-o", "out", "--results", f"r.{suffix}", "--report", "r.json", "--tasks", "face"]
    assert main(["process", name, "b.png", *options]) == 0
    assert main(["screenshot", name, "-o", os.fsdecode(b"\xff.png"), "--tasks", "face"]) == 0
    assert sorted(os.fsencode(path.name) for path in Path("out").iterdir()) == [
        b"b.twinlens.png",
        b"caf\xe9.twinlens.png",
    ]
    assert json.loads(Path("r.json").read_text())["jobs"][0]["input"] == name
    lines = Path(f"r.{suffix}").read_text("utf-8-sig").splitlines()
    if suffix == "jsonl":
        assert [json.loads(line)["input"] for line in lines] == [name, "b.png"]
    else:
        assert [line.split(",")[0] for line in lines] == ["input", "caf\\udce9.png", "b.png"]
    assert "caf\\udce9.twinlens.png: 1 picture" in capsys.readouterr().out
