"""Texts that name nothing readable end in one sentence, never in another kind of exception."""

import os
from pathlib import Path

import pytest

from pipelines.errors import SourceError
from pipelines.sources import make_source


def complaint(text):
    with pytest.raises(SourceError) as caught:
        make_source(str(text)).open()
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "no source was named"),
        ("  ", "no source was named"),
        ("~no-such-user-here/clip.mp4", "there is no such file or folder"),
        ("~no-such-user-here/picture.png", "there is no such file or folder"),
        ("no/such/clip.mp4", "there is no such file or folder"),
        ("x" * 300 + ".mp4", "cannot be read: "),
        ("x" * 300 + ".png", "cannot be read: "),
        ("clip\0.mp4", "cannot be read: embedded null byte"),
    ],
)
def test_names_of_nothing(text, cause):
    assert cause in complaint(text)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_without_waiting_for_a_writer(tmp_path):
    pipe = tmp_path / "pipe.mp4"
    os.mkfifo(pipe)
    assert complaint(pipe) == f"{pipe} is neither a file nor a folder"


@pytest.mark.parametrize("refused", ["iterdir", "is_file"])
def test_folders_that_may_not_be_read(tmp_path, monkeypatch, refused):
    (tmp_path / "a.png").write_bytes(b"x")

    def refuse(self, *rest):
        raise PermissionError(13, "Permission denied", str(self))

    source = make_source(str(tmp_path))
    monkeypatch.setattr(Path, refused, refuse)  # root may read everything
    with pytest.raises(SourceError, match="cannot be read: Permission denied"):
        source.open()


@pytest.mark.parametrize("name", ["clip.mp4", "clip.png"])
def test_files_in_a_folder_that_may_not_be_entered(tmp_path, monkeypatch, name):
    real = Path.stat

    def refuse(self, **options):
        if self.name == name:
            raise PermissionError(13, "Permission denied", str(self))
        return real(self, **options)

    def refuse_bytes(self):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "stat", refuse)
    monkeypatch.setattr(Path, "read_bytes", refuse_bytes)
    assert "cannot be read: Permission denied" in complaint(tmp_path / name)
