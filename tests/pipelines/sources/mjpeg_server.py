"""An HTTP server on this machine that plays a camera: Motion JPEG, files, refusals, rubbish, silence."""

import base64
import http.server
import threading
from contextlib import contextmanager

import numpy as np

from tests.clips import jpeg
from tests.patience import PATIENCE_S

BOUNDARY = "frame"


class Plan:
    """What the server does.

    Parameters
    ----------
    count : int or None
        Pictures before the end; None for no end.
    ending : str
        "close" or "stall" after the last picture.
    interval_s : float
        Pause between pictures.
    with_length : bool
        Parts tell their length.
    status, body, kind : int, bytes, str
        Answer with this instead of pictures, where `body` or a `status` other than 200 is given.
    user : str
        "name:password" that the server wants.
    silent : bool
        Never answer.
    """

    def __init__(
        self,
        count=None,
        ending="close",
        interval_s=0.005,
        with_length=True,
        status=200,
        body=None,
        kind="video/mp4",
        user="",
        silent=False,
    ):
        self.count, self.ending, self.interval_s, self.with_length = count, ending, interval_s, with_length
        self.status, self.body, self.kind, self.user, self.silent = status, body, kind, user, silent
        self.asked = []
        self.over = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    """Follows the server's plan."""

    def log_message(self, *arguments):
        """Say nothing."""

    def do_GET(self):
        plan = self.server.plan
        plan.asked.append(self.path)
        try:
            if plan.silent:
                plan.over.wait(PATIENCE_S)
            elif plan.user and self.headers.get("Authorization") != self._credentials(plan.user):
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="camera"')
                self.send_header("Content-Length", "0")
                self.end_headers()
            elif plan.status != 200:
                self.send_error(plan.status)
            elif plan.body is not None:
                self._send_file(plan)
            else:
                self._send_pictures(plan)
        except OSError:
            pass  # the client went away

    @staticmethod
    def _credentials(user):
        return "Basic " + base64.b64encode(user.encode()).decode()

    def _send_file(self, plan):
        start = 0
        wanted = self.headers.get("Range", "")
        if wanted.startswith("bytes=") and wanted != "bytes=0-":
            start = int(wanted[6:].partition("-")[0])
        self.send_response(206 if start else 200)
        self.send_header("Accept-Ranges", "bytes")
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(plan.body) - 1}/{len(plan.body)}")
        self.send_header("Content-Type", plan.kind)
        self.send_header("Content-Length", str(len(plan.body) - start))
        self.end_headers()
        self.wfile.write(plan.body[start:])

    def _send_pictures(self, plan):
        self.send_response(200)
        self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={BOUNDARY}")
        self.end_headers()
        number = 0
        while not plan.over.is_set() and (plan.count is None or number < plan.count):
            data = picture(number)
            head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\n"
            if plan.with_length:
                head += f"Content-Length: {len(data)}\r\n"
            self.wfile.write(head.encode() + b"\r\n" + data + b"\r\n")
            number += 1
            plan.over.wait(plan.interval_s)
        if plan.ending == "stall":
            plan.over.wait(PATIENCE_S)


def picture(number):
    """The JPEG file of a picture whose level tells its number, 10 levels each, from 0 to 240."""
    return jpeg(np.full((48, 64, 3), 10 * (number % 25), np.uint8))


@contextmanager
def serving(plan, port=0):
    """Run a server; yield its address without scheme ("127.0.0.1:4711")."""
    http.server.ThreadingHTTPServer.allow_reuse_address = True
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        server.plan = plan
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}"
        finally:
            plan.over.set()
            server.shutdown()
            thread.join()
