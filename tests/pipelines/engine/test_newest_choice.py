"""The newest wish for a pipeline does not wait for the one before, which may take minutes to load."""

import threading

import pytest

from pipelines.compare import CompareMode
from pipelines.config import PipelineConfig
from pipelines.engine import LiveEngine
from pipelines.errors import BackendError
from pipelines.overlay import OverlayStyle
from pipelines.sources import SourceOptions
from tests.pipelines.engine.fakes import CONFIG, FakePipeline, FakeSource, until

WAIT_S = 60.0
"""Longer than anything takes that is let go."""


def config(name):
    return PipelineConfig(tasks=("face",), pipeline=name)


class Slow:
    """An engine whose pipelines load when they are let, each by its name; "auto" loads at once."""

    def __init__(self):
        FakePipeline.made = []
        self.gates = {}
        self.begun = []
        self.failing = set()
        self.source = FakeSource()
        self.news = threading.Event()
        self.engine = LiveEngine(
            self.news.set, source_factory=lambda text, options: self.source, pipeline_factory=self._load
        )
        self.engine.news = self.news
        self.engine.start("fake", SourceOptions(), CONFIG, OverlayStyle())
        until(self.engine, lambda: self.engine.view() is not None)

    def _load(self, wanted):
        name = wanted.pipeline
        if name != "auto":
            self.begun.append(name)
            self.gates.setdefault(name, threading.Event()).wait(WAIT_S)
            if name in self.failing:
                raise BackendError(f"{name} does not load")
        return FakePipeline(wanted)

    def let(self, name):
        self.gates.setdefault(name, threading.Event()).set()

    def begins(self, name):
        until(self.engine, lambda: name in self.begun)

    def shows(self):
        return self.engine.view().result.backends["face"]

    def close(self):
        for gate in self.gates.values():
            gate.set()
        self.source.release.set()
        assert self.engine.stop(WAIT_S)


@pytest.fixture
def slow():
    one = Slow()
    yield one
    one.close()


def test_the_newest_takes_over_while_the_one_before_is_still_loading(slow):
    engine, seen = slow.engine, set()
    engine.set_config(config("first"))
    slow.begins("first")
    assert engine.status().loading
    slow.let("second")
    engine.set_config(config("second"))
    until(engine, lambda: seen.add(slow.shows()) or slow.shows() == "second")
    until(engine, lambda: not engine.status().loading)
    slow.let("first")
    until(engine, lambda: len(FakePipeline.made) == 3 and FakePipeline.made[2].is_closed)
    assert seen == {"auto", "second"}
    assert slow.shows() == "second"


def test_one_that_is_not_wanted_any_more_fails_in_silence(slow):
    engine = slow.engine
    slow.failing = {"first", "second"}
    engine.set_config(config("first"))
    slow.begins("first")
    slow.let("second")
    engine.set_config(config("second"))
    until(engine, lambda: engine.status().message == "Not changed: second does not load")
    slow.let("first")
    before = engine.view().serial
    until(engine, lambda: engine.view().serial > before + 3)
    assert engine.status().message == "Not changed: second does not load"
    assert slow.shows() == "auto"


def test_no_more_than_two_load_at_a_time(slow):
    engine = slow.engine
    for name in ("first", "second"):
        engine.set_config(config(name))
        slow.begins(name)
    engine.set_config(config("third"))
    assert engine.status().loading
    slow.let("first")
    slow.begins("third")
    slow.let("third")
    until(engine, lambda: slow.shows() == "third")
    assert slow.begun == ["first", "second", "third"]


def test_a_comparison_does_not_wait_for_the_one_before(slow):
    engine = slow.engine
    engine.set_compare(CompareMode.SPLIT, config("first"))
    slow.begins("first")
    slow.let("second")
    engine.set_compare(CompareMode.SPLIT, config("second"))
    until(engine, lambda: engine.view().other is not None)
    assert engine.view().other.backends["face"] == "second"
    until(engine, lambda: not engine.status().loading)


def test_the_end_waits_for_nothing_that_loads(slow):
    slow.engine.set_config(config("first"))
    slow.begins("first")
    slow.engine.set_config(config("second"))
    assert slow.engine.stop(WAIT_S)
    slow.let("first")
    slow.let("second")
    assert slow.begun in (["first"], ["first", "second"])


def test_the_next_source_waits_for_the_one_before_and_not_for_its_models(slow):
    slow.engine.start("fake", SourceOptions(), config("first"), OverlayStyle())
    slow.begins("first")
    run = slow.engine._run
    run.signal_stop()
    run.join_source(WAIT_S)
    assert "inference" in run.alive()
    assert "capture" not in run.alive()
