"""A stream through the whole live engine, and back after its server was gone."""

import threading
import time

import numpy as np
import pytest

from pipelines.config import PipelineConfig
from pipelines.engine import EngineState, LiveEngine, board
from pipelines.overlay import OverlayStyle
from pipelines.pipeline import Pipeline
from pipelines.sources import SourceOptions
from pipelines.sources.stream import StreamSource
from tests.patience import PATIENCE_S
from tests.pipelines.sources.mjpeg_server import Plan, serving


class Resets(Pipeline):
    """The pipeline, counting how often it was told to forget."""

    count = 0

    def reset(self):
        type(self).count += 1
        super().reset()


@pytest.fixture
def play():
    """Start an engine on an address; `engine.wait(condition)` waits for something to become true."""
    engines = []

    def start(url, open_s=PATIENCE_S, read_s=PATIENCE_S):
        news = threading.Event()
        engine = LiveEngine(
            news.set,
            source_factory=lambda text, options: StreamSource(text, open_s, read_s),
            pipeline_factory=Resets,
        )
        engines.append(engine)
        engine.said = []

        def wait(condition, timeout_s=PATIENCE_S):
            until = time.monotonic() + timeout_s
            while True:
                status = engine.status()
                if status.message and status.message not in engine.said:
                    engine.said.append(status.message)
                if condition():
                    return
                assert time.monotonic() < until, f"in vain; {status}"
                news.wait(0.02)
                news.clear()

        engine.wait = wait
        engine.start(url, SourceOptions(), PipelineConfig(tasks=("face",), pipeline="ort-cpu"), OverlayStyle())
        return engine

    yield start
    for engine in engines:
        assert engine.stop(PATIENCE_S)


def test_a_stream_plays(play):
    with serving(Plan()) as address:
        engine = play(f"http://me:s3cret@{address}/video")
        engine.wait(lambda: engine.view() is not None and engine.view().serial > 10)
        status = engine.status()
        assert status.state is EngineState.RUNNING
        assert status.source_info.name == f"http://{address}/video"
        image = engine.view().plain_bgr
        assert image.shape == (48, 64, 3)
        assert np.ptp(image.astype(int)) <= 2
        engine.wait(lambda: (engine.figures().source_fps or 0) > 10)
        engine.stop(PATIENCE_S)


@pytest.mark.parametrize("ending", ["close", "stall"])
def test_a_stream_comes_back_when_its_server_does(play, ending):
    before = Resets.count
    with serving(Plan(count=30, ending=ending)) as address:
        port = int(address.partition(":")[2])
        engine = play(f"http://me:s3cret@{address}/video", read_s=1.0)
        engine.wait(lambda: engine.view() is not None)
        engine.wait(lambda: any("broke off" in sentence for sentence in engine.said))
    # Nobody is listening any more.
    engine.wait(lambda: any("refuses the connection" in sentence for sentence in engine.said))
    shown = engine.view().serial
    with serving(Plan(), port) as address:
        # On a busy machine a stream may break off once more.
        engine.wait(lambda: engine.status().state is EngineState.RUNNING and engine.view().serial > shown + 5)
        engine.wait(lambda: engine.status().message == "")
        assert Resets.count > before  # what was tracked before the gap is not there any more
        engine.stop(PATIENCE_S)
    for sentence in engine.said:
        assert "s3cret" not in sentence
        assert sentence.endswith(". Trying again…")


def test_a_stream_that_is_not_there_from_the_start_is_told(play):
    with serving(Plan(status=404)) as address:
        engine = play(f"http://{address}/video")
        engine.wait(lambda: engine.status().state is EngineState.FAILED)
        sentence = f"http://{address}/video cannot be opened: the server has nothing at this address (404)"
        assert engine.status().message == sentence


def test_a_password_is_not_shown_while_nobody_answers(play, monkeypatch):
    monkeypatch.setattr(board, "SILENT_SECONDS", 0.1)
    with serving(Plan(silent=True)) as address:
        engine = play(f"http://me:s3cret@{address}/video?key=s3cret", open_s=1.0)
        engine.wait(lambda: engine.said)
        assert engine.said[0].startswith(f"http://{address}/video has not delivered a picture for ")
        # No other program keeps it from us, as one may keep a camera of this machine.
        assert engine.said[0].endswith(" s: is it switched on and in the network?")
        engine.wait(lambda: engine.status().state is EngineState.FAILED)
    assert "s3cret" not in "".join(engine.said)
