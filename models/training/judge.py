"""Judge a network's file: ``python -m models.training.judge --help``. Needs no PyTorch."""

from __future__ import annotations

import argparse
import logging
import random
from collections.abc import Collection
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.manifest import weights_dir
from models.training import command
from models.training.clips import OnnxNetwork, clip_figures, speed_ratio
from models.training.duplicates import near_duplicates
from models.training.evaluate import CLEAN, HeldOut, Predict, clean_mean, motorcycle, motorcycle_versions
from models.training.pictures import resized
from models.training.views import kind

SHEET_ROWS: Final = 24
TILE_HW: Final = (120, 200)
_log = logging.getLogger(__name__)


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = command.parser(
        "models.training.judge",
        "Compare a depth network with its teacher: on held-out pictures, on a picture with real disparity, on "
        "recordings, and in speed.",
        images="folder with heldout/ (and train/)",
    )
    parser.add_argument("--network", type=Path, required=True, help="the ONNX file to judge")
    parser.add_argument("--sheet", type=Path, help="write the worst held-out pictures with both maps to this PNG")
    parser.add_argument("--duplicates", action="store_true", help="look for near duplicates in train/ (minutes)")
    parser.add_argument(
        "--training",
        type=int,
        default=0,
        metavar="N",
        help="the same correlation on N whole training pictures of each clean collection: does it fit what it saw?",
    )
    parser.add_argument("clips", type=Path, nargs="*", help="recordings of people")
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> None:
    """Print the figures.

    Raises
    ------
    ModelError
        If a file is missing or is not what it should be.
    """
    network, teacher = OnnxNetwork(options.network), OnnxNetwork(options.teacher)
    held_out = HeldOut(options.images / "heldout", options.teacher)
    correlations, errors = held_out.correlations(rgb(network)), held_out.errors(rgb(network))
    _log.info("held out, all: correlation %.4f, error %.4f", _mean(correlations), _mean(errors))
    _log.info("held out, clean: correlation %.4f, error %.4f", clean_mean(correlations), clean_mean(errors))
    _tell_collections(correlations)
    if options.training:
        collections = {kind(path) for path in held_out.paths} & CLEAN
        chosen = HeldOut(training_pictures(options.images / "train", collections, options.training), options.teacher)
        _log.info("on pictures that it was trained with:")
        _tell_collections(chosen.correlations(rgb(network)))
    _log.info("worst: %s", ", ".join(f"{name} {correlations[name]:.3f}" for name in _worst(correlations)[:6]))
    for name, measure in (("motorcycle", motorcycle), ("motorcycle, nine versions", motorcycle_versions)):
        _log.info("%s: %.4f, teacher %.4f", name, measure(rgb(network)), measure(rgb(teacher)))
    segment = OnnxNetwork(weights_dir() / "selfie_landscape.cpu.onnx")
    for path in options.clips:
        for name, one in (("network", network), ("teacher", teacher)):
            _log.info("%s, %s: %s", path.name, name, clip_figures(path, one, segment))
    _log.info("%.2f ms, teacher %.2f ms: %.2f times as fast", *speed_ratio(network, teacher))
    if options.duplicates:
        for pair in near_duplicates(sorted((options.images / "train").glob("*.jpg")), held_out.paths, 0.9):
            _log.info("alike: %s, %s: %.3f", pair.held_out.name, pair.training.name, pair.correlation)
    if options.sheet:
        cv2.imwrite(str(options.sheet), sheet(held_out, rgb(network), _worst(correlations)[:SHEET_ROWS]))


def training_pictures(folder: Path, collections: Collection[str], count: int) -> list[Path]:
    """Return up to so many pictures of each collection, at random but always the same ones.

    Parameters
    ----------
    folder : Path
        With the training pictures.
    collections : collection of str
        First parts of names (see `kind`).
    count : int
        Pictures of each.
    """
    paths = sorted(folder.glob("*.jpg"))
    chosen = []
    for name in sorted(collections):
        of_it = [path for path in paths if kind(path) == name]
        chosen += random.Random(5).sample(of_it, min(count, len(of_it)))
    return chosen


def _tell_collections(correlations: dict[str, float]) -> None:
    for name in sorted({kind(Path(picture)) for picture in correlations}):
        chosen = {picture: value for picture, value in correlations.items() if kind(Path(picture)) == name}
        _log.info("  %s: correlation %.4f of %d", name, _mean(chosen), len(chosen))


def rgb(network: OnnxNetwork) -> Predict:
    """Return how a network's file predicts from RGB."""
    return lambda image: network(np.ascontiguousarray(image[:, :, ::-1]))


def sheet(held_out: HeldOut, predict: Predict, names: list[str]) -> NDArray[np.uint8]:
    """Return a sheet to look at, uint8 (h, w, 3) BGR: picture, teacher, network, side by side, four in a row."""
    tiles = []
    for path, image, target in zip(held_out.paths, held_out.images, held_out.targets, strict=True):
        if path.name in names:
            maps = (coloured(target), coloured(predict(image)))
            row = [resized(part, TILE_HW) for part in (np.ascontiguousarray(image[:, :, ::-1]), *maps)]
            label = np.zeros((16, 3 * TILE_HW[1], 3), np.uint8)
            cv2.putText(label, path.name, (2, 12), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (255, 255, 255), 1, cv2.LINE_AA)
            tiles.append((names.index(path.name), np.vstack([label, np.hstack(row)])))
    ordered = [tile for _, tile in sorted(tiles, key=lambda pair: pair[0])]
    ordered += [np.zeros_like(ordered[0])] * (-len(ordered) % 4)
    return np.vstack([np.hstack(ordered[start : start + 4]) for start in range(0, len(ordered), 4)])


def coloured(depth: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return a map in colours from its 1st to its 99th percentile, uint8 (h, w, 3) BGR."""
    low, high = np.percentile(depth, (1, 99))
    levels = np.clip((depth - low) / max(high - low, 1e-6) * 255, 0, 255).astype(np.uint8)
    return np.asarray(cv2.applyColorMap(levels, cv2.COLORMAP_INFERNO), np.uint8)


def _mean(values: dict[str, float]) -> float:
    return float(np.mean(list(values.values())))


def _worst(values: dict[str, float]) -> list[str]:
    return sorted(values, key=values.__getitem__)


def main() -> int:
    """Run, and turn a failure into one line and the exit status 1."""
    return command.carry_out(lambda: run(parse_arguments()), "%(message)s")


if __name__ == "__main__":
    raise SystemExit(main())
