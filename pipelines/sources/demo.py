"""The embedded clip, so that there is something to see without a camera."""

from __future__ import annotations

from assets import asset_path
from pipelines.sources.base import SOURCE_KINDS, Source, SourceKind, SourceOptions
from pipelines.sources.video import VideoSource

CLIP = "demo.mp4"


def _create(text: str, options: SourceOptions) -> Source:
    return VideoSource(asset_path(CLIP), kind="demo", name="Demo", loops=True)


SOURCE_KINDS.register("demo")(SourceKind(lambda text: text == "demo", _create, priority=0))
