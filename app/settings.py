"""What the window remembers, kept in one JSON file."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from platformdirs import user_config_path, user_pictures_path

from app.addresses import kept
from models.errors import VisionError
from pipelines.atomic import write_file
from pipelines.config import TASKS, PipelineConfig
from pipelines.errors import ConfigError

log = logging.getLogger(__name__)

VERSION: Final = 1
FIGURE_SIZES: Final = ("off", "compact", "full")
FIGURE_CORNERS: Final = ("top_left", "top_right", "bottom_left", "bottom_right")
THEMES: Final = ("system", "light", "dark")
LANGUAGES: Final = ("system", "en", "zh_TW", "zh_CN")
COMPARISONS: Final = ("off", "split", "alternate")
"""Values of `CompareMode`, in the order in which the window offers them."""
RECENT_FILES: Final = 8


class SettingsError(VisionError):
    """The settings file holds something that cannot be used."""


class NewerSettingsError(SettingsError):
    """The settings file is one of a later version of the program."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything the window remembers. Immutable: a change makes a new value.

    Parameters
    ----------
    source : str
        SRC of the last source; "" before the first.
    camera_mode : str
        Mode wanted of a camera, such as "1280x720@30"; "" for the camera's own choice.
    recent : tuple of str
        Files, folders and addresses opened last, the newest first.
    tasks, pipeline, models, max_faces, smooth
        As in `PipelineConfig`.
    style : mapping of str to str, float or bool
        Fields of `OverlayStyle` that differ from its defaults; enums by their value.
    effect : str
        What stands behind the person, as in --effect.
    mirror : bool
        Show cameras as a mirror does.
    loop : bool
        Begin files again after their end.
    figures : str
        Size of the figures on the picture: "off", "compact" or "full".
    figures_corner : str
        Corner of the picture they lie in, one of `FIGURE_CORNERS`.
    figures_on_screenshot : bool
        Whether screenshots and recordings carry the figures.
    record_plain : bool
        Record the frames as the source gives them, without drawings.
    unfolded : tuple of str
        Tasks whose card in the side panel shows everything.
    panel, strip : bool
        Whether the side panel and the performance strip are unfolded.
    folder : str
        Where screenshots go; "" for a folder of ours among the user's pictures.
    theme : str
        "system", "light" or "dark".
    language : str
        One of `LANGUAGES`.
    compare : str
        How a second pipeline is compared with the first: "off", "split" or "alternate".
    pipeline_b : str
        What the second pipeline runs on, as `pipeline`; "" before one was chosen.
    processing : mapping of str to str, int, bool or list
        What was chosen last for the files of "Process files" (see `app.processing.options`).
    places : mapping of str to str
        Folders in which something was chosen last, by its kind (see `app.file_dialogs`).
    geometry : str
        Place and size of the window, base64 of Qt's own format.
    """

    source: str = ""
    camera_mode: str = ""
    recent: tuple[str, ...] = ()
    tasks: tuple[str, ...] = TASKS
    pipeline: str = "auto"
    models: Mapping[str, str] = field(default_factory=dict)
    max_faces: int = 2
    smooth: bool = True
    style: Mapping[str, str | float | bool] = field(default_factory=dict)
    effect: str = "none"
    mirror: bool = True
    loop: bool = True
    figures: str = "full"
    figures_corner: str = "top_left"
    figures_on_screenshot: bool = False
    record_plain: bool = False
    unfolded: tuple[str, ...] = ()
    panel: bool = True
    strip: bool = True
    folder: str = ""
    theme: str = "system"
    language: str = "system"
    compare: str = "off"
    pipeline_b: str = ""
    processing: Mapping[str, str | int | bool | list[str]] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    geometry: str = ""

    def __post_init__(self) -> None:
        for name, check in _CHECKS.items():
            if not check(getattr(self, name)):
                raise SettingsError(f"the setting {name!r} cannot be {getattr(self, name)!r}")

    def with_recent(self, path: str) -> Settings:
        """Return settings with `path` as the newest of the recent files; an address without its secrets."""
        path = kept(path)
        others = tuple(item for item in self.recent if item != path)
        return replace(self, recent=(path, *others)[:RECENT_FILES])

    def screenshot_folder(self) -> Path:
        """Folder for screenshots; it need not exist."""
        return Path(self.folder) if self.folder else user_pictures_path() / "Twinlens"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_base64(value: object) -> bool:
    return isinstance(value, str) and value.isascii()


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _are_texts(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(item, str) for item in value)


def _are_tasks(value: object) -> bool:
    if not isinstance(value, tuple) or not value:
        return False
    return value == tuple(name for name in TASKS if name in value)


def _is_pipeline(value: object) -> bool:
    try:
        PipelineConfig(pipeline=value)  # type: ignore[arg-type]
    except (ConfigError, AttributeError):
        return False
    return value != ""


def _is_mapping(value: object, *kinds: type) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(key, str) and isinstance(item, kinds) for key, item in value.items()
    )


_CHECKS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "source": _is_text,
    "camera_mode": _is_text,
    "recent": _are_texts,
    "tasks": _are_tasks,
    "pipeline": _is_pipeline,
    "models": lambda value: _is_mapping(value, str),
    "max_faces": lambda value: type(value) is int and 1 <= value <= 100,
    "smooth": _is_flag,
    "style": lambda value: _is_mapping(value, str, int, float, bool),
    "effect": lambda value: isinstance(value, str) and value != "",
    "mirror": _is_flag,
    "loop": _is_flag,
    "figures": lambda value: value in FIGURE_SIZES,
    "figures_corner": lambda value: value in FIGURE_CORNERS,
    "figures_on_screenshot": _is_flag,
    "record_plain": _is_flag,
    "unfolded": _are_texts,
    "panel": _is_flag,
    "strip": _is_flag,
    "folder": _is_text,
    "theme": lambda value: value in THEMES,
    "language": lambda value: value in LANGUAGES,
    "compare": lambda value: value in COMPARISONS,
    "pipeline_b": lambda value: value == "" or _is_pipeline(value),
    "processing": lambda value: _is_mapping(value, str, int, bool, list),
    "places": lambda value: _is_mapping(value, str),
    "geometry": _is_base64,
}


def default_path() -> Path:
    """Where the settings live on this system."""
    return user_config_path("twinlens", appauthor=False) / "settings.json"


def to_json(settings: Settings) -> str:
    """Return the text of the settings file, in which no password stands."""
    document = {"version": VERSION, **asdict(settings), "source": kept(settings.source)}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def from_json(text: str) -> Settings:
    """Read the text of a settings file. Keys it does not know are ignored, keys that are missing get defaults.

    Raises
    ------
    SettingsError
        If it is no JSON object, has another version, or a value that cannot be used.
    NewerSettingsError
        If its version is a later one.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"not JSON: {error}") from None
    if not isinstance(document, dict):
        raise SettingsError("not a JSON object")
    version = document.get("version")
    if version != VERSION:
        is_newer = type(version) is int and version > VERSION
        raise (NewerSettingsError if is_newer else SettingsError)(f"version {version!r} instead of {VERSION}")
    known = {item.name for item in fields(Settings)}
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in document.items() if key in known
    }
    return Settings(**values)


def load(path: Path) -> tuple[Settings, str]:
    """Read the settings.

    Returns
    -------
    Settings
        What the file says, or the defaults where there is none or it cannot be used.
    str
        A sentence for the user if the file could not be used, else "". A broken file is kept as `<name>.broken`, one of
        a later version as `<name>.newer`.
    """
    try:
        # Some editors begin a text with a mark of its encoding.
        return from_json(path.read_text(encoding="utf-8-sig")), ""
    except FileNotFoundError:
        return Settings(), ""
    except OSError as error:
        return Settings(), f"The settings cannot be read ({error.strerror or error}); the defaults are used."
    except (SettingsError, UnicodeDecodeError) as error:
        log.warning("%s: %s", path, error)
        is_newer = isinstance(error, NewerSettingsError)
        kept = path.with_name(path.name + (".newer" if is_newer else ".broken"))
        try:
            path.replace(kept)
        except OSError as failure:
            log.warning("%s cannot be set aside: %s", path, failure)
            what = "is of a later version of Twinlens" if is_newer else "is damaged"
            return Settings(), f"The settings file {what}; the defaults are used."
        what = "is of a later version of Twinlens" if is_newer else "was damaged"
        return Settings(), f"The settings file {what} and is kept as {kept.name}; the defaults are used."


def save(settings: Settings, path: Path) -> None:
    """Write the settings in one step: a crash leaves the old file or the new one, never half of one.

    Raises
    ------
    SettingsError
        If the folder cannot be made.
    ExportError
        If the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(
            f"the settings cannot be kept: {path.parent} cannot be made: {error.strerror or error}"
        ) from error
    # A name that is no text: JSON reads "\udcff" as what Python calls its odd bytes.
    write_file(path, to_json(settings).encode(errors="backslashreplace"), overwrite=True)
