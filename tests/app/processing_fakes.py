"""A child process that a test plays: it notes its orders, and says what the test wants."""

import base64
import json

import cv2
import numpy as np


def jpeg(seed=0):
    """A small picture as the child sends it."""
    rows, columns = np.mgrid[0:108, 0:192]
    image = np.dstack([columns, rows * 2, np.full_like(rows, (60 * seed) % 256)]).astype(np.uint8)
    return base64.b64encode(cv2.imencode(".jpg", image)[1].tobytes()).decode()


class FakeLink:
    """Has the methods of `ChildLink`."""

    def __init__(self, listen, ended):
        self.listen = listen
        self.ended = ended
        self.orders = []
        self.finished = False
        self.waited = False

    def send(self, order):
        assert not self.finished, "an order for a process that was told to end"
        self.orders.append(order)

    def finish(self):
        self.finished = True

    def wait(self, timeout_s):
        self.waited = True

    @property
    def is_over(self):
        return self.waited

    # -- what a test says

    def say(self, news, **values):
        if not self.finished:
            self.listen({"news": news, **values})

    def die(self, reason="its process crashed with SIGSEGV", process=4242):
        self.ended(reason, process)


class FakeChildren:
    """Makes fake links; the first order tells whether one looks at files or works on them."""

    def __init__(self):
        self.links = []

    def __call__(self, listen, ended):
        self.links.append(FakeLink(listen, ended))
        return self.links[-1]

    def _last(self, *kinds):
        return next(link for link in reversed(self.links) if link.orders and link.orders[0]["do"] in kinds)

    @property
    def looker(self):
        return self._last("expand", "look", "kept", "sweep")

    @property
    def worker(self):
        return self._last("run")

    @property
    def runs(self):
        """Orders to process a file, of all workers."""
        return [order for link in self.links for order in link.orders if order["do"] == "run"]

    def find(self, *names, facts=None):
        """Answer the last wish to add something with these files, and look at each."""
        order = next(order for order in reversed(self.looker.orders) if order["do"] == "expand")
        self.looker.say("files", id=order["id"], files=list(names), problems=[])
        for look in [order for order in self.looker.orders if order["do"] == "look"][-len(names) :]:
            self.show(look["id"], facts)

    def show(self, number, facts=None, expected=300, notices=()):
        self.looker.say(
            "facts",
            id=number,
            facts=facts or ["1280x720", "29.97 frames/s", "300 frames", "10.01 s", "sound aac stereo"],
            notices=list(notices),
            expected=expected,
            thumbnail=jpeg(number),
        )

    @property
    def running(self):
        """Id of the file that was given to the worker last."""
        return self.runs[-1]["id"]

    def progress(self, done, expected=300):
        self.worker.say("progress", id=self.running, done=done, expected=expected)

    def done(self, frames=300, damage="", notices=(), outputs=None, resumed=0):
        order = self.runs[-1]
        name = order["path"].rpartition(".")[0] + ".twinlens.mp4"
        self.worker.say(
            "done",
            id=order["id"],
            frames=frames,
            duration_s=frames / 30,
            work_s=6.2,
            damage=damage,
            notices=list(notices),
            outputs=outputs or [name],
            resumed=resumed,
        )

    def fail(self, message, kept=None):
        self.worker.say("failed", id=self.running, message=message, kept=kept)

    def cancelled(self):
        self.worker.say("cancelled", id=self.running)


class Lines:
    """Stands for the output of a child, and takes what it tells."""

    def __init__(self):
        self.news = []

    def write(self, data):
        self.news.append(json.loads(data))

    def flush(self):
        pass
