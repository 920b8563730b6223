"""Names that no system has, names of several lines, and a full disk behind standard output: a sentence each."""

import os
import sys
from pathlib import Path

import cv2
import pytest

from app.__main__ import main
from app.cli.streams import one_line
from pipelines.errors import ExportError
from tests.app.clips import portrait

LONG = "z" * 300


@pytest.fixture
def picture(inside):
    Path("a.png").write_bytes(cv2.imencode(".png", portrait((64, 48)))[1].tobytes())
    return "a.png"


@pytest.mark.parametrize(
    "command",
    [
        f"process {LONG}.png",
        f"process a.png -o {LONG}.png",
        f"process a.png -o {LONG}/",
        f"process a.png -o {LONG}/out.png",
        f"process a.png --no-video --results {LONG}.csv",
        f"process a.png --no-video --layers mask --layers-dir {LONG}",
        f"process a.png --report {LONG}.json",
        f"screenshot {LONG}.png -o out.png",
        f"screenshot a.png -o {LONG}.png",
        f"screenshot a.png -o {'z' * 251}.png --layers mask",
        f"demo -o {LONG}",
        f"bench --json {LONG}.json",
        f"bench --profile {LONG}",
        f"models add {LONG}.onnx --task depth",
        f"models add {LONG}.toml",
    ],
)
@pytest.mark.usefixtures("picture")
def test_a_name_that_is_too_long_is_refused_before_any_work(inside, capfd, command):
    assert main(command.split()) == 1
    told = [line for line in capfd.readouterr().err.splitlines() if line.startswith("twinlens: ")]
    assert len(told) == 1
    assert "zzz" in told[0]
    assert "file name too long" in told[0].lower()
    assert [path.name for path in inside.iterdir()] == ["a.png"]


def test_an_output_beside_an_input_with_a_name_as_long_as_can_be(picture, inside, capfd):
    name = "y" * 251 + ".png"
    Path(picture).rename(name)
    assert main(["process", name]) == 1
    told = f"twinlens: {name[:-4]}.twinlens.png cannot be written: file name too long\n"
    assert capfd.readouterr().err == told
    assert [path.name for path in inside.iterdir()] == [name]


def test_a_name_of_two_lines_is_told_in_one(picture, inside, capfd):
    Path("two\nlines \x1b[31m.png").write_bytes(b"x")
    assert main(["process", "two\nlines \x1b[31m.png", picture, "-o", "out", "--tasks", "face"]) == 1
    found = capfd.readouterr()
    assert r"twinlens: " in found.err
    assert r"two\nlines \x1b[31m.png is not a picture that can be decoded" in found.err
    assert "\x1b" not in found.out + found.err
    Path(picture).rename("a\nb.png")
    assert main(["process", "a\nb.png", "-o", "c\nd.png", "--tasks", "face"]) == 0
    assert capfd.readouterr().out.startswith(r"c\nd.png: 1 picture")


def test_letters_stay_as_they_are():
    assert one_line("人 臉 é\u00a0\udcff 🙂") == "人 臉 é\u00a0\udcff 🙂"
    assert one_line("\t\x00\x9b\u2028") == r"\t\x00\x9b\u2028"


@pytest.mark.parametrize("argv", [["models", "add", "gone.onnx"], ["models", "add", "gone.toml"]])
def test_a_network_that_is_not_there_is_said_to_be_missing(inside, capfd, argv):
    assert main(argv) == 1
    assert capfd.readouterr().err == f"twinlens: {argv[-1]}: there is no such file\n"


@pytest.mark.parametrize("argv", [["--help"], ["process", "--help"], ["--version"]])
def test_help_on_a_full_disk_is_no_success(monkeypatch, capsys, argv):
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        monkeypatch.setattr(sys, "stdout", full)
        assert main(argv) == 1
    assert capsys.readouterr().err == "twinlens: standard output cannot be written: no space left on device\n"


def test_what_the_system_says_of_a_file_is_a_sentence_wherever_it_is_met(picture, monkeypatch, capfd):
    def refuse(request):
        raise PermissionError(13, "Permission denied", "/secret/a.png")

    monkeypatch.setattr("app.cli.process.make_plan", refuse)
    assert main(["process", picture]) == 1
    assert capfd.readouterr().err == "twinlens: /secret/a.png: permission denied\n"


def refusing(call):
    """Return a call of the system that refuses what is in the folder `shut`."""

    def refuse(path, *args, **options):
        if not isinstance(path, int) and "shut/" in os.fspath(path):
            raise PermissionError(13, "Permission denied", os.fspath(path))
        return call(path, *args, **options)

    return refuse


@pytest.mark.parametrize(
    "options", ["-o shut/out.png", "-o shut/out.png --resume", "--no-video --layers mask --layers-dir shut/L"]
)
@pytest.mark.usefixtures("picture")
def test_a_folder_that_may_not_be_entered(inside, monkeypatch, capfd, options):
    """As the system refuses everybody but its owner; who runs the tests may be allowed everything."""
    for name in ("stat", "lstat", "mkdir"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    Path("shut").mkdir()
    assert main(["process", "a.png", *options.split()]) == 1
    told = capfd.readouterr().err.splitlines()[-1]
    assert told.removeprefix("twinlens: ") in (
        "shut/out.png cannot be written: permission denied",
        "the folder shut/L cannot be made: permission denied",
    )
    monkeypatch.undo()
    assert list((inside / "shut").iterdir()) == []


def test_a_demo_that_cannot_be_written_names_the_folder_that_was_asked_for(inside, monkeypatch, capfd):
    def fail(place, say, cancel):
        raise ExportError(f"{place / 'demo.mp4'} cannot be written: no space left on device")

    monkeypatch.setattr("app.cli.demo.make_showcase", fail)
    assert main(["demo", "-o", "D"]) == 1
    assert capfd.readouterr().err == "twinlens: D/demo.mp4 cannot be written: no space left on device\n"
    assert list(inside.iterdir()) == []
