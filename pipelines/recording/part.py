"""A recording under construction: visible beside its final place, locked while somebody writes it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO, Final

from pipelines.atomic import publish, reason_of
from pipelines.errors import ExportError

if os.name == "posix":
    import fcntl

PART_SUFFIX: Final = ".part"


def lock(file: BinaryIO) -> bool:
    """Take a file for oneself until it is closed, also by the end of the process. Return whether it was free.

    Where the system has no such locks (Windows), a file that is open cannot be renamed, which serves as well.
    """
    if os.name != "posix":
        return True
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks
    return True


class RecordingPart:
    """The file that a muxer writes into.

    Parameters
    ----------
    final : Path
        Where it shall appear; must not exist.

    Raises
    ------
    ExportError
        If it cannot be created.

    Attributes
    ----------
    size : int
        Bytes written so far.
    """

    def __init__(self, final: Path) -> None:
        self.final = final
        self.path = final.with_name(final.name + PART_SUFFIX)
        self.size = 0
        self._is_sealed = False
        try:
            # Unbuffered: what the muxer has handed over survives the end of this process.
            self._file = self.path.open("x+b", buffering=0)
        except OSError as error:
            raise ExportError(f"{final} cannot be written: {reason_of(error)}") from error
        lock(self._file)

    # -- what a muxer calls

    def write(self, data: bytes) -> int:
        """Append or replace bytes; drop them once the file is sealed."""
        if not self._is_sealed:
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
            self.size = max(self.size, self._file.tell())
        return len(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to another place."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Return the place."""
        return self._file.tell()

    # -- its end

    def seal(self) -> None:
        """Leave the file as it is, whatever the muxer still wants to write: its last word is worth nothing after a
        failure, and could spoil what is there."""
        self._is_sealed = True

    def check(self) -> None:
        """Check that the file still is where it was.

        Raises
        ------
        ExportError
            If it was removed or its folder was.
        """
        if not self.path.exists():
            raise ExportError(f"{self.final} cannot be written: it was removed, or the folder {self.final.parent} was")

    def publish(self) -> None:
        """Give the complete file its name.

        Raises
        ------
        ExportError
            If that fails; the part stays.
        """
        self._file.close()
        publish(self.path, self.final, overwrite=False)

    def discard(self) -> None:
        """Remove the file."""
        self._file.close()
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file as it is."""
        self._file.close()
