"""Two pipelines on the same frames: what differs between them is the backend and nothing else."""

import pytest

from assets import asset_path
from pipelines.compare import CompareMode, agreement
from pipelines.config import PipelineConfig
from pipelines.engine.pair import Pair
from pipelines.pipeline import Pipeline
from pipelines.sources import make_source


@pytest.fixture(scope="module")
def frames():
    source = make_source(str(asset_path("demo.mp4")))
    source.open()
    try:
        return [source.read() for _ in range(24)]
    finally:
        source.close()


def test_one_that_comes_later_agrees_with_one_that_remembers_earlier_frames(frames):
    config = PipelineConfig(pipeline="ort-cpu")
    pair = Pair(Pipeline(config))
    try:
        for frame in frames[:20]:
            pair.process(0, frame)
        pair.replace("B", Pipeline(config))
        pair.share(CompareMode.SPLIT)
        for frame in frames[20:]:
            both = pair.process(0, frame)
            found = agreement(both.result, both.other)
            assert (found.landmark_px, found.mask_iou) == (0.0, 1.0)
            assert found.depth_rank == pytest.approx(1.0, abs=1e-12)
    finally:
        pair.close()
