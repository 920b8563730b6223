"""What the user wants of every file of the queue, and where it goes. Plain values, for two processes: no Qt here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, fields
from itertools import count
from pathlib import Path
from typing import Any, Final

from app.i18n import tr
from pipelines.atomic import PART_PREFIX
from pipelines.config import TASKS, PipelineConfig
from pipelines.errors import ConfigError
from pipelines.export import LAYER_TASK, LAYERS, PICTURE_SUFFIXES
from pipelines.offline.formats import DEFAULT_CRF, DEFAULT_SUFFIX, FORMATS, SEQUENCE_SUFFIX, WORST_CRF
from pipelines.offline.plan import INFIX, Request, is_still
from pipelines.offline.results_file import SUFFIXES as RESULTS_SUFFIXES
from pipelines.overlay.effects import picture_path

TRANSPARENT: Final = "transparent"
"""Stands among the effects: the person alone, as --alpha."""
NUMBERED: Final = SEQUENCE_SUFFIX
"""Among the formats of videos: numbered pictures."""
PATTERN: Final = "%06d.png"


@dataclass(frozen=True, slots=True)
class ProcessOptions:
    """What becomes of every file.

    Parameters
    ----------
    folder : str
        Where everything goes; "" for the folder of each file.
    video : bool
        Write the annotated video or picture.
    format : str
        Suffix that videos are written as; `NUMBERED` for numbered pictures. Pictures keep their kind.
    crf : int
        Quality of videos, 1 (best) to 51, where the format has such a scale.
    sound : bool
        Bring over sound and subtitles.
    results : str
        ".jsonl" or ".csv" to write what was found; "" for no such file.
    layers : tuple of str
        Layers to write.
    tasks, pipeline, models, max_faces, smooth
        As in `PipelineConfig`.
    effect : str
        As in --effect, or `TRANSPARENT`.
    style : mapping of str to str, float or bool
        How results are drawn, as in `app.settings.Settings`.
    replace : bool
        Replace files of an earlier run; otherwise new ones get a number. Inputs are never replaced.

    Raises
    ------
    ConfigError
        If a value is none that can be used. Values that do not go together are told by `problem`.
    """

    folder: str = ""
    video: bool = True
    format: str = DEFAULT_SUFFIX
    crf: int = DEFAULT_CRF
    sound: bool = True
    results: str = ""
    layers: tuple[str, ...] = ()
    tasks: tuple[str, ...] = TASKS
    pipeline: str = "auto"
    models: Mapping[str, str] = field(default_factory=dict)
    max_faces: int = 2
    smooth: bool = True
    effect: str = "none"
    style: Mapping[str, str | float | bool] = field(default_factory=dict)
    replace: bool = False

    def __post_init__(self) -> None:
        wrong = (
            ("format", self.format not in (*FORMATS, NUMBERED)),
            ("crf", not 1 <= self.crf <= WORST_CRF),
            ("results", self.results not in ("", *RESULTS_SUFFIXES)),
            ("layers", not set(self.layers) <= set(LAYERS)),
            ("tasks", not set(self.tasks) <= set(TASKS)),
        )
        for name, is_wrong in wrong:
            if is_wrong:
                raise ConfigError(f"the option {name} cannot be {getattr(self, name)!r}")

    @property
    def alpha(self) -> bool:
        """Whether the background is transparent."""
        return self.effect == TRANSPARENT

    def possible_layers(self) -> tuple[str, ...]:
        """The layers that were chosen and whose task is on."""
        return tuple(name for name in self.layers if LAYER_TASK.get(name) in (None, *self.tasks))

    def problem(self) -> str:
        """Say in one sentence why this cannot be done; "" when it can."""
        if not self.tasks:
            return tr("Choose at least one task.")
        if not (self.video or self.results or self.layers):
            return tr("Choose at least one thing to write.")
        missing = set(self.layers) - set(self.possible_layers())
        if missing:
            return tr("The layer {layer} needs a task that is off.").format(layer=min(missing))
        if self.video and self.effect != "none" and "segmentation" not in self.tasks:
            return tr("The background can only be changed with the task Person.")
        if self.video and self.alpha and not holds_alpha(self.format):
            return tr("{format} holds no transparency: choose another format.").format(format=format_name(self.format))
        return ""

    def config(self) -> PipelineConfig:
        """Return what the pipelines compute.

        Raises
        ------
        ConfigError
            If that is impossible.
        """
        return PipelineConfig(
            tasks=self.tasks,
            pipeline=self.pipeline,
            models=self.models,
            max_faces=self.max_faces,
            smooth=self.smooth,
        )


def to_record(options: ProcessOptions) -> dict[str, Any]:
    """Return options as JSON can hold them."""
    return asdict(options)


def from_record(record: Mapping[str, Any]) -> ProcessOptions:
    """Return the options of a record; what it does not tell has its default, what is unknown is left out.

    Raises
    ------
    ConfigError
        If a value is none that can be used.
    """
    known = {item.name: type(getattr(ProcessOptions(), item.name)) for item in fields(ProcessOptions)}
    values: dict[str, Any] = {}
    for name, value in record.items():
        wanted = known.get(name)
        if wanted is None:
            continue
        found = tuple(value) if wanted is tuple and isinstance(value, list) else value
        if type(found) is not wanted:
            raise ConfigError(f"the option {name} cannot be {value!r}")
        values[name] = found
    return ProcessOptions(**values)


def format_name(suffix: str) -> str:
    """What to call a format of videos: "MP4", "Numbered pictures"."""
    return tr("Numbered pictures") if suffix == NUMBERED else FORMATS[suffix].name


def holds_alpha(suffix: str) -> bool:
    """Whether a format of videos can be transparent."""
    return suffix == NUMBERED or FORMATS[suffix].alpha is not None


def has_quality(suffix: str, alpha: bool) -> bool:
    """Whether a format of videos has a scale of quality."""
    if suffix == NUMBERED:
        return False
    kind = FORMATS[suffix]
    coding = kind.alpha if alpha else kind.coding
    return coding is not None and coding.worst > 0


def has_sound(suffix: str) -> bool:
    """Whether a format of videos holds sound."""
    return suffix != NUMBERED and FORMATS[suffix].sound


@dataclass(frozen=True, slots=True)
class Outputs:
    """Files that a job writes.

    Parameters
    ----------
    video : Path or None
        Annotated video or picture, or the pattern of numbered pictures.
    results : Path or None
        Results file.
    layers_dir : Path or None
        Folder of the layers.
    """

    video: Path | None
    results: Path | None
    layers_dir: Path | None

    @property
    def pictures_dir(self) -> Path | None:
        """The folder of numbered pictures, None where none are written."""
        return self.video.parent if self.video is not None and self.video.name == PATTERN else None

    def places(self) -> tuple[Path, ...]:
        """What appears in the folder: files, and folders of pictures."""
        video = self.pictures_dir or self.video
        return tuple(path for path in (video, self.results, self.layers_dir) if path is not None)

    def to_record(self) -> dict[str, str | None]:
        """Return them as JSON can hold them."""
        return {item.name: str(path) if (path := getattr(self, item.name)) else None for item in fields(self)}

    @classmethod
    def from_record(cls, record: Mapping[str, str | None]) -> Outputs:
        """Return the outputs of a record."""
        return cls(**{name: Path(path) if path else None for name, path in record.items()})


def outputs_for(path: Path, options: ProcessOptions, number: int = 1) -> Outputs:
    """Return where the outputs of a file go.

    Parameters
    ----------
    path : Path
        The input.
    options : ProcessOptions
        What is wanted.
    number : int
        1, or the number that is added to the names as in "clip-2.twinlens.mp4".
    """
    folder = Path(options.folder) if options.folder else path.parent
    stem = f"{path.stem}-{number}{INFIX}" if number > 1 else f"{path.stem}{INFIX}"
    video: Path | None = None
    if options.video and is_still(path):
        keeps = path.suffix.lower() in PICTURE_SUFFIXES and not options.alpha
        video = folder / (stem + (path.suffix.lower() if keeps else SEQUENCE_SUFFIX))
    elif options.video:
        video = folder / stem / PATTERN if options.format == NUMBERED else folder / (stem + options.format)
    return Outputs(
        video,
        folder / (stem + options.results) if options.results else None,
        folder / f"{stem}.layers" if options.layers else None,
    )


def free_outputs(path: Path, options: ProcessOptions, taken: Collection[str]) -> Outputs:
    """Return outputs whose names are free: looks at the disk.

    Parameters
    ----------
    path : Path
        The input.
    options : ProcessOptions
        What is wanted. With `replace`, what is there already does not count.
    taken : collection of str
        Files that other inputs of the same queue were written to: never replaced.
    """
    for number in count(1):
        outputs = outputs_for(path, options, number)
        places = outputs.places()
        if any(str(place) in taken for place in places):
            continue
        if options.replace or not any(_is_taken(place) for place in places):
            return outputs
    raise AssertionError("there is always a free number")


def _is_taken(place: Path) -> bool:
    """Whether there is something of this name. A folder with nothing but the work of a run that broke off is free."""
    if not place.is_dir() or place.is_symlink():
        return place.exists() or place.is_symlink()
    try:
        return any(not entry.name.startswith(PART_PREFIX) for entry in place.iterdir())
    except OSError:
        return True


def request_for(path: Path, options: ProcessOptions, outputs: Outputs) -> Request:
    """Return what the offline engine is asked for."""
    moving = not is_still(path)
    background = picture_path(options.effect)
    return Request(
        inputs=(path,),
        out=outputs.video,
        video=options.video,
        results=outputs.results,
        layers=tuple(name for name in LAYERS if name in options.layers),
        layers_dir=outputs.layers_dir,
        tasks=options.tasks,
        overwrite=options.replace,
        resume=True,
        sound=options.sound,
        crf=options.crf if options.video and moving and has_quality(options.format, options.alpha) else None,
        alpha=options.alpha and options.video,
        also_read=(background,) if background is not None else (),
    )
