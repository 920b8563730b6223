"""Sentences that come from below the window, where nobody knows its language. What is not listed stays English."""

from __future__ import annotations

import re
from typing import Final

from app.i18n.texts import noop, tr

_NOUNS: Final = {
    "file": noop("file"),
    "pictures": noop("pictures"),
    "demo clip": noop("demo clip"),
    "camera": noop("camera"),
    "stream": noop("stream"),
}
_TASKS: Final = {"face": noop("Face"), "segmentation": noop("Person"), "depth": noop("Depth")}
_LIMITS: Final = (
    (re.compile(r"(?P<noun>[a-z ]+) plays at (?P<fps>\d+(?:\.\d)?) fps"), noop("{noun} plays at {fps} fps")),
    (re.compile(r"(?P<noun>[a-z ]+) gives (?P<fps>\d+(?:\.\d)?) fps"), noop("{noun} gives {fps} fps")),
    (re.compile(r"both pipelines share the time"), noop("both pipelines share the time")),
    (re.compile(r"drawing takes (?P<ms>[\d.]+) ms a frame"), noop("drawing takes {ms} ms a frame")),
    (re.compile(r"(?P<task>\w+) is (?P<share>\d+)% of the work"), noop("{task} is {share}% of the work")),
)


def limit_words(note: str) -> str:
    """Say what limits the rate (`pipelines.figures.bottleneck`) in the language of the window."""
    for pattern, template in _LIMITS:
        found = pattern.fullmatch(note)
        if found is not None:
            words = {name: tr({**_NOUNS, **_TASKS}.get(value, value)) for name, value in found.groupdict().items()}
            return tr(template).format(**words)
    return note
