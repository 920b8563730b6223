"""What is said on standard output and standard error, also where nobody can be told: no work is lost for it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TextIO, cast

from pipelines.atomic import reason_of

_CONTROLS: Final = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160), 0x2028, 0x2029)}
"""Characters that move the cursor of a terminal or begin a line, as Python writes them."""


def one_line(text: str) -> str:
    """Return a text as one line, whatever names of files are in it: names may hold line breaks and control characters.

    Chinese and other letters stay as they are.
    """
    return text.translate(_CONTROLS)


class LastingStream:
    """A stream that goes on where the one behind it cannot, and remembers why.

    The reader of a pipe may be gone (`| head -1`), the disk behind a redirection full, the terminal closed, or there
    never was a stream (`>&-`, or a program without a console).

    Parameters
    ----------
    stream : TextIO or None
        Where the text goes. Letters that its encoding lacks are written as in Python ("\\u4eba").
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self.error: OSError | None = None
        with suppress(AttributeError, ValueError):
            cast(Any, stream).reconfigure(errors="backslashreplace")

    def write(self, text: str) -> int:
        """Write what can be written."""
        if self._stream is not None:
            try:
                self._stream.write(text)
            except OSError as error:
                self._give_up(error)
        return len(text)

    def flush(self) -> None:
        """Bring it to where it goes."""
        if self._stream is not None:
            try:
                self._stream.flush()
            except OSError as error:
                self._give_up(error)

    def isatty(self) -> bool:
        """Whether somebody looks at it."""
        return self._stream is not None and self._stream.isatty()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _give_up(self, error: OSError) -> None:
        stream, self._stream, self.error = self._stream, None, error
        # What it still holds would be tried again, and complained about, when the interpreter ends.
        with suppress(OSError, ValueError, AttributeError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, cast(TextIO, stream).fileno())
            os.close(nowhere)


@contextmanager
def lasting_streams() -> Iterator[LastingStream]:
    """Make `sys.stdout` and `sys.stderr` lasting ones; yield the former."""
    before = sys.stdout, sys.stderr
    out, err = LastingStream(sys.stdout), LastingStream(sys.stderr)
    sys.stdout, sys.stderr = cast(TextIO, out), cast(TextIO, err)
    try:
        yield out
    finally:
        out.flush()
        err.flush()
        sys.stdout, sys.stderr = before


def complaint(stream: LastingStream) -> str:
    """Return why a part of the output is missing, "" where nothing is or its reader did not want the rest."""
    if stream.error is None or isinstance(stream.error, BrokenPipeError):
        return ""
    return f"standard output cannot be written: {reason_of(stream.error)}"
