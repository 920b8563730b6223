"""What can be chosen beside the queue, in words."""

from __future__ import annotations

from typing import Final

from app.choices import EFFECTS as LIVE_EFFECTS
from app.i18n import noop
from app.processing.options import NUMBERED, TRANSPARENT, format_name
from pipelines.offline.formats import DEFAULT_CRF
from pipelines.offline.formats import FORMATS as VIDEO_FORMATS

Choices = tuple[tuple[object, str, str], ...]
"""Value, label, tooltip."""

PLACES: Final[Choices] = (
    ("", noop("Beside each file"), noop("Into the folder that the file itself is in")),
    ("choose", noop("Choose a folder…"), noop("Everything into one folder")),
)
EXISTING: Final[Choices] = (
    (False, noop("Add a number"), noop("clip.twinlens.mp4 stays, and clip-2.twinlens.mp4 is written")),
    (True, noop("Replace it"), noop("What an earlier run has written is replaced; the files of the list never are")),
)
_FORMAT_TIPS: Final = {
    ".mp4": noop("H.264, plays everywhere"),
    ".mkv": noop("H.264, holds any sound and subtitles"),
    ".mov": noop("H.264; with a transparent background ProRes 4444"),
    ".webm": noop("VP9; can have a transparent background"),
    ".gif": noop("256 colours, no sound; large"),
    NUMBERED: noop("PNG, a file for every frame, in a folder"),
}
FORMATS: Final[Choices] = tuple(
    (suffix, format_name(suffix), _FORMAT_TIPS.get(suffix, "")) for suffix in (*VIDEO_FORMATS, NUMBERED)
)
QUALITIES: Final[Choices] = (
    (14, noop("Highest"), noop("Large files: 14 on the scale of H.264")),
    (
        DEFAULT_CRF,
        noop("High"),
        noop("Hard to tell from the source: 20 on the scale of H.264"),
    ),
    (26, noop("Medium"), noop("Smaller files: 26 on the scale of H.264")),
    (32, noop("Low"), noop("Small files: 32 on the scale of H.264")),
)
EFFECTS: Final[Choices] = (
    *((option.value, option.label, option.tip) for option in LIVE_EFFECTS.options),
    (TRANSPARENT, noop("Transparent"), noop("The person alone, for editing: WebM, QuickTime or numbered pictures")),
)
RESULTS: Final[Choices] = (
    ("", noop("None"), noop("Write no numbers")),
    (".jsonl", noop("JSON lines"), noop("Everything that was found, a line for every frame")),
    (".csv", noop("Table (CSV)"), noop("For spreadsheets, a line for every frame")),
)
LAYER_WORDS: Final = {
    "overlay": (noop("Annotated frame"), noop("Annotated frames, PNG")),
    "mask": (noop("Person mask"), noop("PNG, 8 bits, 255 is the person")),
    "depth": (noop("Depth map"), noop("PNG, 16 bits, bigger is nearer")),
    "landmarks": (noop("Landmarks"), "JSON"),
}
"""By layer, its name and form."""
