"""Sources of frames: one file a kind, found through `SOURCE_KINDS`."""

from pipelines.errors import SourceError
from pipelines.sources.base import SOURCE_KINDS, SeekableSource, Source, SourceInfo, SourceKind, SourceOptions
from pipelines.sources.paths import public_name

__all__ = ["SOURCE_KINDS", "SeekableSource", "Source", "SourceInfo", "SourceKind", "SourceOptions", "make_source"]


def make_source(text: str, options: SourceOptions | None = None) -> Source:
    """Return the source that `text` means, without opening it.

    Parameters
    ----------
    text : str
        "camera", "camera:N", "camera:NAME", "demo", an http(s) or rtsp address, a file or a folder.
    options : SourceOptions, optional
        Wishes for a camera.

    Raises
    ------
    SourceError
        If it means nothing.
    """
    if not text.strip():
        raise SourceError("no source was named: give a file, a folder, an address, camera or demo")
    for _, kind in sorted(SOURCE_KINDS, key=lambda item: item[1].priority):
        if kind.matches(text):
            return kind.create(text, options or SourceOptions())
    raise SourceError(f"{public_name(text)}: addresses of this kind cannot be opened (http, https and rtsp can)")
