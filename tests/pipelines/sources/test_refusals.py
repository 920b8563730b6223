"""Why an address cannot be opened: no such host, nobody there, a server that refuses, or something that is no video."""

import errno
import socket
import threading

import av.error
import numpy as np
import pytest

from app.__main__ import main
from pipelines.errors import SourceError
from pipelines.sources.refusals import why_not_opened
from pipelines.sources.stream import StreamSource
from tests.patience import PATIENCE_S
from tests.pipelines.sources.mjpeg_server import Plan, serving

OPEN_S = READ_S = PATIENCE_S


def complaint(url):
    source = StreamSource(url, OPEN_S, READ_S)
    with pytest.raises(SourceError) as caught:
        source.open()
    source.close()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("plan", "cause"),
    [
        (Plan(status=404), "cannot be opened: the server has nothing at this address (404)"),
        (Plan(status=400), "cannot be opened: the server answers with an error (400)"),
        (Plan(status=410), "cannot be opened: the server answers with an error (4xx)"),
        (Plan(status=500), "cannot be opened: the server answers with an error (5xx)"),
        (Plan(status=403), "wants a user name and password: write them as scheme://user:password@host"),
        (Plan(user="a:b"), "wants a user name and password: write them as scheme://user:password@host"),
        (Plan(body=b"<html>no video</html>" * 30, kind="text/html"), "sends no video"),
        (Plan(body=np.random.default_rng(0).bytes(9000)), "sends no video"),
        (Plan(body=b""), "sends no video"),
        (Plan(count=0), "sends no video"),
    ],
    ids=["404", "400", "410", "500", "403", "401", "page", "noise", "nothing", "no part"],
)
def test_answers_that_are_no_stream(plan, cause):
    with serving(plan) as address:
        assert complaint(f"http://{address}/video") == f"http://{address}/video {cause}"


def test_nobody_listening():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but not listening
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        port = taken.getsockname()[1]
        expected = f"http://{address}/video refuses the connection: nothing listens on port {port}"
        assert complaint(f"http://{address}/video") == expected


def test_a_server_that_does_not_know_the_user():
    with serving(Plan(user="me:right")) as address:
        sentence = complaint(f"http://me:s3cret@{address}/video")
    assert sentence == f"http://{address}/video does not accept this user name and password"


def test_a_host_that_does_not_exist():
    sentence = complaint("http://me:s3cret@no-such-host.invalid/cam?key=s3cret")
    # Without a network nobody can tell.
    unknown = "there is no host called no-such-host.invalid"
    offline = "the host no-such-host.invalid cannot be looked up (is this machine online?)"
    cause = sentence.removeprefix("http://no-such-host.invalid/cam cannot be opened: ")
    assert cause in (unknown, offline)


@pytest.mark.parametrize(
    ("number", "cause"),
    [
        (socket.EAI_NONAME, "there is no host called cam.example"),
        (socket.EAI_AGAIN, "the host cam.example cannot be looked up (is this machine online?)"),
    ],
)
def test_why_a_name_has_no_address(monkeypatch, number, cause):
    def refuse(host, port):
        assert host == "cam.example"
        raise socket.gaierror(number, "no")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    error = av.error.OSError(errno.EIO, "Input/output error")
    sentence = why_not_opened("rtsp://me:s3cret@cam.example:554/a", "rtsp://cam.example:554/a", error, 0.1, 8.0)
    assert sentence == f"rtsp://cam.example:554/a cannot be opened: {cause}"


@pytest.mark.parametrize("scheme", ["https", "rtsps"])
def test_encryption_that_the_server_does_not_speak(scheme):
    with serving(Plan()) as address:
        sentence = complaint(f"{scheme}://{address}/x")
    plain = scheme.removesuffix("s")
    expected = f"cannot be opened: no encrypted connection can be made (is it {plain}://?)"
    assert sentence == f"{scheme}://{address}/x {expected}"


def test_a_server_that_hangs_up():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"

        def hang_up():
            server.accept()[0].close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        sentence = complaint(f"http://{address}/x")
        thread.join()
    assert sentence == f"http://{address}/x closes the connection without an answer"


@pytest.mark.parametrize(
    ("url", "cause"),
    [
        ("tcp://127.0.0.1/x", "tcp://127.0.0.1/x cannot be opened: the address is not valid"),
        ("http:///x", "http:///x cannot be opened: it names no host"),
    ],
)
def test_addresses_that_lead_nowhere(url, cause):
    assert complaint(url) == cause


def test_a_kind_of_address_that_this_ffmpeg_does_not_know():
    error = av.error.ProtocolNotFoundError(0, "Protocol not found")
    sentence = why_not_opened("srt://127.0.0.1:9/x", "srt://127.0.0.1:9/x", error, 0.0, OPEN_S)
    assert sentence == "srt://127.0.0.1:9/x: addresses of this kind cannot be opened (http, https and rtsp can)"


@pytest.mark.parametrize("is_there", [True, False], ids=["404", "nobody"])
def test_the_command_says_it_in_one_line(tmp_path, capfd, is_there):
    with serving(Plan(status=404)) as address:
        url = f"http://me:s3cret@{address if is_there else 'no-such-host.invalid'}/cam"
        assert main(["screenshot", url, "-o", str(tmp_path / "shot.png")]) == 1
    (line,) = capfd.readouterr().err.splitlines()
    cause = f"http://{address}/cam cannot be opened: the server has" if is_there else "the host|there is no host"
    assert line.startswith("twinlens: http://")
    assert any(words in line for words in cause.split("|"))
    assert "s3cret" not in line
    assert list(tmp_path.iterdir()) == []
