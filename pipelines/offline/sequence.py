"""A video as numbered pictures, which appear under their names together, when the last of them is written."""

from __future__ import annotations

import re
from pathlib import Path

from pipelines.atomic import part_path, reason_of
from pipelines.errors import ExportError
from pipelines.offline.formats import numbered
from pipelines.offline.part_files import PartFiles


def picture_names(pattern: Path) -> re.Pattern[str]:
    """Return what matches the names that a pattern such as `out/%06d.png` stands for."""
    before, after = re.split(r"%0\d{1,2}d", pattern.name)
    return re.compile(re.escape(before) + r"\d+" + re.escape(after))


def earlier_pictures(pattern: Path) -> list[Path]:
    """Return the files that a pattern such as `out/%06d.png` stands for already."""
    name = picture_names(pattern)
    if not pattern.parent.is_dir():
        return []
    return sorted(path for path in pattern.parent.iterdir() if name.fullmatch(path.name))


def check_sequence(pattern: Path, overwrite: bool, way_out: str = "") -> None:
    """Check that pictures may be written under a pattern, before any work is done for them (`atomic.check_writable`).

    Raises
    ------
    ExportError
        If there are some already and `overwrite` is false.
    """
    found = [] if overwrite else earlier_pictures(pattern)
    if found:
        raise ExportError(f"{found[0]} exists already (--overwrite replaces such pictures{way_out})")


class PictureSequence(PartFiles):
    """Numbered pictures under construction beside their final place.

    Parameters
    ----------
    pattern : Path
        Their final names; its folder exists.
    overwrite : bool
        Pictures of an earlier run under this pattern are replaced, and removed where they are more.
    part : Path, optional
        Folder to build them in, which may hold pictures of a run that broke off; a new one by default.

    Raises
    ------
    ExportError
        If nothing can be written there, or there are such pictures and `overwrite` is false.
    """

    def __init__(self, pattern: Path, overwrite: bool, part: Path | None = None) -> None:
        if part is None:
            check_sequence(pattern, overwrite)
        self._pattern = pattern
        self._overwrite = overwrite
        super().__init__(part or part_path(pattern))
        try:
            self._part.mkdir(exist_ok=part is not None)
        except OSError as error:
            raise ExportError(f"{pattern} cannot be written: {reason_of(error)}") from error

    def write(self, number: int, data: bytes) -> None:
        """Write the picture of a frame.

        Raises
        ------
        ExportError
            If it cannot be written.
        """
        final = numbered(self._pattern, number)
        self.put(Path(final.name), final, data)

    def commit(self, moved: range = range(0)) -> None:
        own = {numbered(self._pattern, number).name for number in moved}
        earlier = [path for path in earlier_pictures(self._pattern) if path.name not in own]
        if earlier:
            check_sequence(self._pattern, self._overwrite)
        try:
            names = sorted(path.name for path in self._part.iterdir())
            for name in names:
                (self._part / name).replace(self._pattern.with_name(name))
            # Pictures of an earlier, longer run would otherwise be taken for pictures of this one.
            for path in earlier:
                if path.name not in names:
                    path.unlink()
        except OSError as error:
            raise ExportError(f"{self._pattern} cannot be written: {reason_of(error)}") from error
