"""Which kind of source a text means, and the first picture of one."""

import sys
from pathlib import Path

import pytest

import assets
from pipelines.errors import SourceError
from pipelines.sources import SOURCE_KINDS, SourceInfo, SourceOptions, first_picture, make_source
from pipelines.sources.camera import CameraSource
from pipelines.sources.images import ImagesSource
from pipelines.sources.paths import is_address, local_path
from pipelines.sources.stream import StreamSource
from pipelines.sources.video import VideoSource
from tests.clips import greys, play, write_clip


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("camera", CameraSource),
        ("camera:", CameraSource),
        ("camera:1", CameraSource),
        ("camera:Logi", CameraSource),
        ("camera:http://x", CameraSource),
        ("http://host/video", StreamSource),
        ("https://user:pw@host:8080/video?x=1", StreamSource),
        ("http://host/picture.png", StreamSource),
        ("rtsp://host/live", StreamSource),
        ("RTSP://HOST/LIVE", StreamSource),
        ("Https://host", StreamSource),
        ("rtsps://host", StreamSource),
        ("udp://127.0.0.1:1234", StreamSource),
        ("demo", VideoSource),
        ("a.png", ImagesSource),
        ("A.JPG", ImagesSource),
        ("folder.with.dots/a.webp", ImagesSource),
        (".", ImagesSource),
        ("clip.mp4", VideoSource),
        ("clip.MP4", VideoSource),
        ("clip.gif", VideoSource),
        ("clip", VideoSource),
        ("./demo", VideoSource),
        ("./camera", VideoSource),
        ("camera.mp4", VideoSource),
        ("cameras", VideoSource),
        ("Demo", VideoSource),
        ("C:\\clip.mp4", VideoSource),
        ("C:/clip.mp4", VideoSource),
        ("C://clip.mp4", VideoSource),
        ("c:\\pictures\\a.png", ImagesSource),
        ("\\\\server\\share\\clip.mp4", VideoSource),
        ("//server/share/clip.mp4", VideoSource),
        ("./http://clip.mp4", VideoSource),
        ("a://b.mp4", VideoSource),
        ("with space://b.mp4", VideoSource),
        ("1st://b.mp4", VideoSource),
        ("http:clip.mp4", VideoSource),
        ("http:/clip.mp4", VideoSource),
        ("50%.mp4", VideoSource),
        ("-y.mp4", VideoSource),
        ("file:///tmp/clip.mp4", VideoSource),
        ("file:///tmp/a.png", ImagesSource),
    ],
)
def test_what_a_text_means(text, kind):
    assert type(make_source(text)) is kind


def test_a_folder_means_its_pictures_whatever_its_name(tmp_path):
    for name in ("folder", "folder.mp4", "folder.png", "人", "a b"):
        (tmp_path / name).mkdir()
        assert type(make_source(str(tmp_path / name))) is ImagesSource


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not allow this name")
def test_a_file_whose_path_looks_like_an_address_plays(tmp_path, monkeypatch):
    folder = tmp_path / "http:" / "host"
    folder.mkdir(parents=True)
    write_clip(folder / "clip.mp4", greys(3))
    for text in (str(folder / "clip.mp4"), f"{tmp_path}/http://host/clip.mp4"):
        assert len(play(make_source(text))[1]) == 3
    monkeypatch.chdir(tmp_path)
    assert len(play(make_source("./http://host/clip.mp4"))[1]) == 3


@pytest.mark.parametrize("text", ["", " ", "\t\n"])
def test_no_text(text):
    with pytest.raises(SourceError) as caught:
        make_source(text)
    assert str(caught.value) == "no source was named: give a file, a folder, an address, camera or demo"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ftp://host/clip.mp4", "ftp://host/clip.mp4"),
        ("ftp://me:s3cret@host/clip.mp4?key=s3cret", "ftp://host/clip.mp4"),
        ("gopher://[bad", "gopher address"),
        ("javascript://x", "javascript://x"),
    ],
)
def test_addresses_of_other_kinds(text, shown):
    with pytest.raises(SourceError) as caught:
        make_source(text)
    assert str(caught.value) == f"{shown}: addresses of this kind cannot be opened (http, https and rtsp can)"


def test_file_addresses_are_paths(tmp_path):
    path = write_clip(tmp_path / "a clip 人 100%.mp4", greys(3))
    info, frames = play(make_source(path.as_uri()))
    assert info.name == path.name
    assert len(frames) == 3
    assert local_path("file://localhost" + path.as_uri()[len("file://") :]) == path
    assert not is_address(path.as_uri())


def test_the_home_folder_has_a_short_name(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    write_clip(tmp_path / "clip.mp4", greys(3))
    assert len(play(make_source("~/clip.mp4"))[1]) == 3


def test_nothing_is_opened():
    for text in ("camera:99", "http://127.0.0.1:9/x", "no such file.mp4", "no such picture.png"):
        make_source(text).close()


def test_wishes_reach_the_camera():
    options = SourceOptions((1280, 720), 30)
    assert make_source("camera:1", options)._options is options


def test_the_demo_is_a_loop_of_that_name():
    source = make_source("demo")
    info = source.open()
    assert (info.name, info.kind, info.loops, info.live) == ("Demo", "demo", True, False)
    assert source.read().source == "Demo"
    source.close()


def test_an_installation_without_the_demo_is_one_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(assets, "__file__", str(tmp_path / "__init__.py"))
    with pytest.raises(SourceError) as caught:
        make_source("demo")
    assert str(caught.value) == f"the installation is incomplete: {Path(tmp_path, 'demo.mp4')} is missing"


def test_kinds_are_those_of_the_documentation():
    assert set(SOURCE_KINDS.names()) == {"camera", "demo", "images", "stream", "video"}


def test_the_first_picture_is_taken_and_the_source_closed():
    info, frame = first_picture("demo")
    assert (info.kind, frame.size_wh, frame.index) == ("demo", (1280, 720), 0)


@pytest.mark.parametrize(
    ("live", "complaint"),
    [(True, "http://host/a sends no picture"), (False, "http://host/a holds no picture that can be decoded")],
)
def test_a_source_without_a_picture_is_closed_and_complained_of(monkeypatch, live, complaint):
    closed = []

    class Empty:
        def open(self):
            return SourceInfo("empty", "stream", live, (1, 1))

        def read(self):
            return None

        def close(self):
            closed.append(True)

    monkeypatch.setattr("pipelines.sources.make_source", lambda text: Empty())
    with pytest.raises(SourceError, match=f"^{complaint}$"):
        first_picture("http://me:secret@host/a?key=1")
    assert closed == [True]
