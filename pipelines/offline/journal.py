"""How far a job is, line by line: what a run that goes on with it needs to know.

The file is only ever appended to, and each line is on the disk before the next step starts. What a power cut leaves of
the last line is no JSON object and counts as not written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from pipelines.sources.marks import Mark
from pipelines.state import State

FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Segment:
    """A finished stretch of frames. Lengths and counts are those at its end, checksums (CRC-32) its own.

    Parameters
    ----------
    frames, read : int
        Frames taken, and read.
    first : int
        Number of the job's first frame in the source; the others follow without a gap.
    rows, packets : int
        Bytes of the rows and of the log of encoded pictures.
    rows_crc, packets_crc, pictures_crc, layers_crc : int
        Checksums of what it added to these, and of its numbered pictures and layers.
    state_crc : int or None
        Checksum of the saved state; None behind the last frame, where nothing goes on.
    writer : dict or None
        State of the video writer.
    resized : int
        Pictures that were scaled to the size of the first.
    notices : tuple of str
        What the pipeline had to say.
    mark : Mark or None
        Where it ends in the source; None where that can only be found by counting.
    """

    frames: int
    read: int
    first: int
    rows: int = 0
    packets: int = 0
    rows_crc: int = 0
    packets_crc: int = 0
    pictures_crc: int = 0
    layers_crc: int = 0
    state_crc: int | None = None
    writer: State | None = None
    resized: int = 0
    notices: tuple[str, ...] = ()
    mark: Mark | None = None


@dataclass(slots=True)
class Journal:
    """What a journal says.

    Parameters
    ----------
    identity : mapping of str to str
        What the job is and what it is made of, by name.
    segments : list of Segment
        Finished stretches, in order.
    damage : str or None
        Set when the input was read to its end: why that came too early, "" when it did not.
    publishing : bool
        The outputs are complete and get their names.
    done : bool
        They have them.
    ends : list of int
        Length of the file behind each line of a segment, the first entry that behind the identity.
    """

    identity: Mapping[str, str]
    segments: list[Segment] = field(default_factory=list)
    damage: str | None = None
    publishing: bool = False
    done: bool = False
    ends: list[int] = field(default_factory=list)


def read_journal(path: Path) -> Journal | None:
    """Return what a journal says, None where there is none, or one of another form.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        return None
    journal: Journal | None = None
    length = 0
    for line in lines:
        try:
            record = json.loads(line)
            if not line.endswith(b"\n") or not isinstance(record, dict):
                break
            length += len(line)
            if journal is None:
                if record.get("format") != FORMAT:
                    return None
                journal = Journal(record["identity"], ends=[length])
            elif "segment" in record:
                journal.segments.append(_segment(record["segment"]))
                journal.ends.append(length)
            else:
                journal.damage = record.get("damage", journal.damage)
                journal.publishing |= record.get("publishing", False)
                journal.done |= record.get("done", False)
        except (ValueError, KeyError, TypeError):
            break
    return journal


def _segment(record: dict[str, Any]) -> Segment:
    """Return a segment as it was before JSON turned its tuples into lists."""
    notices, mark = tuple(record.pop("notices")), record.pop("mark", None)
    if mark is not None:
        mark = Mark(mark["read"], tuple(mark["times_s"]), tuple(mark["sums"]))
    return Segment(**record, notices=notices, mark=mark)


class JournalFile:
    """A journal that is being written.

    Parameters
    ----------
    path : Path
        The file; made if missing.
    durable : bool
        Each line is brought to the disk at once.

    Raises
    ------
    OSError
        If it cannot be opened.
    """

    def __init__(self, path: Path, durable: bool) -> None:
        self._stream = path.open("ab")
        self._durable = durable

    def begin(self, identity: Mapping[str, str]) -> None:
        """Note what the job is; the first line."""
        self._add({"format": FORMAT, "identity": dict(identity)})

    def segment(self, segment: Segment) -> None:
        """Note a finished stretch."""
        self._add({"segment": asdict(segment)})

    def end(self, damage: str) -> None:
        """Note that the input was read to its end, and why that came too early ("" when it did not)."""
        self._add({"damage": damage})

    def publishing(self) -> None:
        """Note that the outputs get their names from here on."""
        self._add({"publishing": True})

    def done(self) -> None:
        """Note that the outputs have their names."""
        self._add({"done": True})

    def cut(self, length: int) -> None:
        """Forget what stands behind `length` bytes."""
        self._stream.truncate(length)

    def _add(self, record: Mapping[str, object]) -> None:
        # In ASCII, for names of files need not be text: what stands for their odd bytes has no UTF-8.
        self._stream.write(json.dumps(record).encode() + b"\n")
        self._stream.flush()
        if self._durable:
            os.fsync(self._stream.fileno())

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        self._stream.close()
