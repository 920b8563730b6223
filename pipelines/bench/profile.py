"""Where the time of a model goes: ONNX Runtime's own profile, as a trace to look at and as a list of operators."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from models.errors import VisionError
from models.manifest import load_manifest
from pipelines.atomic import reason_of
from pipelines.backends.ort import OrtSession, profiling_to
from pipelines.bench.contenders import Contender
from pipelines.bench.model_runs import Image
from pipelines.errors import BackendError, ExportError

RUNS: Final = 20
WARMUP: Final = 3
"""Runs that are in the trace and not in the sums."""
TOP: Final = 5


@dataclass(frozen=True, slots=True)
class Profile:
    """Time of a model by operator.

    Parameters
    ----------
    model, backend, kind : str
        What was profiled, on what, and whether that is a "cpu" or a "gpu".
    path : Path
        The trace, in the format of Chrome's about:tracing and of Perfetto.
    operators : tuple of (str, float)
        Operators with their milliseconds a run, the largest first. On a GPU it is the time in which the processor
        hands the work over, for the runtime does not measure the GPU's own.
    """

    model: str
    backend: str
    kind: str
    path: Path
    operators: tuple[tuple[str, float], ...]

    def sentence(self) -> str:
        """Return the operators that take most of the time, as one line."""
        total = sum(ms for _, ms in self.operators)
        shares = ", ".join(f"{name} {ms / total:.0%}" for name, ms in self.operators[:TOP]) if total else "no operator"
        what = "handing over to the GPU" if self.kind == "gpu" else "in operators"
        return f"{self.model} on {self.backend}: {total:.2f} ms a run {what}: {shares} ({self.path})"


def profile_model(model: str, inputs: Sequence[Image], contender: Contender, folder: Path, threads: int = 1) -> Profile:
    """Run a model with the runtime's profiler on, and leave its trace in a folder.

    Parameters
    ----------
    model : str
        Name of the model.
    inputs : sequence of ndarray of uint8, shape (1, H, W, 3)
        Given one after the other.
    contender : Contender
        Where.
    folder : Path
        Existing folder; the trace is called MODEL.BACKEND.json.
    threads : int
        Threads of the session.

    Raises
    ------
    VisionError
        If the backend has no profiler or does not run the model, or the trace cannot be written.
    """
    backend = contender.backend
    path = folder / f"{model}.{backend.id.replace(':', '-')}.json"
    with profiling_to(folder / f".{path.stem}"):
        session = backend.open(load_manifest(model), threads)
    try:
        if not isinstance(session, OrtSession):
            raise BackendError(f"{backend.id} has no profiler: {model} was measured there without a profile")
        for number in range(WARMUP + RUNS):
            session.run(inputs[number % len(inputs)])
        written = session.end_profile()
    finally:
        session.close()
    try:
        written.replace(path)
        events = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ExportError(f"{path} cannot be written: {reason_of(error)}") from error
    return Profile(model, backend.id, backend.kind, path, operator_times(events, RUNS))


def operator_times(events: Sequence[dict[str, Any]], runs: int) -> tuple[tuple[str, float], ...]:
    """Return the mean milliseconds of each operator in the last `runs` runs of a trace, the largest first.

    Parameters
    ----------
    events : sequence of dict
        Trace events of ONNX Runtime: times in microseconds, an operator's with the category "Node".
    runs : int
        How many runs to take from the end.
    """
    starts = sorted(event["ts"] for event in events if event.get("name") == "model_run")[-runs:]
    times: dict[str, float] = {}
    for event in events:
        if event.get("cat") == "Node" and starts and event["ts"] >= starts[0]:
            name = event["args"].get("op_name", "other")
            times[name] = times.get(name, 0.0) + event["dur"] / 1e3 / len(starts)
    return tuple(sorted(times.items(), key=lambda item: -item[1]))


def profile_all(
    found: dict[tuple[str, str], list[Image]], field: Sequence[Contender], folder: Path, threads: int = 1
) -> tuple[list[Profile], list[str]]:
    """Profile every model on every backend.

    Parameters
    ----------
    found : dict of (str, str) to list of ndarray
        Inputs by task and model (see `record_inputs`).
    field : sequence of Contender
        Who is profiled.
    folder : Path
        Existing folder for the traces.
    threads : int
        Threads of each session.

    Returns
    -------
    profiles : list of Profile
        What was profiled.
    failures : list of str
        One sentence for each that could not be.
    """
    profiles: list[Profile] = []
    failures: list[str] = []
    for (_, model), inputs in found.items():
        for contender in field:
            try:
                profiles.append(profile_model(model, inputs, contender, folder, threads))
            except VisionError as error:
                failures.append(str(error))
    return profiles, failures
