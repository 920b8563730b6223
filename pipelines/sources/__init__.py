"""Sources of frames: one file a kind, found through `SOURCE_KINDS`."""

from pipelines.errors import SourceError
from pipelines.frame import Frame
from pipelines.sources.base import SOURCE_KINDS, SeekableSource, Source, SourceInfo, SourceKind, SourceOptions
from pipelines.sources.paths import OTHER_KIND, public_name, shown_name

__all__ = [
    "SOURCE_KINDS",
    "SeekableSource",
    "Source",
    "SourceInfo",
    "SourceKind",
    "SourceOptions",
    "first_picture",
    "make_source",
]


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
    raise SourceError(f"{public_name(text)}: {OTHER_KIND}")


def first_picture(text: str) -> tuple[SourceInfo, Frame]:
    """Open a source, take a picture, and close it again. A network camera takes seconds.

    Parameters
    ----------
    text : str
        As for `make_source`.

    Returns
    -------
    SourceInfo
        What the source says of itself.
    Frame
        Its first frame.

    Raises
    ------
    SourceError
        If it cannot be opened, or there is no picture.
    """
    source = make_source(text)
    try:
        info = source.open()
        frame = source.read()
    finally:
        source.close()
    if frame is None:
        complaint = "sends no picture" if info.live else "holds no picture that can be decoded"
        raise SourceError(f"{shown_name(text)} {complaint}")
    return info, frame
