"""The embedded clip, so that there is something to see without a camera."""

from __future__ import annotations

from assets import asset_path
from pipelines.errors import SourceError
from pipelines.sources.base import SOURCE_KINDS, Source, SourceKind, SourceOptions
from pipelines.sources.video import VideoSource

CLIP = "demo.mp4"


def _create(text: str, options: SourceOptions) -> Source:
    try:
        path = asset_path(CLIP)
    except FileNotFoundError as error:
        raise SourceError(str(error)) from error
    return VideoSource(path, kind="demo", name="Demo", loops=True)


SOURCE_KINDS.register("demo")(SourceKind(lambda text: text == "demo", _create, priority=0))
