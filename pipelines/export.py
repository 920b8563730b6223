"""Pictures for people: screenshots and layers, always complete, never over an older one."""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from pipelines.atomic import write_file
from pipelines.errors import ExportError
from pipelines.overlay.layers import depth_png_pixels, mask_png_pixels
from pipelines.pipeline import FrameResult
from pipelines.records import frame_record

LAYERS: Final = ("overlay", "mask", "depth", "landmarks")
LAYER_TASK: Final = {"mask": "segmentation", "depth": "depth", "landmarks": "face"}
"""Task without which a layer does not exist; `overlay` shows whatever there is."""

PICTURE_SUFFIXES: Final = (".png", ".jpg", ".jpeg")
JPEG_QUALITY: Final = 95


def layer_suffix(layer: str) -> str:
    """File suffix of a layer."""
    return ".json" if layer == "landmarks" else ".png"


def encode_picture(image: NDArray[np.uint8] | NDArray[np.uint16], suffix: str) -> bytes:
    """Return a picture as the contents of a .png or .jpg file.

    Raises
    ------
    ExportError
        If the suffix stands for neither.
    """
    suffix = suffix.lower()
    if suffix not in PICTURE_SUFFIXES:
        raise ExportError(f"pictures are written as {', '.join(PICTURE_SUFFIXES)}, not as {suffix or 'nothing'}")
    options = [] if suffix == ".png" else [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
    # Encoded in memory: OpenCV's own file writing fails on names outside the system's character set.
    done, data = cv2.imencode(suffix, image, options)
    if not done:
        raise ExportError(f"a picture of {image.shape[1]}x{image.shape[0]} cannot be encoded as {suffix}")
    return data.tobytes()


def with_png_text(png: bytes, text: Mapping[str, str]) -> bytes:
    """Return a PNG file with text entries (PNG specification, 11.3.3) behind its header.

    Parameters
    ----------
    png : bytes
        Contents of a PNG file.
    text : mapping of str to str
        Keyword (1 to 79 Latin-1 characters) to text. Written as iTXt, which holds any script.
    """
    end_of_header = 8 + 25  # signature, then IHDR: length, type, 13 bytes, checksum
    chunks = []
    for key, value in text.items():
        body = b"iTXt" + key.encode("latin-1") + b"\0\0\0\0\0" + value.encode("utf-8", "backslashreplace")
        chunks.append(struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body)))
    return png[:end_of_header] + b"".join(chunks) + png[end_of_header:]


def encode_layer(layer: str, result: FrameResult, annotated: NDArray[np.uint8]) -> bytes:
    """Return a layer of a frame as the contents of a file: 8-bit PNG, for depth 16-bit, for landmarks JSON.

    Parameters
    ----------
    layer : str
        One of `LAYERS`.
    result : FrameResult
        What was found.
    annotated : ndarray of uint8, shape (H, W, 3)
        The frame with the results drawn on it, for the layer `overlay`.

    Raises
    ------
    ExportError
        If the task that the layer shows is off.
    """
    if layer == "overlay":
        return encode_picture(annotated, ".png")
    if layer == "mask":
        if result.mask is None:
            raise ExportError("the layer mask needs the task segmentation")
        return encode_picture(mask_png_pixels(result.mask), ".png")
    if layer == "depth":
        if result.depth is None:
            raise ExportError("the layer depth needs the task depth")
        return encode_picture(depth_png_pixels(result.depth), ".png")
    if layer != "landmarks":
        raise ExportError(f"there is no layer {layer!r} (known: {', '.join(LAYERS)})")
    if result.faces is None:
        raise ExportError("the layer landmarks needs the task face")
    record = frame_record(result)
    keys = ("frame", "time_s", "width", "height", "faces")
    return (json.dumps({key: record[key] for key in keys}) + "\n").encode()


def new_path(folder: Path, source: str, when: datetime, suffix: str) -> Path:
    """Return a name such as `twinlens-demo-20250131-142530-123.png` that no file has yet.

    Parameters
    ----------
    folder : Path
        Where it shall go.
    source : str
        Name of the source; characters that some file system refuses are replaced.
    when : datetime
        Local time. The next free millisecond is taken.
    suffix : str
        Such as ".png".
    """
    stem = re.sub(r"[^\w.-]+", "_", source).strip("._")[:60] or "picture"
    while True:
        name = f"twinlens-{stem}-{when:%Y%m%d-%H%M%S}-{when.microsecond // 1000:03d}"
        if not any(folder.glob(f"{name}[.-]*")):
            return folder / f"{name}{suffix}"
        when += timedelta(milliseconds=1)


def screenshot_path(folder: Path, source: str, when: datetime) -> Path:
    """Return a name for a screenshot that no file has yet (see `new_path`)."""
    return new_path(folder, source, when, ".png")


def save_png(
    path: Path,
    image: NDArray[np.uint8] | NDArray[np.uint16],
    text: Mapping[str, str] | None = None,
    overwrite: bool = False,
) -> None:
    """Write a picture in one step.

    Parameters
    ----------
    path : Path
        File to write.
    image : ndarray of uint8 (H, W), (H, W, 3) or uint16 (H, W)
        Grey or BGR.
    text : mapping of str to str, optional
        Entries for the file's metadata.
    overwrite : bool
        Whether an existing file may be replaced.

    Raises
    ------
    ExportError
        If it cannot be written, or exists and `overwrite` is false.
    """
    write_file(path, with_png_text(encode_picture(image, ".png"), text or {}), overwrite)


def save_screenshot(folder: Path, source: str, image: NDArray[np.uint8], text: Mapping[str, str] | None = None) -> Path:
    """Write a screenshot into `folder` (made if missing) under a new name with date and milliseconds; return its path.

    Raises
    ------
    ExportError
        If it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(f"the folder {folder} cannot be made: {error.strerror}") from error
    path = screenshot_path(folder, source, datetime.now())
    save_png(path, image, text)
    return path


def layer_path(picture: Path, layer: str) -> Path:
    """Return where a layer goes beside `picture`: `shot.png` has its mask in `shot-mask.png`."""
    return picture.with_name(f"{picture.stem}-{layer}{layer_suffix(layer)}")


def result_text(result: FrameResult, app: str) -> dict[str, str]:
    """Return metadata for a picture: the program, where the picture is from, and which backend ran each task."""
    ran = ", ".join(f"{task} on {result.backend_label(task)}" for task in result.backends)
    frame = result.frame
    time_s = frame.timestamp_s if frame.position_s is None else frame.position_s
    return {
        "Software": app,
        "Source": f"{frame.source}, frame {frame.index}, {time_s:.3f} s",
        "Comment": f"{ran}; {result.total_ms:.2f} ms",
    }
