"""Start a helper process of our own: a driver that crashes or hangs must take down that, and not the window."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from typing import IO, Any, Final

_CREATE_NO_WINDOW: Final = 0x08000000
_BELOW_NORMAL: Final = 0x00004000
GENTLE: Final = 15
"""Nice value of a child that works in the background."""


def spawn(
    module: str,
    stdout: int = subprocess.DEVNULL,
    stderr: int | IO[bytes] = subprocess.DEVNULL,
    gently: bool = False,
) -> Any:
    """Start `python -m module` with this process's import path; its standard input is a binary pipe.

    Parameters
    ----------
    module : str
        Dotted name.
    stdout, stderr
        As for `subprocess.Popen`.
    gently : bool
        With a low priority, so that a live picture beside it stays smooth.

    Returns
    -------
    subprocess.Popen of bytes
        The process.
    """
    environment = dict(os.environ)
    # The same modules whether this runs from a checkout, a wheel or a test that extended the path.
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    flags = _CREATE_NO_WINDOW | (_BELOW_NORMAL if gently else 0) if sys.platform == "win32" else 0
    process = subprocess.Popen(
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE,
        stdout=stdout,
        stderr=stderr,
        env=environment,
        creationflags=flags,
        # Ctrl+C in a terminal reaches the whole process group; the parent decides when a helper ends.
        start_new_session=sys.platform != "win32",
    )
    if gently and sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError):  # it died at once; whoever reads from it notices
            os.setpriority(os.PRIO_PROCESS, process.pid, GENTLE)
    return process


def first_line() -> bytes:
    """In a child: read the order that the parent begins with; exit where it is gone before it gave one."""
    line = sys.stdin.buffer.readline()
    if not line:
        raise SystemExit(1)
    return line


def end_with_parent() -> None:
    """In a child: exit when the parent's end of standard input closes, even if a driver never returns.

    A parent that was killed cannot end its children, and a hung driver does not notice that nobody waits for it.
    """
    number = sys.stdin.fileno()

    def watch() -> None:
        # Not through `sys.stdin`: a read there holds its lock, without which the interpreter aborts at its end.
        while os.read(number, 4096):
            continue
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def how_it_ended(status: int | None) -> str:
    """Say how a process ended."""
    if status is None:
        return "it did not end"
    if status < 0:
        try:
            return f"its process crashed with {signal.Signals(-status).name}"
        except ValueError:
            return f"its process was ended by signal {-status}"
    return f"its process ended with status {status}"


def end(process: Any) -> None:
    """End a process that was started here, and wait for it."""
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            try:
                stream.close()
            except OSError:
                continue  # a broken pipe on the last flush: the process is gone already
    if process.poll() is None:
        process.kill()
    process.wait()
