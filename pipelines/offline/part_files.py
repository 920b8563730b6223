"""Files of a run that are built in a folder of their own and get their final place together."""

from __future__ import annotations

import shutil
import zlib
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import Self

from pipelines.atomic import reason_of
from pipelines.errors import ExportError


class PartFiles(ABC):
    """Files under construction, with a checksum of what was written.

    Parameters
    ----------
    part : Path
        Folder to build them in; made by the subclass.
    """

    def __init__(self, part: Path) -> None:
        self._part = part
        self._crc = 0

    def put(self, name: Path, final: Path, data: bytes) -> None:
        """Write a file.

        Parameters
        ----------
        name : Path
            Where, inside the folder.
        final : Path
            Where it will be, for the message.
        data : bytes
            What it holds.

        Raises
        ------
        ExportError
            If it cannot be written.
        """
        try:
            (self._part / name).write_bytes(data)
        except OSError as error:
            raise ExportError(f"{final} cannot be written: {reason_of(error)}") from error
        self._crc = zlib.crc32(data, self._crc)

    def take_crc(self) -> int:
        """Return the checksum of what was written since the last call."""
        crc, self._crc = self._crc, 0
        return crc

    @abstractmethod
    def commit(self, moved: range = range(0)) -> None:
        """Move everything to its final place.

        Parameters
        ----------
        moved : range
            Frames whose files may be there already, moved by a run that broke off in the middle of this.

        Raises
        ------
        ExportError
            If files came into being there in the meantime, or the system refuses.
        """

    def discard(self) -> None:
        """Remove what is under construction; does nothing to what is in its final place."""
        shutil.rmtree(self._part, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()
