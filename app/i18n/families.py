"""Families of sentences that come from below the window: what can go wrong with files, cameras, networks and backends.

A sentence is found by its fixed words. What stands in its gaps (a name, a number, the system's own reason) stays as it
is, unless it belongs to a family itself. What belongs to none stays English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from app.i18n.texts import noop, tr

_FAMILIES: Final = (
    # around others
    noop("Not changed: {reason}"),
    noop("Not compared: {reason}"),
    noop("{sentence} Trying again…"),
    # files and folders
    noop("there is no such file or folder"),
    noop("{name}: there is no such file or folder"),
    noop("{name}: the folder holds no picture"),
    noop("{name} is empty (0 bytes)"),
    noop("{name} is a folder, not a file"),
    noop("{name} is damaged or incomplete: it cannot be decoded"),
    noop("{name} is too large or damaged: it cannot be decoded"),
    noop("{name} is incomplete: its index is missing, as when a recording or a download was cut off"),
    noop("{name} is incomplete: the file breaks off"),
    noop("{name} is not a video that can be read"),
    noop("{name} is not a picture that can be decoded"),
    noop("{name} holds no video and no picture"),
    noop("{name} holds no picture that can be decoded"),
    noop("{name} holds video in a coding that cannot be decoded"),
    noop("{name} holds sound but no video"),
    noop("{name} holds no video"),
    noop("{name} holds no picture"),
    noop("{name} cannot be read: {reason}"),
    noop("{name} exists already (--overwrite replaces it)"),
    noop("{name} cannot be written: the folder {folder} does not exist"),
    noop("{name} cannot be written: {reason}"),
    noop("the folder {name} cannot be made: {reason}"),
    noop("the folder {name} cannot be used: {reason}"),
    noop("there is no room for a recording in {folder}: {megabytes} MB are left"),
    noop("The recording was stopped: only {megabytes} MB are left on the disk."),
    noop("The settings file is damaged; the defaults are used."),
    noop("The settings file was damaged and is kept as {name}; the defaults are used."),
    noop("The settings file is of a later version of Twinlens; the defaults are used."),
    noop("The settings file is of a later version of Twinlens and is kept as {name}; the defaults are used."),
    # cameras
    noop("no camera was found: connect one, or choose a file or the demo"),
    noop("there is no camera {number} (there is {known})"),
    noop("no camera is called {name} (there is {known})"),
    noop("{name} cannot be opened: another program may be using it, or access to it is not allowed"),
    noop("{name} is open but gives no picture: another program may be using it"),
    noop("{name} stopped delivering pictures: was it unplugged?"),
    noop("{name} repeats the same picture: its driver lost it"),
    noop("{name} has not delivered a picture for {seconds} s: is another program using it?"),
    noop("{name} has not delivered a picture for {seconds} s: is it switched on and in the network?"),
    noop("asked for {fps} fps, the camera says it gives {given}"),
    noop("asked for {mode}, the camera gives {given}"),
    # networks
    noop("{name} does not answer (waited {seconds} s)"),
    noop("{name} sends no video"),
    noop("{name} sends no picture (waited {seconds} s)"),
    noop("{name} sends no picture that can be decoded"),
    noop("{name} sends no picture"),
    noop("{name} cannot be opened: the address is not valid"),
    noop("{name} cannot be opened: it names no host"),
    noop("{name} cannot be opened: there is no host called {host}"),
    noop("{name} cannot be opened: the host {host} cannot be looked up (is this machine online?)"),
    noop("{name} cannot be opened: no encrypted connection can be made (is it {scheme}://?)"),
    noop("{name} cannot be opened: the server has nothing at this address (404)"),
    noop("{name} cannot be opened: the server answers with an error ({code})"),
    noop("{name}: addresses of this kind cannot be opened (http, https and rtsp can)"),
    noop("{name} does not accept this user name and password"),
    noop("{name} refuses the connection: nothing listens on port {port}"),
    noop("{name} refuses the connection: nothing listens on its port"),
    noop("{name} closes the connection without an answer"),
    noop("it broke off: {reason}"),
    noop("{name} broke off: {reason}"),
    noop("the server closed it"),
    noop("nothing came for {seconds} s"),
    noop("the connection was lost ({reason})"),
    noop("{name} cannot be opened: {reason}"),
    # backends
    noop("{backend} cannot be used here: {reason}"),
    noop("no {kind} can be used here: {reason}"),
    noop("no GPU: the Vulkan loader found no driver for one"),
    noop("no GPU: the WebGPU plugin sees none, although a driver lists one"),
    noop("no GPU: the only adapter is {name}, which is software; set {variable} to use it as a test device"),
    noop("no GPU: {reason}"),
    noop("no Vulkan loader: {reason}"),
    noop("no device: the plugin sees no GPU or other accelerator"),
    noop("not installed: this onnxruntime build has no {provider}: {hint}"),
    noop("not installed: {hint}"),
    noop("{provider} exists on {system} only"),
    noop("{model} does not load on {backend}: {reason}"),
    noop("{model} does not run on {backend}: {reason}"),
    noop("{model} failed on {backend}: {reason}"),
    noop("its process crashed with {signal}"),
    noop("its process ended with status {status}"),
    noop("{backend} runs {model} instead: {reason}"),
    noop("{model} has no {runtime} file: {reason}"),
    noop("no form: {reason}"),
    noop("three of its operators exist only inside MediaPipe, so plain LiteRT cannot load it"),
    # verdicts
    noop("ok"),
    noop("{model}: {backend} is the fastest here: {speed}x as fast as {base}"),
    noop("{model}: {backends} and {last} are equally fast here"),
    noop("{model}: nothing to choose: {backend} is a software GPU"),
    # the system's own reasons
    noop("no such file or directory"),
    noop("permission denied"),
    noop("no space left on device"),
    noop("No such file or directory"),
    noop("Permission denied"),
    noop("Connection refused"),
    noop("No space left on device"),
    noop("Read-only file system"),
)
CHINESE_FROM: Final = "\u2e80"
"""Letters and marks of Chinese, also the full-width closing bracket, come from here on."""
_BETWEEN_CHINESE: Final = re.compile(r"(?<=[\u2e80-\uffef]) (?=[\u2e80-\uffef])")
_LOGIN: Final = "{name} wants a user name and password: write them as scheme://user:password@host"
"""Its second half is for the command line: the window has fields for them."""
_GAP: Final = re.compile(r"\{(\w+)\}")
_OTHERWISE: Final = {_LOGIN: noop("{name} wants a user name and password")}
"""What is said in other words than below the window; the first that fits counts."""


@cache
def _templates() -> tuple[tuple[tuple[str, ...], str], ...]:
    """Each template, cut at its gaps: words and names of gaps in turn; and what is said instead of it."""
    shown = {**_OTHERWISE, **dict(zip(_FAMILIES, _FAMILIES, strict=True))}
    return tuple((tuple(_GAP.split(template)), said) for template, said in shown.items())


@cache
def _pattern(parts: tuple[str, ...]) -> re.Pattern[str]:
    # Made when a text has all of the words: to make them all takes a tenth of the time in which the window opens.
    gaps = (f"(?P<{part}>.+)" if index % 2 else re.escape(part) for index, part in enumerate(parts))
    return re.compile("".join(gaps), re.DOTALL)


# The window says why a backend cannot be used whenever a setting changes, and to look for it takes a millisecond.
@lru_cache(maxsize=512)
def _family(text: str) -> tuple[str, Mapping[str, str]] | None:
    """Find the template that a sentence was made of, and what fills its gaps."""
    for words, template in _templates():
        found = _pattern(words).fullmatch(text) if all(part in text for part in words[::2]) else None
        if found is not None:
            return template, found.groupdict()
    return None


def sentence_words(text: str) -> str:
    """Say a sentence from below the window in the window's language."""
    family = _family(text)
    if family is not None:
        template, gaps = family
        said = tr(template).format(**{name: sentence_words(value) for name, value in gaps.items()})
        # A name in Latin letters stands apart; a Chinese word that took its place does not.
        return _BETWEEN_CHINESE.sub("", said)
    if "; " in text:
        parts = text.split("; ")
        said_parts = [sentence_words(part) for part in parts]
        return ("\N{FULLWIDTH SEMICOLON}" if said_parts[0][-1:] >= CHINESE_FROM else "; ").join(said_parts)
    if text.endswith("."):
        said = sentence_words(text[:-1])
        return said + full_stop(said)
    return text


def bare(text: str) -> str:
    """Return a sentence without the full stop that it may have."""
    return text.rstrip(".\N{IDEOGRAPHIC FULL STOP}")


def full_stop(text: str) -> str:
    """Return what ends a sentence like this one: Chinese has a full stop of its own."""
    return "\N{IDEOGRAPHIC FULL STOP}" if text[-1:] >= CHINESE_FROM else "."
