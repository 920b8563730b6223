"""What somebody else's network answers, turned into what a task expects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, helper

from models.adopt.network import PREFIX
from models.adopt.nodes import Nodes
from models.adopt.request import MEANINGS, Request
from models.errors import ModelError
from models.face_mesh import INPUT_SIZE
from models.spec import TensorSpec

Answers = Mapping[str, NDArray[np.generic]]

MESH_POINTS: Final = (478, 468)
NEAREST: Final = 1e-3
"""Distances below it count as this one: one over zero is no depth."""
USUAL_SPAN: Final = 0.7
"""Distance of the 2nd and the 98th percentile of our own depth network on a usual picture."""
_SPAN_KEPT: Final = (0.25, 2.0)
_FLAT: Final = 1e-6
_BORDER: Final = 1e-3
_LEAST: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Exit:
    """What was added behind a network.

    Parameters
    ----------
    outputs : tuple of TensorSpec
        The outputs of the new graph.
    tolerance : dict of str to float
        By output, see `Manifest`.
    guesses : tuple of str
        What nobody said, in words.
    """

    outputs: tuple[TensorSpec, ...]
    tolerance: dict[str, float]
    guesses: tuple[str, ...]


def add_exit(model: ModelProto, request: Request, answers: Answers) -> Exit:
    """Put the nodes for a task behind a network.

    Parameters
    ----------
    model : ModelProto
        Changed in place.
    request : Request
        Its task decides what is built.
    answers : mapping of str to ndarray
        What the network answered to a real picture, by the names of its own outputs.

    Raises
    ------
    ModelError
        If the answer does not fit the task.
    """
    assert request.task is not None
    if request.meaning is not None and request.meaning not in MEANINGS[request.task]:
        known = ", ".join(MEANINGS[request.task])
        raise ModelError(f"{request.file}: {request.meaning!r} is no meaning for {request.task} (choose from {known})")
    nodes: list[Nodes] = []
    found = _EXITS[request.task](model, request, answers, nodes)
    graph = model.graph
    del graph.output[:]
    for each in nodes:
        graph.node.extend(each.made)
    for spec in found.outputs:
        graph.output.append(helper.make_tensor_value_info(spec.name, TensorProto.FLOAT, spec.shape))
    return found


def _pick(request: Request, answers: Answers, count: int) -> list[str]:
    """Names of the outputs to read."""
    wanted = list(request.output or ())
    listed = ", ".join(answers)
    for name in wanted:
        if name not in answers:
            raise ModelError(f"{request.file}: there is no output {name!r} (there are {listed})")
    if wanted and len(wanted) != count:
        raise ModelError(f"{request.file}: {count} output{'s' * (count > 1)} to read, not {len(wanted)}")
    if not wanted:
        if len(answers) != count:
            raise ModelError(f"{request.file}: it has the outputs {listed}: say with output which to read ({count})")
        wanted = list(answers)
    for name in wanted:
        if not np.issubdtype(answers[name].dtype, np.number):
            raise ModelError(f"{request.file}: the output {name} holds no numbers")
        if not np.all(np.isfinite(answers[name])):
            raise ModelError(
                f"{request.file}: the output {name} is not finite on a test picture: is the normalisation right?"
            )
    return wanted


def _map_shape(request: Request, name: str, answer: NDArray[np.generic]) -> tuple[int, int]:
    sides = [side for side in answer.shape if side != 1]
    if len(sides) != 2:
        shape = "x".join(map(str, answer.shape))
        raise ModelError(f"{request.file}: the output {name} is {shape}, which is no single map")
    return sides[0], sides[1]


def _depth(model: ModelProto, request: Request, answers: Answers, made: list[Nodes]) -> Exit:
    (name,) = _pick(request, answers, 1)
    height, width = _map_shape(request, name, answers[name])
    guesses = []
    meaning = request.meaning
    if meaning is None:
        meaning = "inverse-depth"
        guesses.append("the output is inverse depth, larger is nearer")
    values = answers[name].astype(np.float64)
    nodes = Nodes(model.graph, PREFIX + name, "depth")
    made.append(nodes)
    nodes.add("Cast", to=TensorProto.FLOAT)
    nodes.reshape(1, 1, height, width)
    if meaning == "distance":
        nodes.add("Max", nodes.constant(NEAREST))
        nodes.add("Reciprocal")
        values = 1 / np.maximum(values, NEAREST)
    far, near = np.percentile(values, (2, 98))
    if near - far <= _FLAT * max(abs(near), abs(far), _FLAT):
        raise ModelError(
            f"{request.file}: the depth is the same everywhere on a test picture: is the normalisation right?"
        )
    if not _SPAN_KEPT[0] <= near - far <= _SPAN_KEPT[1]:
        # One factor for good: the map's own range would change with every picture.
        gain = float(f"{USUAL_SPAN / (near - far):.3g}")
        nodes.add("Mul", nodes.constant(gain))
        guesses.append(f"the depth is multiplied by {gain:g}, so that usual pictures span about {USUAL_SPAN:g}")
    nodes.finish("depth")
    spec = TensorSpec(
        "depth", (1, 1, height, width), "float32", "NCHW", meaning="inverse depth without a unit, larger is nearer"
    )
    return Exit((spec,), {"depth": 0.05}, tuple(guesses))


def _segmentation(model: ModelProto, request: Request, answers: Answers, made: list[Nodes]) -> Exit:
    (name,) = _pick(request, answers, 1)
    answer = answers[name]
    sides = [side for side in answer.shape if side != 1]
    guesses: list[str] = []
    nodes = Nodes(model.graph, PREFIX + name, "mask")
    made.append(nodes)
    meaning = request.meaning
    if meaning == "classes" or (meaning is None and np.issubdtype(answer.dtype, np.integer)):
        height, width = _map_shape(request, name, answer)
        nodes.add("Cast", to=TensorProto.INT32)
        nodes.add("Equal", nodes.constant(_person(request), np.int32))
        nodes.add("Cast", to=TensorProto.FLOAT)
    elif len(sides) == 3:
        height, width = _one_channel(nodes, request, name, answer, sides, guesses)
    else:
        height, width = _map_shape(request, name, answer)
        nodes.add("Cast", to=TensorProto.FLOAT)
        inside = float(answer.min()) >= -_BORDER and float(answer.max()) <= 1 + _BORDER
        if meaning is None:
            meaning = "probability" if inside else "logits"
            guesses.append(f"the output is {meaning}")
        if meaning == "softmax":
            raise ModelError(f"{request.file}: the output {name} has one map; softmax needs one a class")
        if meaning == "probability" and not inside:
            raise ModelError(
                f"{request.file}: the output {name} goes from {answer.min():.3g} to {answer.max():.3g}, which is no "
                "probability: is it logits?"
            )
        if meaning == "logits":
            nodes.add("Sigmoid")
    nodes.reshape(1, 1, height, width)
    nodes.finish("mask")
    spec = TensorSpec("mask", (1, 1, height, width), "float32", "NCHW", meaning="probability of a person, 0 to 1")
    return Exit((spec,), {"mask": 0.05}, tuple(guesses))


def _person(request: Request) -> int:
    if request.person_class is None:
        raise ModelError(
            f"{request.file}: the network tells classes apart: say with person class which one is a person"
        )
    return request.person_class


def _one_channel(
    nodes: Nodes, request: Request, name: str, answer: NDArray[np.generic], sides: list[int], guesses: list[str]
) -> tuple[int, int]:
    """Pick the person out of one map a class; returns height and width."""
    first = sides[0] <= sides[2]
    classes = sides[0] if first else sides[2]
    height, width = (sides[1], sides[2]) if first else (sides[0], sides[1])
    person = request.person_class
    if person is None and classes == 2:
        person = 1
        guesses.append("the second of two classes is the person")
    elif person is None:
        person = _person(request)
    if person >= classes:
        raise ModelError(f"{request.file}: the output {name} has {classes} classes, numbered from 0: {person} is none")
    nodes.add("Cast", to=TensorProto.FLOAT)
    nodes.reshape(*sides)
    if first:
        nodes.add("Transpose", perm=[1, 2, 0])
    values = answer.astype(np.float64).reshape(sides)
    total = values.sum(axis=0 if first else 2)
    are_shares = values.min() >= -_BORDER and bool(np.all(np.abs(total - 1) < 0.01))
    meaning = request.meaning
    if meaning is None:
        meaning = "probability" if are_shares else "softmax"
        guesses.append(f"the output is {'probabilities' if are_shares else 'classes before their softmax'}")
    if meaning == "probability" and not (values.min() >= -_BORDER and values.max() <= 1 + _BORDER):
        raise ModelError(
            f"{request.file}: the output {name} goes from {values.min():.3g} to {values.max():.3g}, which is no "
            "probability: is it softmax?"
        )
    if meaning == "softmax":
        nodes.add("Softmax", axis=2)
    nodes.add("Gather", nodes.constant([person], np.int64), axis=2)
    if meaning == "logits":
        nodes.add("Sigmoid")
    return height, width


def _face(model: ModelProto, request: Request, answers: Answers, made: list[Nodes]) -> Exit:
    names = _pick(request, answers, 2)
    if not request.output:
        names.sort(key=lambda name: -answers[name].size)
    points_name, score_name = names
    points = next((n for n in MESH_POINTS if answers[points_name].size == 3 * n), None)
    if points is None or answers[score_name].size != 1:
        raise ModelError(
            f"{request.file}: for a face the outputs must be 468 or 478 points of three coordinates and one score; "
            f"{points_name} holds {answers[points_name].size} numbers and {score_name} {answers[score_name].size}"
        )
    guesses = []
    meaning = request.meaning
    if meaning is None:
        meaning = "unit" if float(np.abs(answers[points_name]).max()) <= 4 else "pixels"
        guesses.append(f"landmarks are in {'shares' if meaning == 'unit' else 'pixels'} of the input")
    landmarks = Nodes(model.graph, PREFIX + points_name, "landmarks")
    landmarks.add("Cast", to=TensorProto.FLOAT)
    landmarks.reshape(1, points, 3)
    if meaning == "unit":
        landmarks.add("Mul", landmarks.constant(INPUT_SIZE))
    landmarks.finish("landmarks")
    score = Nodes(model.graph, PREFIX + score_name, "face_flag")
    score.add("Cast", to=TensorProto.FLOAT)
    score.reshape(1, 1)
    flag = float(answers[score_name].reshape(-1)[0])
    if 0 <= flag <= 1:
        # On a clear face a logit is far above 1. Back from p to its logit, -log(1 / p - 1).
        guesses.append("the score is a probability")
        score.add("Max", score.constant(_LEAST))
        score.add("Min", score.constant(1 - _LEAST))
        score.add("Reciprocal")
        score.add("Sub", score.constant(1.0))
        score.add("Log")
        score.add("Neg")
    score.finish("face_flag")
    made += [landmarks, score]
    specs = (
        TensorSpec("landmarks", (1, points, 3), "float32", meaning="x, y in pixels of the picture, z in the same unit"),
        TensorSpec("face_flag", (1, 1), "float32", meaning="logit: is there a face in the picture"),
    )
    return Exit(specs, {"landmarks": 0.5, "face_flag": 0.5}, tuple(guesses))


_EXITS: Final = {"depth": _depth, "segmentation": _segmentation, "face": _face}
