"""One run: label, train in one or several processes, write the network.

Not in `__main__`: a process that is started anew could not find there what it is to do.
"""

from __future__ import annotations

import argparse
import copy
import logging
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import torch
from torch import nn

from models.training.data import Views
from models.training.evaluate import HeldOut, clean_mean, motorcycle
from models.training.export import export
from models.training.fresh import Anew
from models.training.labels import make_all_shards
from models.training.losses import Weights
from models.training.network import DepthNet, Shape
from models.training.replicas import Replicas, end_others, start_others
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
    "processes": "that label views, and then that make batches ahead; a GPU wants as many as there are cores; with 0 "
    "they are made in between",
}
"""Fields of `Config` that are options, and what their help says."""


def run(options: argparse.Namespace) -> None:
    """Label, train, and write the network.

    Raises
    ------
    ModelError
        If pictures or teacher are missing or cannot be used, or the training fails.
    """
    make_all_shards(
        options.images,
        options.teacher,
        _cache(options),
        max(options.processes, 1),
        composites=options.composites,
        size=1000,
        seed=21,
        most=options.views,
    )
    if options.labels_only:
        return
    with tempfile.TemporaryDirectory() as folder:
        meeting = Path(folder) / "meeting"
        others = start_others(train, options.replicas, options, meeting)
        patience_s = 0.0  # where this one fails, the others wait for it in vain
        try:
            train(0, options, meeting)
            patience_s = 60.0
        finally:
            end_others(others, patience_s)


def train(rank: int, options: argparse.Namespace, meeting: Path) -> None:
    """Train, one of `--replicas` processes; the first one writes what comes of it.

    Raises
    ------
    ModelError
        If pictures or teacher are missing or cannot be used, or the training fails.
    """
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    replicas = Replicas(rank, options.replicas)
    config = Config(
        **{name: getattr(options, name) for name in CONFIGURABLE},
        only_coarse=options.only_coarse,
        half=options.half,
        weights=Weights(coarse=options.coarse),
    )
    if options.smoke:
        config = replace(config, minutes=min(config.minutes, SMOKE_MINUTES), checkpoint_minutes=SMOKE_MINUTES / 4)
    anew = Anew(options.images, options.teacher, options.fresh) if options.fresh else None
    views = Views(_cache(options), config.seed + 1000 * rank, config.detail, config.changed, anew)
    figures = _figures(HeldOut(options.images / "heldout", options.teacher)) if rank == 0 else None
    start = _start(options, views)
    replicas.join(meeting)
    trainer = Trainer(config, views, copy.deepcopy(start), options.out, options.device, figures, replicas)
    if options.resume:
        trainer.resume()
    trainer.run()
    replicas.leave()
    if figures is None:
        return
    path = options.out / "depth.onnx"
    network = trainer.trained().cpu()
    follow(network, start, 1 - options.keep)
    export(network, path)
    _log.info("%s: %s", path, {name: round(value, 4) for name, value in figures(network).items()})


def _cache(options: argparse.Namespace) -> Path:
    cache: Path = options.cache or options.out / "cache"
    return cache


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
