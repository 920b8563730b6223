"""Convert the published models: ``python -m models.convert --help``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import onnx

from models.convert.catalogue import DEPTH, MEDIAPIPE, RECIPES
from models.convert.produce import produce_depth, produce_mediapipe
from models.convert.sources import find_source, installed_mediapipe
from models.errors import ModelError
from models.manifest import weights_dir


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m models.convert",
        description="Convert the published face and segmentation models (package mediapipe 0.10.21) and the depth "
        "network to the ONNX files that the app uses, compare each with the original, and write its manifest.",
    )
    parser.add_argument(
        "--tflite-dir",
        type=Path,
        help="folder with the .tflite files, searched at any depth (default: the installed package mediapipe)",
    )
    parser.add_argument("--depth-onnx", type=Path, help="the depth network's file; without it, depth is left alone")
    parser.add_argument("--out", type=Path, default=weights_dir(), help="folder to write to (default: %(default)s)")
    names = [recipe.name for recipe in RECIPES]
    parser.add_argument("--models", nargs="+", choices=names, default=names, metavar="NAME", help=", ".join(names))
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> None:
    """Convert what was asked for and say how close each file came.

    Raises
    ------
    ModelError
        If a file is missing or is not the published one, cannot be converted, or differs too much from the original.
    """
    options.out.mkdir(parents=True, exist_ok=True)
    for recipe in MEDIAPIPE:
        if recipe.name in options.models:
            source = find_source(options.tflite_dir or installed_mediapipe(), recipe.source.file)
            for line in produce_mediapipe(recipe, source, options.out):
                print(line)
    if options.depth_onnx is not None and DEPTH.name in options.models:
        for line in produce_depth(DEPTH, options.depth_onnx, options.out):
            print(line)


def main() -> int:
    """Run, and turn a failure into one line and the exit status 1."""
    try:
        run(parse_arguments())
    except (ModelError, onnx.checker.ValidationError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
