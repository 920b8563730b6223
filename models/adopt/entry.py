"""How a picture enters somebody else's network: uint8, BGR, NHWC, exactly as OpenCV holds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from onnx import ModelProto, TensorProto, helper

from models.adopt.network import PREFIX, Picture
from models.adopt.nodes import Nodes
from models.adopt.presets import FREE_SIZE
from models.adopt.request import Request
from models.errors import ModelError

INPUT_NAME: Final = "image"
_CHANNELS: Final = 3
_TYPES: Final = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16}


@dataclass(frozen=True, slots=True)
class Entry:
    """What the network is fed.

    Parameters
    ----------
    size_wh : tuple of int
        Width and height in pixels.
    layout, color : str
        Order of the dimensions, and of the channels.
    pixel_max : float
        What 255 becomes before `mean` and `std`.
    mean, std : tuple of float
        Three values each: ``(pixel / 255 * pixel_max - mean) / std``.
    guesses : tuple of str
        What neither the user nor the file said, in words.
    """

    size_wh: tuple[int, int]
    layout: str
    color: str
    pixel_max: float
    mean: tuple[float, ...]
    std: tuple[float, ...]
    guesses: tuple[str, ...]


def plan_entry(request: Request, picture: Picture) -> Entry:
    """Settle what the network is fed from what the user says and the file claims.

    Raises
    ------
    ModelError
        If they contradict each other, or leave open what cannot be guessed.
    """
    guesses: list[str] = []
    layout = _layout(request, picture)
    sides = picture.shape[2:] if layout == "NCHW" else picture.shape[1:3]
    size_wh = _size(request, (sides[1], sides[0]), guesses)
    color = request.color
    if color is None:
        color = "RGB"
        guesses.append("colour order RGB")
    pixel_max = request.pixel_max
    if picture.dtype == "uint8":
        if pixel_max not in (None, 255.0) or request.mean not in (None, (0.0,)) or request.std not in (None, (1.0,)):
            raise ModelError(f"{request.file}: the network takes bytes, which cannot be normalised")
        pixel_max = 255.0
    elif pixel_max is None:
        pixel_max = 1.0
        guesses.append("pixels from 0 to 1")
    mean = _three(request, "mean", request.mean, 0.0)
    std = _three(request, "std", request.std, 1.0)
    if not all(value > 0 for value in std):
        raise ModelError(f"{request.file}: std must be larger than 0")
    if not pixel_max > 0:
        raise ModelError(f"{request.file}: pixel_max must be larger than 0")
    return Entry(size_wh, layout, color, pixel_max, mean, std, tuple(guesses))


def _layout(request: Request, picture: Picture) -> str:
    """Which dimension holds the three channels."""
    first, last = picture.shape[1] == _CHANNELS, picture.shape[3] == _CHANNELS
    layout = request.layout
    if layout is None:
        if first == last:
            shape = _words(picture.shape)
            raise ModelError(f"{request.file}: the input is {shape}: say with layout whether it is NCHW or NHWC")
        return "NCHW" if first else "NHWC"
    channels = picture.shape[1] if layout == "NCHW" else picture.shape[3]
    if channels not in (_CHANNELS, None):
        raise ModelError(
            f"{request.file}: the input is {_words(picture.shape)}, which has {channels} channels when read as {layout}"
        )
    return layout


def _size(request: Request, claimed: tuple[int | None, int | None], guesses: list[str]) -> tuple[int, int]:
    """Width and height: what the file claims, what the user wants, or what the preset knows."""
    free = FREE_SIZE.get(request.preset or "")
    wanted = request.input_size or free
    if None in claimed and wanted is None:
        raise ModelError(f"{request.file}: the file leaves the size of its input open: say it with input size")
    result = []
    for side, claim, wish in zip(("wide", "high"), claimed, request.input_size or (None, None), strict=True):
        if claim is not None and wish is not None and claim != wish:
            raise ModelError(f"{request.file}: the input is {claim} pixels {side}, not {wish}")
        result.append(claim if claim is not None else wish)
    if None in result and free is not None:
        result = [value if value is not None else spare for value, spare in zip(result, free, strict=True)]
        guesses.append(f"input size {result[0]}x{result[1]}")
    width, height = result
    assert width is not None
    assert height is not None
    if width < 1 or height < 1:
        raise ModelError(f"{request.file}: the input size {width}x{height} is empty")
    return width, height


def _three(request: Request, name: str, values: tuple[float, ...] | None, default: float) -> tuple[float, ...]:
    values = values or (default,)
    if len(values) == 1:
        values = values * _CHANNELS
    if len(values) != _CHANNELS:
        raise ModelError(f"{request.file}: {name} needs one value or three, not {len(values)}")
    return values


def _words(shape: tuple[int | None, ...]) -> str:
    return "x".join("?" if side is None else str(side) for side in shape)


def add_entry(model: ModelProto, picture: Picture, entry: Entry) -> None:
    """Put the nodes for the picture in front of a network whose names are set apart already."""
    graph = model.graph
    width, height = entry.size_wh
    nodes = Nodes(graph, INPUT_NAME, "entry")
    if entry.color == "RGB":
        # Bytes are the cheapest to move, but not every device gathers them: floats work everywhere.
        nodes.add("Cast", to=TensorProto.FLOAT)
        nodes.add("Gather", nodes.constant([2, 1, 0], np.int64), axis=3)
    elif picture.dtype != "uint8":
        nodes.add("Cast", to=TensorProto.FLOAT)
    if picture.dtype != "uint8":
        scale = entry.pixel_max / 255 / np.asarray(entry.std)
        shift = -np.asarray(entry.mean) / np.asarray(entry.std)
        if np.any(scale != 1):
            nodes.add("Mul", nodes.constant(scale))
        if np.any(shift != 0):
            nodes.add("Add", nodes.constant(shift))
    if entry.layout == "NCHW":
        nodes.add("Transpose", perm=[0, 3, 1, 2])
    if picture.dtype == "float16":
        nodes.add("Cast", to=TensorProto.FLOAT16)
    elif picture.dtype == "uint8" and entry.color == "RGB":
        nodes.add("Cast", to=TensorProto.UINT8)
    nodes.finish(PREFIX + picture.name)
    for place, node in enumerate(nodes.made):
        graph.node.insert(place, node)
    kept = [item for item in graph.input if item.name != PREFIX + picture.name]
    del graph.input[:]
    graph.input.append(helper.make_tensor_value_info(INPUT_NAME, TensorProto.UINT8, [1, height, width, _CHANNELS]))
    graph.input.extend(kept)  # initializers of old files are listed as inputs as well
