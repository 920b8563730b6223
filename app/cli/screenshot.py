"""`twinlens screenshot`: one frame of a source with what was found on it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from app.cli.base import COMMANDS, DEFAULT_FACES, DEFAULT_PIPELINE, add_pipeline_options, chosen_models
from app.cli.idle_options import tell, without_task
from app.cli.values import file_path, layer_list, seconds
from pipelines.atomic import PartFile, check_writable, reason_of
from pipelines.config import PipelineConfig, RunningMode
from pipelines.errors import ConfigError, ExportError, SourceError
from pipelines.export import LAYER_TASK, LAYERS, encode_layer, encode_picture, layer_path, result_text, with_png_text
from pipelines.frame import Frame
from pipelines.machine import APP
from pipelines.offline.collisions import check_apart
from pipelines.overlay import OverlayStyle, draw_results
from pipelines.pipeline import FrameResult, Pipeline
from pipelines.sources import make_source
from pipelines.sources.paths import is_folder, local_path


@COMMANDS.register("screenshot")
class ScreenshotCommand:
    """Write one annotated frame, and its layers beside it."""

    help = "write one frame of a source, annotated, with layers"

    def __init__(self) -> None:
        self._parser: argparse.ArgumentParser | None = None

    def configure(self, parser: argparse.ArgumentParser) -> None:
        self._parser = parser
        parser.add_argument(
            "source", metavar="SRC", help="camera, camera:N, camera:NAME, a file, a folder, a URL, demo"
        )
        parser.add_argument(
            "-o", "--output", type=file_path, required=True, metavar="FILE.png", help="picture to write"
        )
        parser.add_argument(
            "--layers",
            type=layer_list,
            default=("overlay",),
            metavar="LIST",
            help=f"{', '.join(LAYERS)} (default: overlay). FILE.png shows the overlay, or the plain frame if it is not "
            "listed; the others go to FILE-mask.png, FILE-depth.png (16 bit) and FILE-landmarks.json",
        )
        parser.add_argument(
            "--at", type=seconds, metavar="S", help="take the first frame at or after S seconds, or 1:02:03.5"
        )
        add_pipeline_options(parser)
        parser.add_argument("--overwrite", action="store_true", help="replace existing files")

    def run(self, args: argparse.Namespace) -> int:
        config = self._check_usage(args)
        extra = [layer for layer in args.layers if layer != "overlay"]
        paths = [args.output, *(layer_path(args.output, layer) for layer in extra)]
        check_apart(files_of(args.source), paths)
        for path in paths:
            check_writable(path, args.overwrite)
        tell(without_task(args))
        frame = take_frame(args.source, args.at)
        with Pipeline(config) as pipeline:
            result = pipeline.process(frame)
        write_files(paths, picture_files(result, args.layers), args.overwrite)
        for path in paths:
            print(path)
        return 0

    def _check_usage(self, args: argparse.Namespace) -> PipelineConfig:
        assert self._parser is not None
        if args.output.suffix.lower() != ".png":
            self._parser.error(f"{args.output}: a screenshot is written as .png")
        for layer in args.layers:
            task = LAYER_TASK.get(layer)
            if task is not None and task not in args.tasks:
                self._parser.error(f"the layer {layer} needs the task {task}")
        try:
            return PipelineConfig(
                tasks=args.tasks,
                pipeline=args.pipeline or DEFAULT_PIPELINE,
                models=chosen_models(args.model),
                mode=RunningMode.IMAGE,
                max_faces=args.max_faces or DEFAULT_FACES,
            )
        except ConfigError as error:
            self._parser.error(str(error))


def files_of(text: str) -> list[Path]:
    """Return the files that a source reads: one, those of a folder, or none."""
    path = local_path(text)
    try:
        return sorted(path.iterdir()) if is_folder(path) else [path]
    except OSError:
        return []  # opening it tells why


def take_frame(text: str, at_s: float | None) -> Frame:
    """Return one frame of a source: the first one, or the first at or after a time.

    Parameters
    ----------
    text : str
        The source (see `pipelines.sources.make_source`).
    at_s : float or None
        Time in seconds; of a live source, since it was opened.

    Raises
    ------
    SourceError
        If it cannot be opened, gives nothing, or ends before that time.
    """
    source = make_source(text)
    try:
        info = source.open()
        if at_s is not None and info.still:
            raise SourceError(f"{info.name}: pictures have no time, --at cannot be used")
        frame = source.read()
        last_s = 0.0
        while frame is not None and at_s is not None and frame.timestamp_s < at_s:
            last_s = frame.timestamp_s
            frame = source.read()
        if frame is None:
            reason = f"ends after {last_s:.2f} s, before {at_s:g} s" if at_s is not None else "gives no picture"
            raise SourceError(f"{info.name} {reason}")
        return frame
    finally:
        source.close()


def picture_files(result: FrameResult, layers: Sequence[str]) -> list[bytes]:
    """Return the contents of the picture and of the layers beside it, in the order of `layers`."""
    image = result.frame.image_bgr
    if "overlay" in layers:
        image = draw_results(result, OverlayStyle())
    picture = with_png_text(encode_picture(image, ".png"), result_text(result, APP))
    return [picture, *(encode_layer(layer, result, image) for layer in layers if layer != "overlay")]


def write_files(paths: Sequence[Path], contents: Sequence[bytes], overwrite: bool) -> None:
    """Write several files; none of them appears before all of them are on the disk.

    Raises
    ------
    ExportError
        If one of them cannot be written.
    """
    with ExitStack() as stack:
        parts = [stack.enter_context(PartFile(path, overwrite)) for path in paths]
        for part, data in zip(parts, contents, strict=True):
            try:
                part.path.write_bytes(data)
            except OSError as error:
                raise ExportError(f"{part.final} cannot be written: {reason_of(error)}") from error
        for part in parts:
            part.commit()
