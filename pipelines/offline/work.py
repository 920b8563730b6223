"""The work on a job, which outlives the program: finished segments and a journal of them.

What is killed leaves it; the next run of the same job goes on with it when it was started with `--resume`, and throws
it away otherwise.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType

from pipelines.atomic import reason_of
from pipelines.errors import ExportError
from pipelines.offline.checksums import range_crc
from pipelines.offline.identity import difference
from pipelines.offline.jobs import Job
from pipelines.offline.journal import Journal, JournalFile, Segment, read_journal
from pipelines.offline.lock import Held, Lock
from pipelines.offline.place import KEPT_STATES, Place
from pipelines.offline.words import counted
from pipelines.state import State


class CannotGoOn(ExportError):
    """What an earlier run has left is of no use to this one, which would have to start anew."""


class Work:
    """The work on one job.

    Parameters
    ----------
    job : Job
        The job. Its folders exist.
    results : Path or None
        The results file.
    identity : mapping of str to str
        What the job is made of (`identity.identify`).

    Raises
    ------
    ExportError
        If nothing can be written there, or another run is at work on it.
    CannotGoOn
        If the job is to be resumed and what is there was made of something else.

    Attributes
    ----------
    place : Place
        Where everything is.
    last : Segment or None
        The last finished segment; None at the beginning.
    damage : str or None
        Set when the input was read to its end (see `Journal`).
    publishing, done : bool
        The outputs get, and have, their names.
    notice : str
        What became of earlier work that is not gone on with.
    """

    def __init__(self, job: Job, results: Path | None, identity: Mapping[str, str]) -> None:
        self.place = Place(job, results)
        self.last: Segment | None = None
        self.damage: str | None = None
        self.publishing = self.done = False
        self.notice = ""
        self._job = job
        self._name = job.output or job.layers_dir or results
        self._count = 0
        self._keep = False
        self._lock = self._take()
        try:
            self._journal = self._open(identity)
        except OSError as error:
            self._lock.release()
            raise self._error(error) from error
        except BaseException:
            self._lock.release()
            raise

    def _error(self, error: Exception) -> ExportError:
        return ExportError(f"{self._name} cannot be written: {reason_of(error)}")

    def _take(self) -> Lock:
        try:
            self.place.path.mkdir(exist_ok=True)
            return Lock(self.place.path / "lock")
        except Held:
            raise ExportError(f"{self._name} is being written by another run") from None
        except OSError as error:
            raise self._error(error) from error

    def _open(self, identity: Mapping[str, str]) -> JournalFile:
        found = read_journal(self.place.journal)
        if found is not None and self._job.resume:
            changed = difference(found.identity, identity)
            if not changed:
                return self._go_on(found)
            if not self._job.overwrite:
                raise CannotGoOn(f"{self._name} was begun differently: {changed} (--overwrite starts anew)")
            self.notice = f"an earlier run was not gone on with: {changed}"
        elif found is not None and found.segments and not found.done:
            count = found.segments[-1].frames
            frames, were = counted(count, "frame"), "was" if count == 1 else "were"
            self.notice = f"{frames} of a run that broke off {were} done again (--resume would have used them)"
        return self._anew(identity)

    def _anew(self, identity: Mapping[str, str]) -> JournalFile:
        self.place.clear()
        journal = JournalFile(self.place.journal, durable=not self._job.still)
        journal.begin(identity)
        return journal

    def _go_on(self, found: Journal) -> JournalFile:
        place = self.place
        if found.publishing and not found.done:
            # It broke off in the middle of that. With --overwrite an output may be an older one.
            found.done = place.is_published and not self._job.overwrite
        if (found.done and not place.is_published) or (self._job.still and not found.done):
            return self._anew(found.identity)
        whole = place.whole(found)
        complete = 0 < whole == len(found.segments) and found.damage is not None
        while not complete and whole > 0 and place.state(whole - 1, found.segments[whole - 1].state_crc) is None:
            whole -= 1
        if whole == 0:
            return self._anew(found.identity)
        self.last, self._count, self._keep = found.segments[whole - 1], whole, True
        journal = JournalFile(place.journal, durable=not self._job.still)
        if complete:
            self.damage, self.publishing, self.done = found.damage, found.publishing, found.done
        else:
            journal.cut(found.ends[whole])
        for path, length in ((place.rows, self.last.rows), (place.packets, self.last.packets)):
            if path.exists():
                os.truncate(path, length)
        return journal

    def state(self) -> State:
        """Return what the pipeline remembers behind the last segment.

        Raises
        ------
        CannotGoOn
            If it is gone.
        """
        state = self.place.state(self._count - 1, self.last.state_crc if self.last is not None else None)
        if state is None:
            raise CannotGoOn(f"{self._name} cannot be gone on with: the saved state is gone")
        return state

    def commit(self, segment: Segment, state: bytes | None) -> None:
        """Note a finished segment, whose files are written.

        Parameters
        ----------
        segment : Segment
            The segment. Its checksums of rows, packets and state are filled in here.
        state : bytes or None
            What the pipeline remembers behind it; None behind the last frame, where nothing goes on.

        Raises
        ------
        ExportError
            If the system refuses.
        """
        before, place = self.last or Segment(0, 0, 0), self.place
        try:
            if state is not None:
                with place.state_path(self._count).open("wb") as stream:
                    stream.write(state)
                    stream.flush()
                    os.fsync(stream.fileno())
            segment = replace(
                segment,
                rows_crc=range_crc(place.rows, before.rows, segment.rows),
                packets_crc=range_crc(place.packets, before.packets, segment.packets),
                state_crc=None if state is None else zlib.crc32(state),
            )
            self._journal.segment(segment)
            place.state_path(self._count - KEPT_STATES).unlink(missing_ok=True)
        except OSError as error:
            raise self._error(error) from error
        self.last = segment
        self._count += 1
        self._keep = True

    def note_end(self, damage: str) -> None:
        """Note that the input was read to its end, and why that came too early ("" when it did not).

        Raises
        ------
        ExportError
            If the system refuses.
        """
        self.damage = damage
        self._note(lambda: self._journal.end(damage))

    def note_publishing(self) -> None:
        """Note that the outputs are complete and get their names.

        Raises
        ------
        ExportError
            If the system refuses.
        """
        self._note(self._journal.publishing)
        self.publishing = True

    def finish(self, keep_rows: bool) -> None:
        """Note that the outputs have their names. Nothing is kept but the rows, and these only with `keep_rows`.

        Raises
        ------
        ExportError
            If the system refuses.
        """
        if keep_rows:
            self._note(self._journal.done)
        self.done, self._keep = True, keep_rows
        for number in range(max(0, self._count - KEPT_STATES), self._count):
            self._note(partial(self.place.state_path(number).unlink, missing_ok=True))
        self._note(partial(self.place.packets.unlink, missing_ok=True))

    def _note(self, write: Callable[[], None]) -> None:
        try:
            write()
        except OSError as error:
            raise self._error(error) from error

    def close(self) -> None:
        """Let go of everything; it is removed unless it is of use later."""
        self._journal.close()
        self._lock.release()
        if not (self._keep and (self.done or self._job.resume)):
            self.place.remove()

    def __enter__(self) -> Work:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
