"""Network streams from a server on this machine that plays, stalls, refuses and lies."""

import http.server
import socket
import threading
import time
import traceback
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from pipelines.errors import SourceError
from pipelines.sources.stream import StreamSource
from tests.clips import greys, read_all, write_clip
from tests.patience import PATIENCE_S, within
from tests.pipelines.sources.mjpeg_server import Plan, serving

OPEN_S, READ_S = 1.5, 2.0
"""Limits of the tests that wait for them; the others get much longer ones, for the server is a thread of theirs."""


def source_at(address, path="/video", user="", open_s=PATIENCE_S, read_s=PATIENCE_S):
    return StreamSource(f"http://{user}{'@' if user else ''}{address}{path}", open_s, read_s)


def complaint(source, action=StreamSource.open):
    with pytest.raises(SourceError) as caught:
        action(source)
    source.close()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def level(frame):
    return round(float(frame.image_bgr.mean()) / 10)


@pytest.mark.parametrize("with_length", [True, False])
def test_motion_jpeg_plays_from_its_first_picture(with_length):
    with serving(Plan(with_length=with_length)) as address:
        source = source_at(address)
        info = source.open()
        assert (info.name, info.kind, info.live, info.size_wh) == (f"http://{address}/video", "stream", True, (64, 48))
        assert info.fps is None
        assert info.duration_s is None
        frames = [source.read() for _ in range(20)]
        source.close()
    assert [level(frame) for frame in frames] == list(range(20))
    assert [frame.index for frame in frames] == list(range(20))
    times = [frame.timestamp_s for frame in frames]
    assert times == sorted(times)
    assert 0 <= times[0] < 1
    assert not source.rewind()


def test_a_picture_is_handed_out_when_it_came():
    """Decoders that work on several pictures at once would hold the last one back for ever."""
    with serving(Plan(count=8, ending="stall")) as address:
        source = source_at(address)
        source.open()
        frames = [source.read() for _ in range(8)]
        assert [level(frame) for frame in frames] == list(range(8))
        source.close()


def test_a_slow_stream_opens_with_its_first_pictures():
    with serving(Plan(interval_s=0.3)) as address:
        source = source_at(address)
        with within(1.4):
            source.open()
        assert level(source.read()) == 0
        source.close()


def test_a_stream_that_stalls_is_lost_within_the_limit():
    with serving(Plan(count=5, ending="stall")) as address:
        source = source_at(address, read_s=READ_S)
        source.open()
        frames = [source.read() for _ in range(5)]
        start = time.monotonic()
        with within(READ_S + 0.5):
            sentence = complaint(source, read_all)
        assert time.monotonic() - start > READ_S * 0.9
        assert sentence == f"http://{address}/video broke off: nothing came for {READ_S:g} s"
        assert len(frames) == 5


def test_a_server_that_closes_the_stream_is_lost_at_once():
    with serving(Plan(count=5)) as address:
        source = source_at(address)
        source.open()
        frames = []
        with pytest.raises(SourceError) as caught:
            frames.extend(iter(source.read, None))
        source.close()
    assert str(caught.value).startswith(f"http://{address}/video broke off: ")


def test_a_server_that_never_answers():
    with serving(Plan(silent=True)) as address:
        with within(OPEN_S + 0.7):
            sentence = complaint(source_at(address, open_s=OPEN_S))
        assert sentence == f"http://{address}/video does not answer (waited {OPEN_S:g} s)"


def test_headers_without_pictures():
    with serving(Plan(count=0, ending="stall")) as address:
        with within(2 * OPEN_S + 0.7):
            sentence = complaint(source_at(address, open_s=OPEN_S, read_s=OPEN_S))
        assert "does not answer" in sentence or "sends no picture" in sentence


def test_user_name_and_password_are_used_and_never_shown():
    with serving(Plan(count=12, user="me:s3cret")) as address:
        source = source_at(address, "/video?token=s3cret", "me:s3cret")
        info = source.open()
        frame = source.read()
        assert "s3cret" not in repr(info)
        assert "s3cret" not in frame.source
        assert info.name == f"http://{address}/video"
        with pytest.raises(SourceError) as caught:
            read_all(source)
        source.close()
        assert "s3cret" not in "".join(traceback.format_exception(caught.value))
    assert "s3cret" not in complaint(source_at(address, "/video?token=s3cret", "me:s3cret"))


@pytest.mark.parametrize("plan", [Plan(count=6), Plan(count=6, ending="stall")], ids=["closed", "stalled"])
def test_a_password_is_not_in_the_chain_of_a_broken_stream(plan):
    with serving(plan) as address:
        source = source_at(address, "/video?key=s3cret", "me:s3cret", read_s=READ_S)
        source.open()
        with pytest.raises(SourceError) as caught:
            read_all(source)
        source.close()
    assert "s3cret" not in "".join(traceback.format_exception(caught.value))


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clips")
    front = write_clip(folder / "front.mp4", greys(20, step=10), container_options={"movflags": "faststart"})
    back = write_clip(folder / "back.mp4", greys(20, step=10))
    return {"index in front": front.read_bytes(), "index at the end": back.read_bytes()}


@pytest.mark.parametrize("name", ["index in front", "index at the end"])
def test_a_file_behind_an_address_is_a_file(clips, name):
    with serving(Plan(body=clips[name])) as address:
        source = source_at(address, "/clip.mp4")
        info = source.open()
        assert not info.live
        assert info.fps == 25
        assert info.duration_s == pytest.approx(0.8, abs=0.05)
        first = read_all(source)
        assert source.read() is None
        assert source.rewind()
        second = read_all(source)
        source.close()
    for frames in (first, second):
        assert [frame.timestamp_s for frame in frames] == pytest.approx([number / 25 for number in range(20)])
        assert [frame.index for frame in frames] == list(range(20))
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one.image_bgr, other.image_bgr)


def test_closing_is_safe_at_any_time():
    source = StreamSource("http://127.0.0.1:1/x")
    source.close()
    with serving(Plan()) as address:
        source = source_at(address)
        source.open()
        source.close()
        source.close()
        source.open()
        assert level(source.read()) == 0
        source.close()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts open files in /proc")
def test_nothing_is_left_open():
    def held():
        return len(list(Path("/proc/self/fd").iterdir()))

    before = held()
    for _ in range(5):
        with serving(Plan(count=6)) as address:
            source = source_at(address)
            source.open()
            source.read()
            source.close()
        complaint(source_at(address))
    assert held() <= before + 1


def test_upper_case_schemes_are_understood():
    with serving(Plan()) as address:
        source = StreamSource(f"HTTP://{address}/video", PATIENCE_S, PATIENCE_S)
        assert source.open().size_wh == (64, 48)
        source.close()
    sentence = complaint(StreamSource(f"RTSP://{address}/live", PATIENCE_S, PATIENCE_S))
    assert (
        sentence
        == f"rtsp://{address}/live refuses the connection: nothing listens on port {address.rpartition(':')[2]}"
    )


def test_an_rtsp_server_that_never_answers_is_given_up():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with within(OPEN_S + 0.7):
            sentence = complaint(StreamSource(f"rtsp://me:s3cret@{address}/live", OPEN_S, READ_S))
        assert sentence == f"rtsp://{address}/live does not answer (waited {OPEN_S:g} s)"


def test_a_redirection_is_followed():
    class Redirect(http.server.BaseHTTPRequestHandler):
        target = ""

        def log_message(self, *arguments):
            pass

        def do_GET(self):
            self.send_response(302)
            self.send_header("Location", f"http://{self.target}/video")
            self.send_header("Content-Length", "0")
            self.end_headers()

    with serving(Plan()) as address:
        Redirect.target = address
        with http.server.HTTPServer(("127.0.0.1", 0), Redirect) as server:
            thread = threading.Thread(target=server.serve_forever, args=(0.02,))
            thread.start()
            source = source_at(f"127.0.0.1:{server.server_port}")
            assert source.open().live
            source.close()
            server.shutdown()
            thread.join()


def test_numbers_go_on_without_gaps():
    with serving(Plan(interval_s=0.001)) as address:
        source = source_at(address)
        source.open()
        frames = [source.read() for _ in range(60)]
        source.close()
    assert all((level(other) - level(one)) % 25 == 1 for one, other in pairwise(frames))
