"""The models that are shipped: what is converted, what the manifests say, and how close the result has to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from models.spec import Source, TensorSpec

_NOTES: Final = (
    "Weights unchanged; the graph was converted to ONNX operators of the default domain and rearranged by "
    "models/convert."
)
_FACE: Final = (128, 14, 1)


@dataclass(frozen=True)
class Recipe:
    """One model.

    Parameters
    ----------
    name, title, task, role, description, licence, source, outputs, tolerance, litert_note
        As in `models.spec.Manifest`. The manifest's `input` and `macs` follow from the rest.
    size_wh : tuple of int
        Width and height of the input.
    input_meaning : str
        What picture the network expects.
    mean, scale : float
        The published network wants ``(pixel - mean) * scale``.
    sample : tuple of int
        Left, top and step in pixels: a part of the sample portrait that the network can make sense of, of which every
        step-th row and column is taken.
    parity : dict of str to float
        For each output the largest allowed difference from the published network on the same picture. The sizes to
        compare with: regressors up to 170, scores from -150, landmarks up to 192, masks up to 1.
    """

    name: str
    title: str
    task: str
    role: str
    description: str
    source: Source
    size_wh: tuple[int, int]
    input_meaning: str
    outputs: tuple[TensorSpec, ...]
    tolerance: dict[str, float]
    parity: dict[str, float]
    sample: tuple[int, int, int]
    mean: float = 0.0
    scale: float = 1.0
    licence: str = "Apache-2.0"
    litert_note: str = ""

    @property
    def input(self) -> TensorSpec:
        """What the ONNX files take."""
        return self._input("uint8", "BGR", 0.0, 1.0)

    @property
    def published_input(self) -> TensorSpec:
        """What the published network takes."""
        return self._input("float32", "RGB", self.mean, self.scale)

    def _input(self, dtype: str, color: str, mean: float, scale: float) -> TensorSpec:
        width, height = self.size_wh
        return TensorSpec("image", (1, height, width, 3), dtype, "NHWC", color, (mean,), (scale,), self.input_meaning)


def _mediapipe(file: str, sha256: str) -> Source:
    return Source(
        package="mediapipe",
        version="0.10.21",
        file=f"mediapipe/modules/{file}.tflite",
        sha256=sha256,
        url="https://github.com/google-ai-edge/mediapipe",
        notes=_NOTES,
    )


def _output(name: str, shape: tuple[int, ...], meaning: str, layout: str = "") -> TensorSpec:
    return TensorSpec(name, shape, "float32", layout, meaning=meaning)


_FACE_CROP: Final = "a face, upright, in a square 1.5 times its size"
_FACE_FLAG: Final = _output("face_flag", (1, 1), "logit: is there a face in the picture")
_UNIT: Final = 1 / 255.0


def _mask(height: int, width: int) -> TensorSpec:
    return _output("mask", (1, 1, height, width), "probability that the pixel belongs to a person, 0 to 1", "NCHW")


def _landmarks(count: int, more: str) -> TensorSpec:
    meaning = f"x, y in pixels of the picture, z in the same unit, negative towards the camera; {more}"
    return _output("landmarks", (1, count, 3), meaning)


MEDIAPIPE: Final = (
    Recipe(
        name="face_detection",
        title="BlazeFace, short range",
        task="face",
        role="detector",
        description="Finds faces up to about two metres from the camera, with six key points each.",
        source=_mediapipe(
            "face_detection/face_detection_short_range",
            "bbff11cebd1eb27a1e004cae0b0e63ec8c551cbf34a4451148b4908b8db3eca8",
        ),
        size_wh=(128, 128),
        input_meaning="the frame, aspect kept, centred in a square with black borders",
        outputs=(
            _output(
                "regressors",
                (1, 896, 16),
                "for each anchor: centre x, y, width, height, then x, y of six key points, all in pixels of the input; "
                "positions are relative to the anchor",
            ),
            _output("scores", (1, 896, 1), "for each anchor a logit: is there a face"),
        ),
        tolerance={"regressors": 0.05, "scores": 0.1},
        parity={"regressors": 2.5e-4, "scores": 1e-3},
        sample=(0, 0, 4),
        mean=127.5,
        scale=1 / 127.5,
    ),
    Recipe(
        name="face_mesh",
        title="Face Mesh with attention, 478 points",
        task="face",
        role="landmarks",
        description="478 points of a face, lips and eyes refined, with irises.",
        source=_mediapipe(
            "face_landmark/face_landmark_with_attention",
            "e06a804e0144f9929eda782122916b35d60c697c3c9344013ca2bbe76a6ce2b4",
        ),
        size_wh=(192, 192),
        input_meaning=_FACE_CROP,
        outputs=(_landmarks(478, "468 of the mesh, then 5 an iris, centre first"), _FACE_FLAG),
        tolerance={"landmarks": 0.02, "face_flag": 0.02},
        parity={"landmarks": 2e-4, "face_flag": 2e-4},
        sample=_FACE,
        scale=_UNIT,
        litert_note="three of its operators exist only inside MediaPipe, so plain LiteRT cannot load it.",
    ),
    Recipe(
        name="face_mesh_468",
        title="Face Mesh, 468 points",
        task="face",
        role="landmarks",
        description="468 points of a face, the lighter choice: no irises, lips and eyes less exact.",
        source=_mediapipe(
            "face_landmark/face_landmark", "1055cb9d4a9ca8b8c688902a3a5194311138ba256bcc94e336d8373a5f30c814"
        ),
        size_wh=(192, 192),
        input_meaning=_FACE_CROP,
        outputs=(_landmarks(468, "468 of the mesh"), _FACE_FLAG),
        tolerance={"landmarks": 0.02, "face_flag": 0.02},
        parity={"landmarks": 2e-4, "face_flag": 2e-4},
        sample=_FACE,
        scale=_UNIT,
    ),
    Recipe(
        name="selfie_landscape",
        title="Selfie segmentation, landscape",
        task="segmentation",
        role="mask",
        description="Tells people in front of the camera from the background; for wide pictures.",
        source=_mediapipe(
            "selfie_segmentation/selfie_segmentation_landscape",
            "a77d03f4659b9f6b6c1f5106947bf40e99d7655094b6527f214ea7d451106edd",
        ),
        size_wh=(256, 144),
        input_meaning="the whole frame, stretched to the input's size",
        outputs=(_mask(144, 256),),
        tolerance={"mask": 0.025},
        parity={"mask": 4e-4},
        sample=(0, 0, 2),
        scale=_UNIT,
    ),
    Recipe(
        name="selfie_square",
        title="Selfie segmentation, square",
        task="segmentation",
        role="mask",
        description="Tells people in front of the camera from the background; for square and tall pictures.",
        source=_mediapipe(
            "selfie_segmentation/selfie_segmentation",
            "9ee168ec7c8f2a16c56fe8e1cfbc514974cbbb7e434051b455635f1bd1462f5c",
        ),
        size_wh=(256, 256),
        input_meaning="the whole frame, stretched to the input's size",
        outputs=(_mask(256, 256),),
        tolerance={"mask": 0.025},
        parity={"mask": 4e-4},
        sample=(0, 0, 2),
        scale=_UNIT,
    ),
)
"""Models from the package mediapipe."""

DEPTH: Final = Recipe(
    name="depth_v2",
    title="Relative depth, v2",
    task="depth",
    role="depth",
    description="How near each pixel is, without a unit; 0.43 million parameters, our own.",
    source=Source(
        package="twinlens",
        version="v2",
        file="depth.onnx",
        sha256="2d6aa305d1ef424de1fdf8a5d5603e00a526f2841ec4fd736c74a67cdab00140",
        notes=(
            "Our own weights, trained in four runs (298 minutes) on one CPU core to imitate a teacher: the small "
            "TCMonoDepth network (yu-li/TCMonoDepth, MIT, its licence is in models/licenses; ONNX file with SHA-256 "
            "902b886beaebd3f68deb40bab2fd636a0c112c1ef1cbdd15fa26e5c55b389b4d). No weight of the teacher is in here. "
            "The 3531 training pictures come from public collections; what licence the photographs themselves have is "
            "mostly not stated, and they are not distributed. On 130 held-out pictures its rank correlation with the "
            "teacher is 0.959, some of which show people and rooms of the training set; 0.957 on the 102 that do not. "
            "models/convert changed the entry of the ONNX file to uint8 BGR, and translated the network to TensorFlow "
            "Lite."
        ),
    ),
    size_wh=(320, 192),
    input_meaning="the whole frame, stretched to the input's size",
    outputs=(
        _output("depth", (1, 1, 192, 320), "inverse depth without a unit, about 0 to 1.3, larger is nearer", "NCHW"),
    ),
    tolerance={"depth": 0.001},
    parity={"depth": 1e-3},
    sample=(64, 0, 1),
)
"""Our own depth network; the published file takes float32 NCHW, RGB, 0 to 255."""

RECIPES: Final = (*MEDIAPIPE, DEPTH)
