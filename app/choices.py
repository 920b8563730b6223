"""What can be chosen in the side panel: fields of the overlay style and models, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from models.errors import ModelError
from models.manifest import manifests
from pipelines.overlay.style import DepthColours, DepthStyle, FaceStyle, MaskStyle, Tint


@dataclass(frozen=True, slots=True)
class Option:
    """One of several.

    Parameters
    ----------
    value : str
        What is kept in the settings.
    label : str
        What the user reads.
    tip : str
        More about it.
    """

    value: str
    label: str
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A control with options.

    Parameters
    ----------
    name : str
        Field of `OverlayStyle`, or role of a model.
    label : str
        The word beside the control.
    accessible : str
        Its full name, for screen readers and tests: "Face style".
    options : tuple of Option
        The options.
    """

    name: str
    label: str
    accessible: str
    options: tuple[Option, ...]


_FACE: Final = {
    FaceStyle.CONTOURS: Option("contours", "Contours", "Outline, brows, eyes, irises and lips"),
    FaceStyle.MESH: Option("mesh", "Mesh", "The whole mesh as a fine net"),
    FaceStyle.POINTS: Option("points", "Points", "Every landmark as a dot"),
    FaceStyle.BOX: Option("box", "Box", "Corners around the face, and its score"),
    FaceStyle.GLASSES: Option("glasses", "Glasses", "Glasses that turn with the head"),
    FaceStyle.HAT: Option("hat", "Hat", "A hat that turns with the head"),
    FaceStyle.OFF: Option("off", "Not drawn", "Analysed, but not drawn"),
}
_MASK: Final = {
    MaskStyle.TINT: Option("tint", "Tint", "The person tinted and outlined"),
    MaskStyle.OUTLINE: Option("outline", "Outline", "Only a line around the person"),
    MaskStyle.SPOTLIGHT: Option("spotlight", "Spotlight", "The person in colour, the rest grey and dark"),
    MaskStyle.CUTOUT: Option("cutout", "Cut-out", "The person on a plain dark background"),
    MaskStyle.OFF: Option("off", "Not drawn", "Analysed, but not drawn"),
}
_DEPTH: Final = {
    DepthStyle.AUTO: Option("auto", "Automatic", "In the corner; over the picture when nothing else is on"),
    DepthStyle.INSET: Option("inset", "In the corner", "A small picture at the lower right"),
    DepthStyle.FULL: Option("full", "Whole picture", "Over the whole picture"),
    DepthStyle.RELIEF: Option(
        "relief", "Relief", "The picture as a relief; turn it with the right mouse button, or Alt and an arrow key"
    ),
    DepthStyle.OFF: Option("off", "Not drawn", "Analysed, but not drawn"),
}
_TINT: Final = {
    Tint.VIOLET: Option("violet", "Violet"),
    Tint.BLUE: Option("blue", "Blue"),
    Tint.ROSE: Option("rose", "Rose"),
    Tint.WHITE: Option("white", "White"),
}
_COLOURS: Final = {
    DepthColours.INFERNO: Option("inferno", "Inferno", "Black, red, yellow; even steps"),
    DepthColours.MAGMA: Option("magma", "Magma", "Black, purple, cream; even steps"),
    DepthColours.VIRIDIS: Option("viridis", "Viridis", "Blue, green, yellow; even steps"),
    DepthColours.TURBO: Option("turbo", "Turbo", "Rainbow; more detail, uneven steps"),
    DepthColours.GREY: Option("grey", "Grey", "Near is white"),
}

STYLES: Final = {
    "face": (Choice("face", "Style", "Face style", tuple(_FACE.values())),),
    "segmentation": (
        Choice("mask", "Style", "Person style", tuple(_MASK.values())),
        Choice("mask_tint", "Colour", "Person colour", tuple(_TINT.values())),
    ),
    "depth": (
        Choice("depth", "Show as", "Depth view", tuple(_DEPTH.values())),
        Choice("depth_colours", "Colours", "Depth colours", tuple(_COLOURS.values())),
    ),
}
"""By task, the fields of `OverlayStyle` that are chosen from a list. A test sees to it that no member is missing."""

REPLACE: Final = "replace:"
EFFECTS: Final = Choice(
    "effect",
    "Effect",
    "Effect",
    (
        Option("none", "None"),
        Option("blur", "Blur", "The background out of focus"),
        Option("bokeh", "Portrait", "Out of focus with the distance, as a fast lens does; better with depth on"),
        Option("color:#00b140", "Green screen", "A plain green background, to be replaced elsewhere"),
        Option("color:#14171f", "Dark", "A plain dark background"),
        Option(REPLACE, "Picture…", "A picture of yours as the background"),
    ),
)
"""What can stand behind the person. "replace:" asks for a file."""

OPACITIES: Final = {"face": "face_opacity", "segmentation": "mask_opacity", "depth": "depth_opacity"}
"""By task, the field of `OverlayStyle` for how strongly it is drawn."""

DEFAULT_MODELS: Final = {
    "detector": "face_detection",
    "landmarks": "face_mesh",
    "mask": "selfie_landscape",
    "depth": "depth_v2",
}
"""By role, the model that runs unless another is chosen."""

_SHORT: Final = {
    "face_mesh": "478 points",
    "face_mesh_468": "468 points",
    "selfie_landscape": "Landscape",
    "selfie_square": "Square",
}
_ROLE_WORDS: Final = {"landmarks": "Model", "mask": "Model", "depth": "Model", "detector": "Detector"}


def model_choices(task: str) -> tuple[Choice, ...]:
    """Return the roles of a task for which there is more than one model, the default first.

    Models are data and may be added: what has no short name of ours goes by its title. With a broken manifest there
    is nothing to choose; the pipeline will say what is wrong with it.
    """
    try:
        found = manifests(task)
    except ModelError:
        return ()
    choices = []
    for role in dict.fromkeys(manifest.role for manifest in found):
        models = sorted((m for m in found if m.role == role), key=lambda m: m.name != DEFAULT_MODELS.get(role))
        if len(models) > 1:
            options = tuple(Option(m.name, _SHORT.get(m.name, m.title), m.description) for m in models)
            word = _ROLE_WORDS.get(role, role.capitalize())
            choices.append(Choice(role, word, f"Model for {role}", options))
    return tuple(choices)
