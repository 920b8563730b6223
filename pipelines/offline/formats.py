"""What videos can be written as: container, coding and what each can hold, by the suffix of the file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Final

from pipelines.errors import ConfigError

TIME_BASE: Final = Fraction(1, 90_000)
"""Holds the frame times of every usual rate exactly (24, 25, 30, 50, 60 and their 1000/1001) and milliseconds too."""

DEFAULT_CRF: Final = 20
"""Hard to tell from the source."""
WORST_CRF: Final = 51


def _fixed(**options: str) -> Mapping[str, str]:
    return MappingProxyType({name.replace("_", "-"): value for name, value in options.items()})


@dataclass(frozen=True, slots=True)
class Coding:
    """How pictures are coded.

    Parameters
    ----------
    encoder : str
        Its name in FFmpeg.
    pix_fmt : str
        Form of the pictures that it gets.
    options : mapping of str to str
        For the encoder.
    worst : int
        End of the encoder's scale of constant quality, 0 where it has none.
    even : bool
        Width and height must be even: 4:2:0.
    """

    encoder: str
    pix_fmt: str
    options: Mapping[str, str] = field(default_factory=dict)
    worst: int = 0
    even: bool = True

    def encoder_options(self, crf: int) -> dict[str, str]:
        """Return the options for a quality on the scale of H.264, 1 = best, 51 = worst."""
        quality = {"crf": str(round(crf * self.worst / WORST_CRF))} if self.worst else {}
        return {**quality, **self.options}


ENCODER_OPTIONS: Final = _fixed(preset="veryfast", bf="0")
"""A speed that does not hold up the tasks on two cores. No B-frames: with them the decoding times of a variable rate
run behind, and players read a wrong duration from MP4."""

H264: Final = Coding("libx264", "yuv420p", ENCODER_OPTIONS, WORST_CRF)
_VP9_OPTIONS: Final = _fixed(b="0", deadline="realtime", cpu_used="6", row_mt="1", auto_alt_ref="0")
"""The fast end of a slow coder. Constant quality needs the bit rate 0; transparency does not go with hidden frames."""
VP9: Final = Coding("libvpx-vp9", "yuv420p", _VP9_OPTIONS, 63)
VP9_ALPHA: Final = Coding("libvpx-vp9", "yuva420p", _VP9_OPTIONS, 63)
PRORES: Final = Coding("prores_ks", "yuva444p10le", _fixed(profile="4444"), even=False)
GIF: Final = Coding("gif", "pal8", even=False)


@dataclass(frozen=True, slots=True)
class VideoFormat:
    """A kind of video file.

    Parameters
    ----------
    name : str
        For messages.
    muxer : str
        Its name in FFmpeg.
    coding : Coding
        Of opaque pictures.
    alpha : Coding or None
        Of transparent ones; None where it holds none.
    options : mapping of str to str
        For the muxer.
    time_base : Fraction
        Step of its clock, in seconds.
    least_ticks : int
        Steps between two pictures at least: those that follow sooner are left out.
    sound : bool
        It holds sound and subtitles.
    """

    name: str
    muxer: str
    coding: Coding
    alpha: Coding | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    time_base: Fraction = TIME_BASE
    least_ticks: int = 1
    sound: bool = True

    def coding_for(self, transparent: bool) -> Coding:
        """Return how pictures are coded.

        Raises
        ------
        ConfigError
            If they are transparent and the format holds no transparency.
        """
        if not transparent:
            return self.coding
        if self.alpha is None:
            raise ConfigError(f"{self.name} holds no transparency (write .webm, .mov or .png)")
        return self.alpha


FORMATS: Final[Mapping[str, VideoFormat]] = MappingProxyType(
    {
        ".mp4": VideoFormat("MP4", "mp4", H264, options=_fixed(movflags="+faststart")),
        ".mkv": VideoFormat("Matroska", "matroska", H264),
        ".mov": VideoFormat("QuickTime", "mov", H264, PRORES, options=_fixed(movflags="+faststart")),
        ".webm": VideoFormat("WebM", "webm", VP9, VP9_ALPHA),
        # Browsers show a picture whose delay is below two hundredths for a tenth of a second.
        ".gif": VideoFormat("GIF", "gif", GIF, time_base=Fraction(1, 100), least_ticks=2, sound=False),
    }
)
"""By suffix, in lower case."""

DEFAULT_SUFFIX: Final = ".mp4"
DEFAULT_ALPHA_SUFFIX: Final = ".webm"
SEQUENCE_SUFFIX: Final = ".png"
_PATTERN: Final = re.compile(r"[^%]*%0(\d{1,2})d[^%]*")


def is_sequence(path: Path) -> bool:
    """Whether a path stands for numbered pictures: a name such as `%06d.png`."""
    return path.suffix.lower() == SEQUENCE_SUFFIX and _PATTERN.fullmatch(path.name) is not None


def numbered(path: Path, number: int) -> Path:
    """Return the path of one of the pictures that `path` (see `is_sequence`) stands for."""
    return path.with_name(re.sub(r"%0(\d{1,2})d", lambda found: f"{number:0{int(found[1])}d}", path.name))


def video_format(path: Path) -> VideoFormat | None:
    """Return the format that the suffix of a path stands for, None for any other suffix."""
    return FORMATS.get(path.suffix.lower())
