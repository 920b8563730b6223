"""Where a job is worked on: hidden folders beside its outputs, always the same ones for the same outputs."""

from __future__ import annotations

import hashlib
import shutil
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from pipelines.atomic import PART_PREFIX, PART_SUFFIX
from pipelines.offline.checksums import files_crc, range_crc
from pipelines.offline.formats import numbered
from pipelines.offline.jobs import Job
from pipelines.offline.journal import Journal, Segment
from pipelines.offline.layers import layer_file
from pipelines.offline.sequence import earlier_pictures
from pipelines.offline.writer import LOG_SUFFIX
from pipelines.sources.paths import is_folder, is_there
from pipelines.state import State, load_state

KEPT_STATES: Final = 8
"""After a power cut, files that were not yet on the disk may be gone although the journal was. A run can then go on
behind any of the last segments; they hold more than the half minute after which systems write everything."""


class Place:
    """Folders and files of the work on a job.

    Parameters
    ----------
    job : Job
        The job.
    results : Path or None
        The results file.

    Attributes
    ----------
    path : Path
        The folder.
    journal, rows, video, packets, pictures : Path
        In it: the journal, rows of the results, the output, the log of its encoded pictures (`writer`), the folder for
        numbered pictures.
    layers : Path or None
        The folder for layers, on the file system where they go; None where there are none.
    """

    def __init__(self, job: Job, results: Path | None) -> None:
        self._job = job
        name = job.output.name if job.output is not None else ""
        self.layers: Path | None = None
        if job.layers_dir is not None and job.layers:
            self.layers = _hidden(job.layers_dir, f"layers\0{name}")
        if job.output is not None:
            self.path = _hidden(job.output.parent, name)
        elif job.layers_dir is not None and job.layers:
            self.path = _hidden(job.layers_dir, name)
        elif results is not None:
            self.path = _hidden(results.parent, f"{results.name}\0{job.input.absolute()}")
        else:
            raise ValueError(f"{job.input}: a job that writes nothing needs no place")
        self.journal = self.path / "journal"
        self.rows = self.path / "rows"
        self.video = self.path / "video"
        self.packets = self.path / f"video{LOG_SUFFIX}"
        self.pictures = self.path / "pictures"

    def remove(self) -> None:
        """Remove everything."""
        for folder in (self.path, self.layers):
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)

    def clear(self) -> None:
        """Remove everything but the lock.

        Raises
        ------
        OSError
            If that is impossible.
        """
        for entry in self.path.iterdir():
            if entry.is_dir():
                shutil.rmtree(entry)
            elif entry.name != "lock":
                entry.unlink()
        if self.layers is not None and is_folder(self.layers):
            shutil.rmtree(self.layers)

    @property
    def is_begun(self) -> bool:
        """Whether there is a journal, as far as the system tells; where it does not, nothing can be written either."""
        return is_there(self.journal)

    @property
    def is_published(self) -> bool:
        """Whether every output has its name: it exists, and nothing waits to be moved there."""
        job = self._job
        waiting = [self.layers / layer for layer in job.layers] if self.layers is not None else []
        there = [holds_files(job.layers_dir / layer) for layer in job.layers] if job.layers_dir is not None else []
        if job.is_sequence and job.output is not None:
            waiting.append(self.pictures)
            there.append(bool(earlier_pictures(job.output)))
        elif job.output is not None:
            waiting.append(self.video)
            there.append(is_there(job.output))
        return all(there) and not any(path.is_file() or holds_files(path) for path in waiting)

    def state_path(self, number: int) -> Path:
        """Return the file with what the pipeline remembers behind segment `number`."""
        return self.path / f"state-{number}"

    def state(self, number: int, crc: int | None) -> State | None:
        """Return the state behind a segment, None where it is missing or damaged."""
        try:
            data = self.state_path(number).read_bytes()
            return load_state(data) if zlib.crc32(data) == crc else None
        except (OSError, ValueError):
            return None

    def whole(self, found: Journal) -> int:
        """Return how many segments, from the first one, are there as they were written. The last ones are checked."""
        count = len(found.segments)
        for number in range(max(0, count - KEPT_STATES), count):
            before = found.segments[number - 1] if number else Segment(0, 0, 0)
            try:
                whole = self._is_whole(found.segments[number], before, found)
            except OSError:
                whole = False
            if not whole:
                return number
        return count

    def _is_whole(self, segment: Segment, before: Segment, found: Journal) -> bool:
        numbers = range(segment.first + before.frames, segment.first + segment.frames)
        rows = range_crc(self.rows, before.rows, segment.rows) == segment.rows_crc
        packets = found.done or range_crc(self.packets, before.packets, segment.packets) == segment.packets_crc
        # While outputs get their names, some have left.
        pictures = found.publishing or files_crc(self._pictures_of(numbers)) == segment.pictures_crc
        layers = found.publishing or files_crc(self._layers_of(numbers)) == segment.layers_crc
        return rows and packets and pictures and layers

    def _pictures_of(self, numbers: Iterable[int]) -> Iterator[Path]:
        if self._job.is_sequence and self._job.output is not None:
            for number in numbers:
                yield self.pictures / numbered(self._job.output, number).name

    def _layers_of(self, numbers: Iterable[int]) -> Iterator[Path]:
        if self.layers is not None:
            for number in numbers:
                for layer in self._job.layers:
                    yield self.layers / layer / layer_file(layer, number)


def holds_files(folder: Path) -> bool:
    """Whether there is a folder of this name with something in it."""
    return is_folder(folder) and any(folder.iterdir())


def _hidden(folder: Path, name: str) -> Path:
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()
    return folder / f"{PART_PREFIX}work-{digest[:16]}{PART_SUFFIX}"
