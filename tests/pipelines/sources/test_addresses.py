"""Addresses: which texts are one, and what is shown of them."""

import traceback

import pytest

from pipelines.errors import SourceError
from pipelines.sources import make_source
from pipelines.sources.paths import public_name, shown_name
from pipelines.sources.stream import StreamSource


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://host/cam", "http://host/cam"),
        ("rtsp://user:pa%40ss@host:554/live?token=abc#x", "rtsp://host:554/live"),
        ("rtsp://user:p@ss@host/live", "rtsp://host/live"),
        ("http://[::1]:8080/cam", "http://[::1]:8080/cam"),
        ("http://user:secret@[fe80::1]/cam", "http://[fe80::1]/cam"),
        ("http://user:secret@[bad/cam", "http address"),
        ("http://user:secret@host:port/cam", "http://host:port/cam"),
    ],
)
def test_secrets_are_not_shown(url, shown):
    assert public_name(url) == shown


@pytest.mark.parametrize("text", ["clip.mp4", "camera:a@b", "C:\\me@home\\a?.mp4", "file:///me@home/a?.mp4", ""])
def test_what_is_no_address_is_shown_as_it_is(text):
    assert shown_name(text) == text


def test_an_address_is_shown_without_secrets():
    assert shown_name("ftp://me:s3cret@host/a?key=s3cret") == "ftp://host/a"


@pytest.mark.parametrize("text", ["http://h/x", "HTTPS://h/x", "rtsp://h/x", "http://[bad"])
def test_addresses_are_streams(text):
    assert isinstance(make_source(text), StreamSource)


@pytest.mark.parametrize("text", ["//[abc", "clip (1) [x].mp4", "http:/one-slash.mp4"])
def test_other_texts_are_not(text):
    assert not isinstance(make_source(text), StreamSource)


@pytest.mark.parametrize("rest", ["127.0.0.1:9/cam", "[bad/cam", "127.0.0.1:notaport/cam"])
def test_a_failure_keeps_the_password_to_itself(rest):
    source = make_source(f"http://user:s3cret@{rest}?key=s3cret")
    with pytest.raises(SourceError) as caught:
        source.open()
    assert "s3cret" not in "".join(traceback.format_exception(caught.value))
    assert any(
        words in str(caught.value) for words in ("cannot be opened", "does not answer", "refuses the connection")
    )
