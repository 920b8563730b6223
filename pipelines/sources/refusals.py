"""Why a network address cannot be opened, in a sentence that names the address without its secrets."""

from __future__ import annotations

import errno
import socket
from typing import Final
from urllib.parse import SplitResult, urlsplit

from av.error import (
    ArgumentError,
    ExitError,
    HTTPBadRequestError,
    HTTPClientError,
    HTTPForbiddenError,
    HTTPNotFoundError,
    HTTPServerError,
    HTTPTooManyRequestsError,
    HTTPUnauthorizedError,
    InvalidDataError,
    ProtocolNotFoundError,
)

from pipelines.sources.paths import OTHER_KIND

_PORTS: Final = {"http": 80, "https": 443, "rtsp": 554, "rtsps": 322, "rtmp": 1935}
"""Where FFmpeg looks when the address names no port."""
_PLAIN: Final = {"https": "http", "rtsps": "rtsp"}
"""Kinds of address that are encrypted, and the same ones unencrypted."""


def why_not_opened(url: str, name: str, error: Exception, waited_s: float, limit_s: float) -> str:
    """Say why an address cannot be opened.

    Parameters
    ----------
    url : str
        The address; valid. Nothing of it is said but host, port and scheme.
    name : str
        What to call it (`paths.public_name`).
    error : Exception
        What FFmpeg raised.
    waited_s, limit_s : float
        How long that took, and how long it may take, in seconds.
    """
    # RTSP reports data that are not valid where it was interrupted.
    if isinstance(error, TimeoutError | ExitError) or waited_s >= limit_s:
        return f"{name} does not answer (waited {limit_s:g} s)"
    parts = urlsplit(url)
    if not parts.hostname:
        return f"{name} cannot be opened: it names no host"
    if isinstance(error, HTTPClientError | HTTPServerError):
        return f"{name} {_refusal(error, parts)}"
    if isinstance(error, ConnectionRefusedError):
        port = parts.port or _PORTS.get(parts.scheme)
        return f"{name} refuses the connection: nothing listens on {f'port {port}' if port else 'its port'}"
    if isinstance(error, ConnectionResetError | BrokenPipeError | EOFError):
        return f"{name} closes the connection without an answer"
    if isinstance(error, InvalidDataError):
        return f"{name} sends no video"
    if isinstance(error, ProtocolNotFoundError):
        return f"{name}: {OTHER_KIND}"
    if isinstance(error, OSError) and error.errno == errno.EIO:
        # All that FFmpeg tells of a name that has no address, of encryption that fails, and of a stream that is empty.
        reason = _not_found(parts.hostname) or _not_encrypted(parts.scheme)
        return f"{name} cannot be opened: {reason}" if reason else f"{name} sends no video"
    told = None if isinstance(error, ArgumentError) else getattr(error, "strerror", None)
    return f"{name} cannot be opened: {told or 'the address is not valid'}"


def _refusal(error: HTTPClientError | HTTPServerError, parts: SplitResult) -> str:
    """Say what a server answers instead of video."""
    if isinstance(error, HTTPUnauthorizedError | HTTPForbiddenError):
        if parts.username:
            return "does not accept this user name and password"
        return "wants a user name and password: write them as scheme://user:password@host"
    if isinstance(error, HTTPNotFoundError):
        return "cannot be opened: the server has nothing at this address (404)"
    if isinstance(error, HTTPClientError):
        code = {HTTPBadRequestError: "400", HTTPTooManyRequestsError: "429"}.get(type(error), "4xx")
    else:
        code = "5xx"
    return f"cannot be opened: the server answers with an error ({code})"


def _not_found(host: str) -> str:
    """Say why the name of a host has no address; "" where it has one."""
    try:
        socket.getaddrinfo(host, None)
    except socket.gaierror as error:
        if error.errno in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)):
            return f"there is no host called {host}"
        return f"the host {host} cannot be looked up (is this machine online?)"
    except UnicodeError:  # a part of the name is empty or too long
        return f"there is no host called {host}"
    return ""


def _not_encrypted(scheme: str) -> str:
    plain = _PLAIN.get(scheme)
    return f"no encrypted connection can be made (is it {plain}://?)" if plain else ""
