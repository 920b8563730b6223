"""What a user says about a network: on the command line, or in a TOML file beside it."""

from __future__ import annotations

import stat
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from models.errors import ModelError
from models.manifest_fields import Table

TASKS: Final = ("depth", "segmentation", "face")
LAYOUTS: Final = ("NCHW", "NHWC")
COLORS: Final = ("RGB", "BGR")
MEANINGS: Final = {
    "depth": ("inverse-depth", "distance"),
    "segmentation": ("probability", "logits", "softmax", "classes"),
    "face": ("pixels", "unit"),
}
"""By task, what an output may mean.

depth: larger is nearer, or larger is farther. segmentation: one map in [0, 1]; one map before its sigmoid; one map a
class before their softmax; the number of the class. face: landmarks in pixels of the input, or in shares of it.
"""


@dataclass(frozen=True, slots=True)
class Request:
    """A wish to add a network. What is None is read from the file, taken from the preset, or guessed and said.

    Parameters
    ----------
    file : Path
        The ONNX file.
    task : str or None
        "depth", "segmentation" or "face"; must be known in the end.
    name, title, licence : str or None
        Identifier, name for people, SPDX identifier.
    preset : str or None
        Family of networks, see `presets`.
    input_size : tuple of int or None
        Width and height in pixels.
    layout, color : str or None
        "NCHW" or "NHWC"; "RGB" or "BGR".
    pixel_max : float or None
        What a pixel value of 255 becomes before mean and std: 1 or 255.
    mean, std : tuple of float or None
        One or three values in the order of `color`: the network is fed ``(pixel / 255 * pixel_max - mean) / std``.
    output : tuple of str or None
        Names of the outputs to read: one, for a face the landmarks and the score.
    meaning : str or None
        One of `MEANINGS` of the task.
    person_class : int or None
        Number of the class "person" where the output has several.
    """

    file: Path
    task: str | None = None
    name: str | None = None
    title: str | None = None
    licence: str | None = None
    preset: str | None = None
    input_size: tuple[int, int] | None = None
    layout: str | None = None
    color: str | None = None
    pixel_max: float | None = None
    mean: tuple[float, ...] | None = None
    std: tuple[float, ...] | None = None
    output: tuple[str, ...] | None = None
    meaning: str | None = None
    person_class: int | None = None

    def over(self, other: Request) -> Request:
        """Return this request, completed with what only `other` says."""
        missing: dict[str, Any] = {
            item.name: getattr(other, item.name) for item in fields(self) if getattr(self, item.name) is None
        }
        return replace(self, **missing)


def check_file(path: Path) -> None:
    """Refuse what is no ordinary file. Opening a pipe would wait for a writer.

    Raises
    ------
    ModelError
        If there is nothing, or something else, of this name.
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise ModelError(f"{path}: there is no such file") from None
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from error
    if not stat.S_ISREG(mode):
        raise ModelError(f"{path}: this is {'a folder' if stat.S_ISDIR(mode) else 'a pipe or a device'}, not a file")


def read_request(path: Path) -> Request:
    """Read a TOML file that describes a network.

    Its fields are those of `Request`; `file` is relative to it and by default the file of the same name with the suffix
    ``.onnx``.

    Raises
    ------
    ModelError
        If it cannot be read, is no TOML, or has a field that is unknown or of the wrong form.
    """
    check_file(path)
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"{path}: this is not valid TOML: {error}") from None
    table = Table(path, "", document)

    def text(key: str, choices: tuple[str, ...] = ()) -> str | None:
        return table.text(key, choices=choices) if key in document else None

    def numbers(key: str) -> tuple[float, ...] | None:
        return table.numbers(key, default=()) if key in document else None

    size = table.integers("input_size") if "input_size" in document else None
    if size is not None and len(size) != 2:
        raise table.error("the field 'input_size' must be [width, height]")
    request = Request(
        file=path.parent / table.text("file", default=path.with_suffix(".onnx").name),
        task=text("task", TASKS),
        name=text("name"),
        title=text("title"),
        licence=text("licence"),
        preset=text("preset"),
        input_size=None if size is None else (size[0], size[1]),
        layout=text("layout", LAYOUTS),
        color=text("color", COLORS),
        pixel_max=table.number("pixel_max") if "pixel_max" in document else None,
        mean=numbers("mean"),
        std=numbers("std"),
        output=table.texts("output") if "output" in document else None,
        meaning=text("meaning"),
        person_class=table.integer("person_class") if "person_class" in document else None,
    )
    table.finish()
    return request
