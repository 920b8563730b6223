"""What a job is made of: a run may go on with the work of another one only where all of it is the same."""

from __future__ import annotations

import hashlib
import importlib.metadata
from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from pipelines.atomic import reason_of
from pipelines.config import PipelineConfig
from pipelines.errors import SourceError
from pipelines.machine import APP
from pipelines.offline.jobs import Job

HEAD: Final = 1 << 20
"""So many bytes of the input are compared; reading all of a long film would take longer than many a resumed run."""
LIBRARIES: Final = ("onnxruntime", "numpy", "opencv-python-headless", "av")


def identify(job: Job, config: PipelineConfig, options: Mapping[str, str], rows: str) -> dict[str, str]:
    """Return what decides the outputs of a job, by the name that a user knows it by.

    Parameters
    ----------
    job : Job
        The job.
    config : PipelineConfig
        What is computed. Models and backends are compared when they are loaded (`Pipeline.restore`).
    options : mapping of str to str
        Options that are in neither, such as the effect.
    rows : str
        Form of the results, "" where none are written.

    Raises
    ------
    SourceError
        If the input cannot be read.
    """
    found = {
        "version": f"{APP} with {', '.join(f'{name} {_version(name)}' for name in LIBRARIES)}",
        **_input(job),
        "-o": job.output.name if job.output is not None else "none",
        "--layers": ",".join(job.layers) or "none",
        "--results": rows or "none",
        "--start": _seconds(job.start_s),
        "--end": _seconds(job.end_s),
        "--max-frames": str(job.max_frames),
        "--crf": str(job.crf),
        "--alpha": str(job.alpha),
        "--no-audio": str(not job.sound),
    }
    values = asdict(config)
    values.pop("mode")  # decided by the file
    values.pop("parallel")  # decides when, not what
    names = {"max_faces": "--max-faces", "tasks": "--tasks", "pipeline": "--pipeline"}
    # Options before tasks: which of these run follows from what is shown.
    found.update(options)
    for key, value in values.items():
        found[names.get(key, key)] = ",".join(value) if isinstance(value, tuple) else str(value)
    return found


def difference(then: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Return the first difference in words, "" where there is none: "its --crf was 20, not 23"."""
    for name in dict.fromkeys((*now, *then)):
        before, after = then.get(name, "none"), now.get(name, "none")
        if before != after:
            return f"its {name} was {before}, not {after}"
    return ""


def _input(job: Job) -> dict[str, str]:
    if job.source:
        return {"input": job.source}
    try:
        facts = job.input.stat()
        with job.input.open("rb") as stream:
            head = hashlib.sha256(stream.read(HEAD)).hexdigest()
    except (OSError, ValueError) as error:
        raise SourceError(f"{job.input} cannot be read: {reason_of(error)}") from error
    return {
        "input's size": f"{facts.st_size} bytes",
        "input's time of change": f"{facts.st_mtime_ns / 1e9:.6f}",
        "input's beginning": f"SHA-256 {head[:16]}",
    }


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "of another package"


def _seconds(value: float | None) -> str:
    return "none" if value is None else repr(value)
