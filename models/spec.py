"""What a manifest says about a model, as values: tensors, files, origin (read by `models.manifest`)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from models.errors import ModelError


@dataclass(frozen=True)
class TensorSpec:
    """One input or output of a network.

    Parameters
    ----------
    name : str
        Name in the ONNX files. LiteRT files have names of their own: their outputs come in the manifest's order, with
        the same elements in the same order.
    shape : tuple of int
        Every dimension; all models have batch 1.
    dtype : str
        NumPy name of the element type.
    layout, color : str
        "NHWC" or "NCHW", and "BGR", "RGB" or "GRAY"; empty where the tensor is no picture.
    mean, scale : tuple of float
        What the caller has to feed is ``(pixel - mean) * scale`` with pixels from 0 to 255, one value a channel or one
        for all. (0,) and (1,) mean: pixels as they are.
    meaning : str
        What the numbers are, with unit and range.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    layout: str = ""
    color: str = ""
    mean: tuple[float, ...] = (0.0,)
    scale: tuple[float, ...] = (1.0,)
    meaning: str = ""

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of a picture tensor, in pixels.

        Raises
        ------
        ModelError
            If the tensor is no picture.
        """
        if self.layout == "NHWC":
            return self.shape[2], self.shape[1]
        if self.layout == "NCHW":
            return self.shape[3], self.shape[2]
        raise ModelError(f"the tensor {self.name!r} is no picture")

    @property
    def channels(self) -> int:
        """Number of channels of a picture tensor; 0 for any other."""
        if self.layout == "NHWC":
            return self.shape[3]
        return self.shape[1] if self.layout == "NCHW" else 0


@dataclass(frozen=True)
class ModelFile:
    """One file of a model.

    Parameters
    ----------
    variant : str
        "cpu", "gpu", "plain" (ONNX graphs for the blocked layout of x86-64, for a GPU, and for everything else) or
        "litert".
    format : str
        "onnx" or "tflite".
    path : Path
        Where the file should be.
    sha256 : str
        Checksum in lower-case hex digits.
    size_bytes : int
        Length of the file.
    input : TensorSpec or None
        What this file takes, where that is not the manifest's own input.
    """

    variant: str
    format: str
    path: Path
    sha256: str
    size_bytes: int
    input: TensorSpec | None = None

    def read_verified(self) -> bytes:
        """Read the file and compare its checksum.

        Raises
        ------
        ModelError
            If the file is missing, unreadable, or not the one that the manifest describes.
        """
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            raise ModelError(f"{self.path}: the model file is missing") from None
        except OSError as error:
            raise ModelError(f"{self.path}: cannot be read: {error.strerror or error}") from None
        found = hashlib.sha256(data).hexdigest()
        if found != self.sha256:
            raise ModelError(
                f"{self.path}: checksum differs: expected {self.sha256}, found {found}; "
                "the file is damaged or was replaced"
            )
        return data

    def is_intact(self) -> bool:
        """Whether the file is there and has the checksum of the manifest."""
        try:
            self.read_verified()
        except ModelError:
            return False
        return True


@dataclass(frozen=True)
class Source:
    """Where the weights came from.

    Parameters
    ----------
    package, version, file : str
        Published package (or project) and the file in it that was converted.
    sha256 : str
        Checksum of that file.
    url : str or None
        Where the package lives.
    notes : str
        How the weights were changed or made.
    """

    package: str
    version: str
    file: str
    sha256: str
    url: str | None = None
    notes: str = ""


@dataclass(frozen=True)
class Manifest:
    """Everything the app knows about one model.

    Parameters
    ----------
    name, title, description : str
        Identifier, a name for people, and one sentence.
    task : str
        "face", "segmentation" or "depth".
    role : str
        What the model does within its task: "detector", "landmarks", "mask" or "depth". Models of one role can take
        each other's place.
    licence : str
        SPDX identifier.
    source : Source
        Origin of the weights.
    input : TensorSpec
        What every ONNX file takes.
    outputs : tuple of TensorSpec
        What every file gives.
    files : tuple of ModelFile
        The files, one a variant.
    tolerance : dict of str to float
        Per output, the largest absolute difference from the reference at which a backend still agrees with it.
    macs : float
        Multiply-adds of one run.
    litert_note : str
        Why there is no LiteRT file, where there is none; else empty.
    path : Path
        The manifest itself.
    """

    name: str
    title: str
    task: str
    role: str
    description: str
    licence: str
    source: Source
    input: TensorSpec
    outputs: tuple[TensorSpec, ...]
    files: tuple[ModelFile, ...]
    tolerance: dict[str, float] = field(hash=False)
    macs: float
    litert_note: str
    path: Path

    def file(self, variant: str) -> ModelFile:
        """Return the file of one variant.

        Raises
        ------
        ModelError
            If the model has none; the message says why where the manifest knows.
        """
        for item in self.files:
            if item.variant == variant:
                return item
        if variant == "litert" and self.litert_note:
            raise ModelError(f"{self.name} has no litert file: {self.litert_note}")
        known = ", ".join(item.variant for item in self.files)
        raise ModelError(f"{self.name} has no {variant} file (it has {known})")

    def output(self, name: str) -> TensorSpec:
        """Return the output called `name`.

        Raises
        ------
        ModelError
            If there is none.
        """
        for spec in self.outputs:
            if spec.name == name:
                return spec
        raise ModelError(f"{self.name} has no output {name!r}")
