"""Layers of a file: a folder a layer, a file a frame."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pipelines.atomic import part_path, reason_of
from pipelines.errors import ExportError
from pipelines.export import layer_suffix
from pipelines.offline.part_files import PartFiles
from pipelines.sources.paths import is_there

FRAME_FILE: Final = re.compile(r"\d{6,}\.(?:png|json)")


def layer_file(layer: str, frame: int) -> str:
    """Return the name of the file of a frame."""
    return f"{frame:06d}{layer_suffix(layer)}"


def make_folders(folder: Path) -> list[Path]:
    """Make `folder` and its parents; return those that did not exist, the innermost first.

    Raises
    ------
    ExportError
        If that is impossible.
    """
    missing = [path for path in (folder, *folder.parents) if not is_there(path)]
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


class LayerFolder(PartFiles):
    """Layers under construction beside their final place.

    Parameters
    ----------
    folder : Path
        Gets one folder for each layer; made if missing.
    layers : sequence of str
        Names of the layers.
    overwrite : bool
        Frames of earlier runs in these folders are replaced. Other files are left alone.
    part : Path, optional
        Folder to build them in, which may hold frames of a run that broke off; a new one by default.

    Raises
    ------
    ExportError
        If nothing can be written there.
    """

    def __init__(self, folder: Path, layers: Sequence[str], overwrite: bool, part: Path | None = None) -> None:
        self.layers = tuple(layers)
        self._folder = folder
        self._overwrite = overwrite
        self._committed = False
        self._made = make_folders(folder)
        super().__init__(part or part_path(folder / "layers"))
        try:
            for layer in self.layers:
                (self._part / layer).mkdir(parents=True, exist_ok=part is not None)
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
        name = Path(layer, layer_file(layer, frame))
        self.put(name, self._folder / name, data)

    def commit(self, moved: range = range(0)) -> None:
        try:
            for layer in self.layers:
                self._publish(self._part / layer, self._folder / layer, {layer_file(layer, number) for number in moved})
            self._part.rmdir()
        except OSError as error:
            raise ExportError(f"{self._folder} cannot be written: {reason_of(error)}") from error
        self._committed = True

    def _publish(self, part: Path, final: Path, moved: set[str]) -> None:
        if not final.exists():
            part.rename(final)
            return
        own = {path.name for path in part.iterdir()} | moved
        if not self._overwrite and any(path.name not in moved for path in final.iterdir()):
            raise ExportError(f"{final} holds files already (--overwrite replaces them)")
        for path in sorted(part.iterdir()):
            path.replace(final / path.name)
        for path in final.iterdir():
            # Frames of an earlier, longer run would otherwise be taken for frames of this one.
            if path.name not in own and FRAME_FILE.fullmatch(path.name):
                path.unlink()
        part.rmdir()

    def discard(self) -> None:
        """Remove everything that was written; does nothing after `commit`."""
        if not self._committed:
            super().discard()
            remove_empty(self._made)
