"""What the user asked for, and the jobs that come of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pipelines.config import TASKS
from pipelines.offline.formats import DEFAULT_CRF, is_sequence


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked for.

    Parameters
    ----------
    inputs : tuple of Path
        Files and folders.
    out : Path or None
        Output file or folder; None to write beside the input.
    out_is_folder : bool
        The user wrote a separator at its end.
    video : bool
        Write annotated videos and pictures.
    results : Path or None
        Results file.
    layers : tuple of str
        Layers to write, of `LAYERS`.
    layers_dir : Path or None
        Where they go.
    tasks : tuple of str
        Tasks that run.
    start_s, end_s : float or None
        Only frames with start_s <= time < end_s.
    max_frames : int or None
        At most so many frames.
    overwrite : bool
        Existing outputs may be replaced.
    sound : bool
        Bring over sound and subtitles.
    crf : int or None
        Quality of videos, 1 (best) to 51; None for the usual one.
    alpha : bool
        The background is transparent.
    resume : bool
        Go on with what an earlier run left unfinished; finished outputs stay as they are.
    report : Path or None
        What becomes of each input is written there by the caller.
    also_read : tuple of Path
        Files that are read beside the inputs, such as a picture for the background: never replaced.
    """

    inputs: tuple[Path, ...]
    out: Path | None = None
    out_is_folder: bool = False
    video: bool = True
    results: Path | None = None
    layers: tuple[str, ...] = ()
    layers_dir: Path | None = None
    tasks: tuple[str, ...] = TASKS
    start_s: float | None = None
    end_s: float | None = None
    max_frames: int | None = None
    overwrite: bool = False
    sound: bool = True
    crf: int | None = None
    alpha: bool = False
    resume: bool = False
    report: Path | None = None
    also_read: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """One input and what becomes of it.

    Parameters
    ----------
    input : Path
        File to read.
    still : bool
        It is one picture.
    output : Path or None
        Annotated video or picture; for a video also a pattern such as `out/%06d.png` for numbered pictures.
    layers : tuple of str
        Layers to write.
    layers_dir : Path or None
        Folder that gets one folder for each layer.
    start_s, end_s, max_frames
        As in `Request`.
    overwrite : bool
        Existing outputs may be replaced.
    sound : bool
        Bring over sound and subtitles.
    crf : int
        Quality of videos, 1 (best) to 51.
    alpha : bool
        The pictures are transparent.
    resume : bool
        Go on where an earlier run of the same job broke off, and keep the work when this one does.
    source : str
        What to read where it is no file, such as "demo"; `input` is then its name only.
    """

    input: Path
    still: bool = False
    output: Path | None = None
    layers: tuple[str, ...] = ()
    layers_dir: Path | None = None
    start_s: float | None = None
    end_s: float | None = None
    max_frames: int | None = None
    overwrite: bool = False
    sound: bool = True
    crf: int = DEFAULT_CRF
    alpha: bool = False
    resume: bool = False
    source: str = ""

    @property
    def is_sequence(self) -> bool:
        """Whether it turns a video into numbered pictures."""
        return not self.still and self.output is not None and is_sequence(self.output)

    @property
    def writes_files(self) -> bool:
        """Whether it has outputs of its own, beside its rows in the results file."""
        return self.output is not None or bool(self.layers)
