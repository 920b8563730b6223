"""Train the depth network: ``python -m models.training --help``."""

from __future__ import annotations

import argparse
import copy
import logging
from pathlib import Path

import cv2
import torch
from torch import nn

from models.errors import ModelError
from models.training.data import Views
from models.training.evaluate import HeldOut, clean_mean, motorcycle
from models.training.export import export
from models.training.labels import make_shards
from models.training.network import DepthNet, Shape
from models.training.train import Config, Trainer, as_batch, follow, predictor, seeded_network
from models.training.warm_start import warm_started

SMOKE_MINUTES = 2.0
_log = logging.getLogger("models.training")


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training",
        description="Train the depth network to imitate a teacher. Views of the pictures are labelled once and kept in "
        "the cache; a stopped run goes on with --resume. See docs/depth.md.",
    )
    parser.add_argument("--images", type=Path, required=True, help="folder with train/, heldout/ and perhaps masks/")
    parser.add_argument("--teacher", type=Path, required=True, help="the teacher's ONNX file")
    parser.add_argument("--out", type=Path, required=True, help="folder for checkpoint, log and the trained network")
    parser.add_argument("--cache", type=Path, help="folder for the labelled views (default: cache in --out)")
    parser.add_argument("--device", choices=("cpu", "cuda", "mps"), default="cpu")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch, on the CPU (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=Config.minutes, help="of training (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=Config.rate, help="peak learning rate (default: %(default)s)")
    parser.add_argument("--batch", type=int, default=Config.batch, help="views a step (default: %(default)s)")
    parser.add_argument("--warm-up", type=int, default=Config.warm_up, metavar="STEPS", help="(default: %(default)s)")
    parser.add_argument(
        "--small-share", type=float, default=Config.small_share, help="of the time at 128x224 (default: %(default)s)"
    )
    parser.add_argument(
        "--changed",
        type=float,
        default=Config.changed,
        metavar="SHARE",
        help="of the pictures that noise, darkness, blur and the like are added to (default: %(default)s)",
    )
    parser.add_argument(
        "--detail",
        type=float,
        default=Config.detail,
        metavar="SHARE",
        help="of the teacher at 288x480 in the labels (default: %(default)s)",
    )
    parser.add_argument(
        "--mean",
        type=float,
        default=Config.mean,
        metavar="SHARE",
        help="that the running mean of the weights keeps at each step (default: %(default)s)",
    )
    parser.add_argument(
        "--keep",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="of the weights that it started from in the network that is written (default: %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=Config.seed, help="(default: %(default)s)")
    parser.add_argument("--start-from", type=Path, metavar="ONNX", help="a trained network to go on from")
    parser.add_argument(
        "--composites", type=int, default=6000, help="views with people pasted in (default: %(default)s)"
    )
    parser.add_argument("--labels-only", action="store_true", help="fill the cache and stop")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in --out")
    parser.add_argument(
        "--smoke", action="store_true", help="two minutes with few steps between two lines: does it run?"
    )
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> None:
    """Label, train, and write the network.

    Raises
    ------
    ModelError
        If pictures or teacher are missing or cannot be used, or the training fails.
    """
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    cache = options.cache or options.out / "cache"
    make_shards(options.images, options.teacher, cache, composites=options.composites, size=1000, seed=21)
    if options.labels_only:
        return
    config = Config(
        minutes=min(options.minutes, SMOKE_MINUTES) if options.smoke else options.minutes,
        checkpoint_minutes=SMOKE_MINUTES / 4 if options.smoke else Config.checkpoint_minutes,
        rate=options.rate,
        batch=options.batch,
        warm_up=options.warm_up,
        small_share=options.small_share,
        changed=options.changed,
        detail=options.detail,
        mean=options.mean,
        seed=options.seed,
    )
    views = Views(cache, config.seed, config.detail, config.changed)
    held_out = HeldOut(options.images / "heldout", options.teacher)
    start = _start(options, views)
    trainer = Trainer(config, views, copy.deepcopy(start), options.out, options.device, _figures(held_out))
    if options.resume:
        trainer.resume()
    trainer.run()
    path = options.out / "depth.onnx"
    follow(trainer.mean.cpu(), start, 1 - options.keep)
    export(trainer.mean, path)
    _log.info("%s: %s", path, {name: round(value, 4) for name, value in _figures(held_out)(trainer.mean).items()})


def _start(options: argparse.Namespace, views: Views) -> DepthNet:
    if options.start_from is None:
        return seeded_network(Shape(), options.seed)
    torch.manual_seed(options.seed)
    return warm_started(options.start_from, as_batch(views.sample(32)), Shape())


class _figures:
    """Figures of a network on the held-out pictures and the motorcycle."""

    def __init__(self, held_out: HeldOut) -> None:
        self._held_out = held_out

    def __call__(self, network: nn.Module) -> dict[str, float]:
        predict = predictor(network)
        return {"clean": clean_mean(self._held_out.correlations(predict)), "motorcycle": motorcycle(predict)}


def main() -> int:
    """Run, and turn a failure into one line and the exit status 1."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    try:
        run(parse_arguments())
    except ModelError as error:
        _log.error("error: %s", error)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
