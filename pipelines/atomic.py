"""Files that appear under their final name only when they are complete, and never replace another one unasked."""

from __future__ import annotations

import errno
import os
import shutil
import uuid
from pathlib import Path
from types import TracebackType

from pipelines.errors import ExportError

PART_PREFIX = ".twinlens-"
PART_SUFFIX = ".part"


def reason_of(error: Exception) -> str:
    """Return why a file operation failed, in lower case and without number or path: "no space left on device".

    Errors of the operating system and of libav carry a number and its text as their first two arguments.
    """
    text = str(error.args[1] if len(error.args) > 1 else error)
    return text[:1].lower() + text[1:] if text else type(error).__name__


def part_path(final: Path) -> Path:
    """Return an unused name beside `final`, on the same file system so that renaming it is atomic.

    It tells the process, so that another one can clear up when this one was killed (`remove_parts`).
    """
    return final.with_name(f"{PART_PREFIX}{os.getpid()}-{uuid.uuid4().hex[:12]}{PART_SUFFIX}")


def remove_parts(folder: Path, process: int) -> None:
    """Remove what a process that is no more has left under construction in a folder."""
    for path in folder.glob(f"{PART_PREFIX}{process}-*{PART_SUFFIX}"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def check_writable(final: Path, overwrite: bool, way_out: str = "") -> None:
    """Check that a file may be written as `final`, before any work is done for it.

    Parameters
    ----------
    final : Path
        Where it shall be.
    overwrite : bool
        Whether it may replace a file of this name.
    way_out : str
        What the sentence offers beside --overwrite where it may not.

    Raises
    ------
    ExportError
        If its folder is missing, the name cannot be used, or it exists and `overwrite` is false.
    """
    for path in (final.parent, final):
        try:
            path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            break  # told below, or not taken yet
        except (OSError, ValueError) as error:
            raise ExportError(f"{final} cannot be written: {reason_of(error)}") from error
    if not final.parent.is_dir():
        missing = not os.path.lexists(final.parent)
        reason = f"the folder {final.parent} does not exist" if missing else f"{final.parent} is not a folder"
        raise ExportError(f"{final} cannot be written: {reason}")
    if final.is_dir():
        raise ExportError(f"{final} cannot be written: a folder has this name")
    if not overwrite and os.path.lexists(final):
        raise ExportError(f"{final} exists already (--overwrite replaces it{way_out})")


def publish(part: Path, final: Path, overwrite: bool) -> None:
    """Give the finished file `part` its name, on disk before anybody can see it.

    Raises
    ------
    ExportError
        If `final` has come into being in the meantime, or the system refuses.
    """
    try:
        with part.open("rb+") as stream:
            os.fsync(stream.fileno())
        if overwrite:
            part.replace(final)
        else:
            _link_new(part, final)
        _sync_folder(final.parent)
    except FileExistsError:
        raise ExportError(f"{final} exists already (--overwrite replaces it)") from None
    except OSError as error:
        raise ExportError(f"{final} cannot be written: {reason_of(error)}") from error


def _link_new(part: Path, final: Path) -> None:
    """Rename, failing if the name is taken: a hard link does that in one step, where the file system has them."""
    try:
        final.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:
        if os.path.lexists(final):
            raise FileExistsError(errno.EEXIST, "file exists", str(final)) from None
        part.rename(final)
    else:
        part.unlink()


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # file systems on which folders cannot be synced
            raise
    finally:
        os.close(handle)


class PartFile:
    """A file under construction beside its final place.

    Parameters
    ----------
    final : Path
        Where it shall appear.
    overwrite : bool
        Whether it may replace a file of this name.

    Raises
    ------
    ExportError
        If it cannot be created, or `final` exists and must not be replaced.

    Notes
    -----
    `commit` publishes it; leaving the `with` block without that removes it.
    """

    def __init__(self, final: Path, overwrite: bool = False) -> None:
        check_writable(final, overwrite)
        self.final = final
        self.path = part_path(final)
        self._overwrite = overwrite
        self._committed = False
        try:
            self.path.touch(exist_ok=False)
        except OSError as error:
            raise ExportError(f"{final} cannot be written: {reason_of(error)}") from error

    def commit(self) -> None:
        """Publish the file under its final name.

        Raises
        ------
        ExportError
            If that fails; the part is still removed by `discard`.
        """
        publish(self.path, self.final, self._overwrite)
        self._committed = True

    def discard(self) -> None:
        """Remove the part; does nothing after `commit`."""
        if not self._committed:
            self.path.unlink(missing_ok=True)

    def __enter__(self) -> PartFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()


def write_file(final: Path, data: bytes, overwrite: bool = False) -> None:
    """Write `data` to `final` in one step.

    Raises
    ------
    ExportError
        If it cannot be written, or exists and `overwrite` is false.
    """
    with PartFile(final, overwrite) as part:
        try:
            part.path.write_bytes(data)
        except OSError as error:
            raise ExportError(f"{final} cannot be written: {reason_of(error)}") from error
        part.commit()
