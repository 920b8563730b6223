"""Engines with a source and pipelines that are fakes."""

import threading

import pytest

from pipelines.engine import LiveEngine
from pipelines.overlay import OverlayStyle
from pipelines.sources import SourceOptions
from tests.patience import PATIENCE_S
from tests.pipelines.engine.fakes import CONFIG, FakePipeline


@pytest.fixture
def bench():
    """Engines that are stopped, and stuck fakes that are let go, when the test ends."""
    FakePipeline.made = []
    made = []

    def make(source, plans=()):
        plans = list(plans)
        news = threading.Event()
        engine = LiveEngine(
            news.set,
            source_factory=lambda text, options: source,
            pipeline_factory=lambda config: FakePipeline(config, plans.pop(0) if plans else None),
        )
        engine.news = news
        made.append((engine, source))
        engine.start("fake", SourceOptions(), CONFIG, OverlayStyle())
        return engine

    yield make
    for engine, source in made:
        source.release.set()
        for pipeline in FakePipeline.made:
            pipeline.plan.get("hang", threading.Event()).set()
        assert engine.stop(PATIENCE_S)
