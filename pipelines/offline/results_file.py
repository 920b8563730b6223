"""Results of a file as JSON lines or CSV (docs/formats.md describes both for their readers)."""

from __future__ import annotations

import csv
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO

from models.manifest import load_manifest
from models.results import Face
from pipelines.atomic import reason_of
from pipelines.compare import ComparedResult
from pipelines.config import PipelineConfig
from pipelines.errors import ExportError
from pipelines.pipeline import FrameResult
from pipelines.records import SHARE_DIGITS, Json, frame_record, pixel_values

SUFFIXES: Final = (".jsonl", ".csv")
AGREEMENT: Final = ("overall", "landmark_px", "landmark_of_eyes", "mask_iou", "depth_rank", "faces_differ")
"""What the records say of how far two pipelines agree, in the order of the columns."""


class ResultsWriter(ABC):
    """Appends frames to a results file.

    Parameters
    ----------
    stream : TextIO
        The file, open for writing; closed by `close`.
    name : str
        What errors call it.
    extra : dict
        Keys put before those of every frame.
    """

    def __init__(self, stream: TextIO, name: str, extra: Json) -> None:
        self._stream = stream
        self._name = name
        self._extra = extra

    @abstractmethod
    def write(self, result: FrameResult) -> None:
        """Append one frame.

        Raises
        ------
        ExportError
            If the file cannot be written.
        """

    def sync(self) -> int:
        """Bring everything so far to the disk; return how many bytes the file has.

        Raises
        ------
        ExportError
            If the file cannot be written.
        """
        with self._refusals():
            self._stream.flush()
            os.fsync(self._stream.fileno())
            return os.fstat(self._stream.fileno()).st_size

    def close(self) -> None:
        """Write out what is left and close the file. Safe to call twice.

        Raises
        ------
        ExportError
            If the file cannot be written.
        """
        with self._refusals():
            self._stream.close()

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        """Name the file and the reason when the system refuses."""
        try:
            yield
        except OSError as error:
            raise ExportError(f"{self._name} cannot be written: {reason_of(error)}") from error


class JsonlWriter(ResultsWriter):
    """One JSON object a line, one line a frame."""

    def write(self, result: FrameResult) -> None:
        line = json.dumps({**self._extra, **frame_record(result)}, separators=(", ", ": "), ensure_ascii=False)
        with self._refusals():
            self._stream.write(line + "\n")


class CsvWriter(ResultsWriter):
    """One row for each face of a frame, and one row with empty face columns for a frame without faces.

    Spreadsheets stop at 16,384 columns, which rules out all faces of a frame in one row: eleven would be too many.
    The head is written with the first frame, which tells whether two pipelines are compared.
    """

    def __init__(self, stream: TextIO, name: str, extra: Json, config: PipelineConfig, head: bool = True) -> None:
        super().__init__(stream, name, extra)
        self._tasks = config.tasks
        self._points = landmark_count(config) if "face" in config.tasks else 0
        self._rows = csv.writer(stream, lineterminator="\n")
        self._needs_head = head

    def _columns(self, compared: bool) -> list[str]:
        columns = ["frame", "time_s", "width", "height"]
        if "face" in self._tasks:
            columns += ["faces", "face", "score", "x0", "y0", "x1", "y1"]
        if "segmentation" in self._tasks:
            columns += ["coverage"]
        if "depth" in self._tasks:
            columns += ["depth_p05", "depth_p50", "depth_p95"]
        columns += [f"ms_{name}" for name in (*self._tasks, "total")]
        columns += [f"pipeline_{name}" for name in self._tasks]
        if compared:
            columns += [f"agree_{name}" for name in AGREEMENT]
            columns += [f"b_ms_{name}" for name in (*self._tasks, "total")]
            columns += [f"b_pipeline_{name}" for name in self._tasks]
        return columns + [f"{axis}_{point}" for point in range(self._points) for axis in "xyz"]

    def write(self, result: FrameResult) -> None:
        if self._needs_head:
            self._needs_head = False
            self._write_row([*self._extra, *self._columns(isinstance(result, ComparedResult))])
        record = frame_record(result)
        faces = result.faces.faces if result.faces is not None else ()
        for number, face in enumerate(faces):
            self._write_row(self._row(record, len(faces), number, face))
        if not faces:
            self._write_row(self._row(record, 0, None, None))

    def _row(self, record: Json, count: int, number: int | None, face: Face | None) -> list[object]:
        row: list[object] = [*self._extra.values(), *(record[key] for key in ("frame", "time_s", "width", "height"))]
        if "face" in self._tasks:
            row.append(count)
            if face is None:
                row += [""] * 6
            else:
                row += [number, round(face.score, SHARE_DIGITS), *pixel_values(face.box_xyxy)]
        for key in ("segmentation", "depth", "timing_ms", "pipeline"):
            values = record.get(key)
            if isinstance(values, dict):
                row += values.values()
        agreement = record.get("agreement")
        if isinstance(agreement, dict):
            row += [agreement[name] for name in AGREEMENT]
            row += [*agreement["timing_ms"].values(), *agreement["pipeline"].values()]
        landmarks = [""] * (3 * self._points) if face is None else pixel_values(face.landmarks.reshape(-1))
        return row + landmarks

    def _write_row(self, row: Sequence[object]) -> None:
        with self._refusals():
            self._rows.writerow(row)


def landmark_count(config: PipelineConfig) -> int:
    """Number of points that the configured landmark model gives, from its manifest."""
    manifest = load_manifest(config.models.get("landmarks", "face_mesh"))
    return next(spec.shape[1] for spec in manifest.outputs if spec.name == "landmarks")


def open_results(
    path: Path, final: Path, config: PipelineConfig, extra: Json | None = None, go_on: bool = False
) -> ResultsWriter:
    """Open a results file.

    Parameters
    ----------
    path : Path
        File to write.
    final : Path
        The name it will have; its suffix, .jsonl or .csv, decides the format.
    config : PipelineConfig
        Which tasks run, and with which models: decides the columns of a CSV file.
    extra : dict, optional
        Keys put before those of every frame, such as the name of the input where one file holds several.
    go_on : bool
        Append to what the file holds already.

    Raises
    ------
    ExportError
        If the suffix is unknown or the file cannot be written.
    """
    suffix = final.suffix.lower()
    if suffix not in SUFFIXES:
        raise ExportError(f"{final}: results are written as {' or '.join(SUFFIXES)}")
    try:
        # A byte order mark makes spreadsheets read UTF-8; names of inputs may be in any script.
        encoding = "utf-8-sig" if suffix == ".csv" and extra else "utf-8"
        # A name that is no text keeps its odd bytes as "\udcff", which JSON reads as what Python calls such a file.
        stream = path.open("a" if go_on else "w", encoding=encoding, errors="backslashreplace", newline="")
    except OSError as error:
        raise ExportError(f"{final} cannot be written: {reason_of(error)}") from error
    if suffix == ".csv":
        return CsvWriter(stream, str(final), extra or {}, config, head=not go_on)
    return JsonlWriter(stream, str(final), extra or {})
