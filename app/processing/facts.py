"""What a file is, piece by piece, in the language of the window: it comes from a process that knows English only."""

from __future__ import annotations

import re
from typing import Final

from app.i18n import noop, tr

_FACTS: Final = tuple(
    (re.compile(pattern), template)
    for pattern, template in (
        (r"(?P<fps>[\d.]+) frames/s", noop("{fps} fps")),
        (r"(?P<done>\d+) frames", noop("{done} frames")),
        (r"(?P<seconds>[\d.]+) s", noop("{seconds} s")),
        (r"sound (?P<kind>.+)", noop("sound {kind}")),
        (r"(?P<count>\d+) subtitles", noop("{count} subtitles")),
        (r"no sound", noop("no sound")),
        (r"variable rate", noop("variable rate")),
        (r"rate unknown", noop("rate unknown")),
        (r"number of frames unknown", noop("number of frames unknown")),
    )
)
"""Pieces of `pipelines.offline.preflight`."""


def fact_words(fact: str) -> str:
    """Say one piece; what is unknown stays as it is."""
    for pattern, template in _FACTS:
        found = pattern.fullmatch(fact)
        if found is not None:
            return tr(template).format(**found.groupdict())
    return fact
