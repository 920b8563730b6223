"""The pipeline that is built ahead goes to whoever asks for it first, once, or is released."""

import threading

import pytest

from app.head_start import HeadStart
from models.errors import VisionError
from pipelines.config import PipelineConfig

FACES, DEPTH = PipelineConfig(tasks=("face",)), PipelineConfig(tasks=("depth",))
WAIT_S = 120


class Stub:
    """Counts what was built; `gate` holds the first one back."""

    def __init__(self) -> None:
        self.built: list[Made] = []
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, config: PipelineConfig) -> "Made":
        assert self.gate.wait(WAIT_S)
        self.built.append(Made(config))
        return self.built[-1]


class Made:
    def __init__(self, config: PipelineConfig) -> None:
        self.config = config
        self.closed = threading.Event()

    def close(self) -> None:
        self.closed.set()


def settle() -> None:
    """Wait for what is built ahead."""
    for thread in threading.enumerate():
        if thread.name == "head start":
            thread.join(WAIT_S)


def test_the_first_who_asks_for_it_gets_it():
    stub = Stub()
    start = HeadStart(FACES, stub)
    first = start.pipeline(FACES)
    assert start.pipeline(FACES) is not first
    assert [made.config for made in stub.built] == [FACES, FACES]
    start.close()
    assert not first.closed.is_set()


def test_who_asks_for_something_else_gets_that_and_the_first_is_released():
    stub = Stub()
    start = HeadStart(FACES, stub)
    other = start.pipeline(DEPTH)
    assert other.config == DEPTH
    settle()
    ahead = next(made for made in stub.built if made.config == FACES)
    assert ahead.closed.wait(WAIT_S)
    assert start.pipeline(FACES) is not ahead


def test_closing_does_not_wait_and_releases_what_comes_later():
    stub = Stub()
    stub.gate.clear()
    start = HeadStart(FACES, stub)
    start.close()
    assert stub.built == []
    stub.gate.set()
    settle()
    (ahead,) = stub.built
    assert ahead.closed.is_set()
    assert start.pipeline(FACES) is not ahead


def test_a_failure_is_told_where_the_pipeline_is_asked_for():
    def fail(config: PipelineConfig) -> Made:
        raise VisionError("the model face_mesh is damaged")

    start = HeadStart(FACES, fail)
    with pytest.raises(VisionError, match="face_mesh is damaged"):
        start.pipeline(FACES)
