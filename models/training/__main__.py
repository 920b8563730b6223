"""Train the depth network: ``python -m models.training --help``."""

from __future__ import annotations

import argparse
import copy
import logging
from dataclasses import replace
from pathlib import Path
from typing import Final

import torch
from torch import nn

from models.training import command
from models.training.data import Views
from models.training.evaluate import HeldOut, clean_mean, motorcycle
from models.training.export import export
from models.training.labels import make_all_shards
from models.training.network import DepthNet, Shape
from models.training.train import Config, Trainer, as_batch, follow, predictor, seeded_network
from models.training.warm_start import warm_started

SMOKE_MINUTES: Final = 2.0
_log = logging.getLogger("models.training")


CONFIGURABLE: Final = {
    "minutes": "of training",
    "rate": "peak learning rate",
    "batch": "views a step",
    "warm_up": "steps that lead up to the peak rate",
    "small_share": "share of the time at 128x224",
    "changed": "share of the pictures that noise, darkness, blur and the like are added to",
    "detail": "share of the teacher at 288x480 in the labels",
    "mean": "share that the running mean of the weights keeps at each step",
    "seed": "of weights, order and changes",
    "processes": "that label views, and then that make batches ahead; a GPU wants as many as there are cores",
}
"""Fields of `Config` that are options, and what their help says."""


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = command.parser(
        "models.training",
        "Train the depth network to imitate a teacher. Views of the pictures are labelled once and kept in the cache; "
        "a stopped run goes on with --resume. See docs/depth.md.",
        images="folder with train/, heldout/ and perhaps masks/",
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for checkpoint, log and the trained network")
    parser.add_argument("--cache", type=Path, help="folder for the labelled views (default: cache in --out)")
    parser.add_argument("--device", choices=("cpu", "cuda", "mps"), default="cpu")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch, on the CPU (default: %(default)s)")
    for name, text in CONFIGURABLE.items():
        default = getattr(Config, name)
        option = "--" + name.replace("_", "-")
        parser.add_argument(
            option, type=type(default), default=default, metavar="N", help=f"{text} (default: {default})"
        )
    parser.add_argument(
        "--half", action="store_true", help="compute in bfloat16 where that is safe: faster on a GPU that has it"
    )
    parser.add_argument(
        "--keep",
        type=float,
        default=0.0,
        metavar="N",
        help="share of the weights that it started from in the network that is written (default: %(default)s)",
    )
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
    cache = options.cache or options.out / "cache"
    make_all_shards(
        options.images, options.teacher, cache, options.processes, composites=options.composites, size=1000, seed=21
    )
    if options.labels_only:
        return
    config = Config(**{name: getattr(options, name) for name in CONFIGURABLE}, half=options.half)
    if options.smoke:
        config = replace(config, minutes=min(config.minutes, SMOKE_MINUTES), checkpoint_minutes=SMOKE_MINUTES / 4)
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
    return command.carry_out(lambda: run(parse_arguments()), "%(asctime)s %(message)s")


if __name__ == "__main__":
    raise SystemExit(main())
