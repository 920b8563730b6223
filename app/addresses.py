"""Addresses of network cameras, and what of them may be written down. No Qt: the settings need it before."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from pipelines.sources.paths import is_address, public_name

_SECRET: Final = re.compile(r"pass|pwd|token|secret|key|auth|user|usr|login|sig|session|sid", re.IGNORECASE)
"""Names of parameters that cameras take a user name, a password or a ticket by."""


def kept(source: str) -> str:
    """Return SRC as it may be written to a file: an address without user name, password and secret parameters.

    Other parameters stay: many cameras tell their channels apart by them.
    """
    if not is_address(source):
        return source
    try:
        query = urlsplit(source).query
    except ValueError:
        return public_name(source)
    open_parts = [part for part in query.split("&") if part and not _SECRET.search(part.partition("=")[0])]
    return "?".join((public_name(source), "&".join(open_parts))) if open_parts else public_name(source)


def split_login(address: str) -> tuple[str, str, str]:
    """Take user name and password out of an address.

    Returns
    -------
    tuple of str
        The address without them, the user name, the password; all of it and "" where the address is not valid.
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return address, "", ""
    login, _, host = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    return urlunsplit(parts._replace(netloc=host)), unquote(user), unquote(password)


def with_login(address: str, user: str, password: str) -> str:
    """Put user name and password into an address that has none; it stays as it is without both."""
    if not user and not password:
        return address
    scheme, _, rest = address.partition("://")
    return f"{scheme}://{quote(user, safe='')}:{quote(password, safe='')}@{rest}"


class Logins:
    """Whole addresses by what is written down of them, for as long as the program runs."""

    def __init__(self) -> None:
        self._whole: dict[str, str] = {}

    def whole(self, source: str) -> str:
        """Return SRC with what was left out of it, if it was opened before; an address with a login is remembered."""
        short = kept(source)
        if short != source:
            self._whole[short] = source
            return source
        return self._whole.get(source, source)
