"""Layers of a file: a folder a layer, a file a frame."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

from pipelines.atomic import part_path, reason_of
from pipelines.errors import ExportError
from pipelines.export import layer_suffix

FRAME_FILE: Final = re.compile(r"\d{6,}\.(?:png|json)")


def make_folders(folder: Path) -> list[Path]:
    """Make `folder` and its parents; return those that did not exist, the innermost first.

    Raises
    ------
    ExportError
        If that is impossible.
    """
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(f"the folder {folder} cannot be made: {reason_of(error)}") from error
    return missing


def remove_empty(folders: Sequence[Path]) -> None:
    """Remove folders made for nothing, the innermost first; one that holds something stays, and so do its parents."""
    for folder in folders:
        try:
            folder.rmdir()
        except OSError:
            return


class LayerFolder:
    """Layers under construction beside their final place.

    Parameters
    ----------
    folder : Path
        Gets one folder for each layer; made if missing.
    layers : sequence of str
        Names of the layers.
    overwrite : bool
        Frames of earlier runs in these folders are replaced. Other files are left alone.

    Raises
    ------
    ExportError
        If nothing can be written there.
    """

    def __init__(self, folder: Path, layers: Sequence[str], overwrite: bool) -> None:
        self.layers = tuple(layers)
        self._folder = folder
        self._overwrite = overwrite
        self._committed = False
        self._made = make_folders(folder)
        self._part = part_path(folder / "layers")
        try:
            for layer in self.layers:
                (self._part / layer).mkdir(parents=True)
        except OSError as error:
            self.discard()
            raise ExportError(f"{folder} cannot be written: {reason_of(error)}") from error

    def write(self, layer: str, frame: int, data: bytes) -> None:
        """Write the layer of one frame.

        Raises
        ------
        ExportError
            If it cannot be written.
        """
        name = f"{frame:06d}{layer_suffix(layer)}"
        try:
            (self._part / layer / name).write_bytes(data)
        except OSError as error:
            raise ExportError(f"{self._folder / layer / name} cannot be written: {reason_of(error)}") from error

    def commit(self) -> None:
        """Move the layers to their final place.

        Raises
        ------
        ExportError
            If a folder got files in the meantime, or the system refuses.
        """
        try:
            for layer in self.layers:
                self._publish(self._part / layer, self._folder / layer)
            self._part.rmdir()
        except OSError as error:
            raise ExportError(f"{self._folder} cannot be written: {reason_of(error)}") from error
        self._committed = True

    def _publish(self, part: Path, final: Path) -> None:
        if not final.exists():
            part.rename(final)
            return
        if not self._overwrite and any(final.iterdir()):
            raise ExportError(f"{final} holds files already (--overwrite replaces them)")
        new = {path.name for path in part.iterdir()}
        for name in sorted(new):
            (part / name).replace(final / name)
        for path in final.iterdir():
            # Frames of an earlier, longer run would otherwise be taken for frames of this one.
            if path.name not in new and FRAME_FILE.fullmatch(path.name):
                path.unlink()
        part.rmdir()

    def discard(self) -> None:
        """Remove everything that was written; does nothing after `commit`."""
        if not self._committed:
            shutil.rmtree(self._part, ignore_errors=True)
            remove_empty(self._made)

    def __enter__(self) -> LayerFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()
