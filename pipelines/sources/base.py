"""Where frames come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, runtime_checkable

from models.registry import Registry
from pipelines.frame import Frame


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What is known of an open source. None where the source does not tell; a hint is never a promise.

    Parameters
    ----------
    name : str
        For titles and file names: "Demo", "clip.mp4", "Logitech C920".
    kind : str
        Registry name of the source: "camera", "video", "images", "stream", "demo".
    live : bool
        Frames come when they come and old ones are worthless. A file is not live.
    size_wh : tuple of int
        Size of the frames, in pixels, as displayed.
    fps : Fraction or None
        Nominal rate.
    frame_count : int or None
        How many frames the container claims to hold.
    duration_s : float or None
        Length the container claims.
    still : bool
        Frames are unrelated pictures (running mode IMAGE).
    loops : bool
        The first frame follows the last one without a jump.
    seekable : bool
        Any frame can be gone to (see `SeekableSource`).
    notices : tuple of str
        Things the user should know, one sentence each ("rotated by 90 degrees as the file asks").
    pixel_format : str
        In which a camera says it sends its frames, as a four-character code: "MJPG", "YUYV"; "" where unknown.
    """

    name: str
    kind: str
    live: bool
    size_wh: tuple[int, int]
    fps: Fraction | None = None
    frame_count: int | None = None
    duration_s: float | None = None
    still: bool = False
    loops: bool = False
    seekable: bool = False
    notices: tuple[str, ...] = ()
    pixel_format: str = ""


class Source(Protocol):
    """A stream of frames. Opened, read and closed by one thread."""

    def open(self) -> SourceInfo:
        """Open it and describe it.

        Raises
        ------
        SourceError
            If it cannot be opened or holds no picture.
        """
        ...

    def read(self) -> Frame | None:
        """Return the next frame, or None at the end.

        Raises
        ------
        SourceError
            If the source broke: unplugged, stalled, damaged.
        """
        ...

    def rewind(self) -> bool:
        """Start again from the first frame; False where that is impossible (live sources)."""
        ...

    def close(self) -> None:
        """Release it. Safe to call twice, or without `open`."""
        ...


@runtime_checkable
class SeekableSource(Source, Protocol):
    """A source whose frames can be gone to in any order: `SourceInfo.seekable` is true."""

    def seek(self, time_s: float, is_cancelled: Callable[[], bool]) -> bool:
        """Let the next `read` return the last frame whose time is not after `time_s`, or else the first one.

        Parameters
        ----------
        time_s : float
            Seconds. Beyond the end it means the last frame.
        is_cancelled : callable
            Asked often; once it says yes, the place is undefined until another `seek`.

        Returns
        -------
        bool
            False if it was cancelled.

        Raises
        ------
        SourceError
            If the source cannot be read any more.
        """
        ...

    def back(self, frames: int, is_cancelled: Callable[[], bool]) -> bool:
        """Let the next `read` return the frame `frames` before the last one that was read, or else the first one.

        Parameters, returned value and errors are as in `seek`.
        """
        ...


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Wishes a source may or may not be able to fulfil; what it really gives is in `SourceInfo`.

    Parameters
    ----------
    size_wh : tuple of int or None
        Wanted frame size of a camera.
    fps : float or None
        Wanted rate of a camera.
    pixel_format : str
        Wanted format of a camera's frames as a four-character code, "" for the one that suits the size best.
    """

    size_wh: tuple[int, int] | None = None
    fps: float | None = None
    pixel_format: str = ""


@dataclass(frozen=True, slots=True)
class SourceKind:
    """Registry entry of a kind of source.

    Parameters
    ----------
    matches : callable
        Whether the text that the user gave (SRC on the command line) means this kind.
    create : callable
        Makes the source from that text. Opens nothing.
    priority : int
        Kinds are asked in this order, lowest first.
    """

    matches: Callable[[str], bool]
    create: Callable[[str, SourceOptions], Source]
    priority: int


SOURCE_KINDS: Registry[SourceKind] = Registry("kind of source", "pipelines.sources")
