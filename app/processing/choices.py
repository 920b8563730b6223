"""What can be chosen beside the queue, in words."""

from __future__ import annotations

from typing import Final

from app.choices import EFFECTS as LIVE_EFFECTS
from app.processing.options import NUMBERED, TRANSPARENT, format_name
from pipelines.offline.formats import DEFAULT_CRF
from pipelines.offline.formats import FORMATS as VIDEO_FORMATS

Choices = tuple[tuple[object, str, str], ...]
"""Value, label, tooltip."""

PLACES: Final[Choices] = (
    ("", "Beside each file", "Into the folder that the file itself is in"),
    ("choose", "Choose a folder…", "Everything into one folder"),
)
EXISTING: Final[Choices] = (
    (False, "Add a number", "clip.twinlens.mp4 stays, and clip-2.twinlens.mp4 is written"),
    (True, "Replace it", "What an earlier run has written is replaced; the files of the list never are"),
)
_FORMAT_TIPS: Final = {
    ".mp4": "H.264, plays everywhere",
    ".mkv": "H.264, holds any sound and subtitles",
    ".mov": "H.264; with a transparent background ProRes 4444",
    ".webm": "VP9; can have a transparent background",
    ".gif": "256 colours, no sound; large",
    NUMBERED: "PNG, a file for every frame, in a folder",
}
FORMATS: Final[Choices] = tuple(
    (suffix, format_name(suffix), _FORMAT_TIPS.get(suffix, "")) for suffix in (*VIDEO_FORMATS, NUMBERED)
)
QUALITIES: Final[Choices] = (
    (14, "Highest", "Large files: 14 on the scale of H.264"),
    (DEFAULT_CRF, "High", f"Hard to tell from the source: {DEFAULT_CRF} on the scale of H.264"),
    (26, "Medium", "Smaller files: 26 on the scale of H.264"),
    (32, "Low", "Small files: 32 on the scale of H.264"),
)
EFFECTS: Final[Choices] = (
    *((option.value, option.label, option.tip) for option in LIVE_EFFECTS.options),
    (TRANSPARENT, "Transparent", "The person alone, for editing: WebM, QuickTime or numbered pictures"),
)
RESULTS: Final[Choices] = (
    ("", "None", "Write no numbers"),
    (".jsonl", "JSON lines", "Everything that was found, a line for every frame"),
    (".csv", "Table (CSV)", "For spreadsheets, a line for every frame"),
)
LAYER_WORDS: Final = {
    "overlay": ("Annotated", "Annotated frames, PNG"),
    "mask": ("Person mask", "PNG, 8 bits, 255 is the person"),
    "depth": ("Depth map", "PNG, 16 bits, bigger is nearer"),
    "landmarks": ("Landmarks", "JSON"),
}
"""By layer, its name and form."""
