"""The training run: schedule, steps, the running mean of the weights, checkpoints, and a log."""

from __future__ import annotations

import copy
import json
import logging
import math
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from models.errors import ModelError
from models.training.ahead import Ahead
from models.training.coarse import CoarseNet
from models.training.data import Batch, Views
from models.training.evaluate import Predict
from models.training.losses import Weights, loss
from models.training.network import DepthNet, Shape
from models.training.replicas import Replicas
from models.training.teacher import SIZE

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Config:
    """One run.

    Parameters
    ----------
    minutes : float
        Length of the run; the learning rate falls to `last_rate` of its peak over this time. Time and not steps: a
        machine that others use as well decides for itself how many steps that is.
    rate, last_rate, warm_up : float, float, int
        Peak learning rate, its last value as a share of the peak, and the steps that lead up to it.
    decay : float
        Weight decay of the convolutions.
    batch : int
        Views a step.
    small_share, small_size : float, tuple of int
        The first part of the run works on smaller pictures (height, width).
    mean : float
        What the running mean of the weights keeps at each step.
    detail : float
        Share of the larger teacher in the labels.
    changed : float
        Share of the pictures that are changed as a webcam might.
    seed : int
        Of weights, order and changes.
    checkpoint_minutes : float
        Between two checkpoints, and between two lines of the log.
    processes : int
        How many make batches ahead; 0: they are made in between.
    only_coarse : bool
        Train the middle of the network alone, see `coarse`.
    half : bool
        Compute the network in bfloat16 where that is safe (PyTorch's autocast); weights and loss stay float32.
    """

    minutes: float = 60.0
    rate: float = 1.5e-3
    last_rate: float = 0.01
    warm_up: int = 200
    decay: float = 0.02
    batch: int = 16
    small_share: float = 0.3
    small_size: tuple[int, int] = (128, 224)
    mean: float = 0.998
    detail: float = 0.4
    changed: float = 1.0
    seed: int = 11
    checkpoint_minutes: float = 5.0
    processes: int = 1
    only_coarse: bool = False
    half: bool = False
    weights: Weights = field(default_factory=Weights)
    shape: Shape = field(default_factory=Shape)


class Trainer:
    """A run that can be stopped and resumed.

    Parameters
    ----------
    config : Config
        The run.
    views : Views
        What it learns from.
    start : DepthNet
        What it starts with.
    folder : Path
        For `checkpoint.pt` and `log.jsonl`.
    device : str
        "cpu", "cuda" or "mps".
    evaluate : callable, optional
        Gives figures for a network; called with the mean weights before each line of the log.
    replicas : Replicas, optional
        Who trains along. Each has views of its own and starts with the first one's network.
    """

    def __init__(
        self,
        config: Config,
        views: Views,
        start: DepthNet,
        folder: Path,
        device: str = "cpu",
        evaluate: Callable[[nn.Module], dict[str, float]] | None = None,
        replicas: Replicas | None = None,
    ) -> None:
        self.config, self._views, self._folder, self._evaluate = config, views, folder, evaluate
        self._device, self._replicas = torch.device(device), replicas or Replicas()
        module: nn.Module = CoarseNet(start) if config.only_coarse else start
        self.network = module.to(self._device, memory_format=torch.channels_last)
        self._replicas.agree(self.network)
        self.mean = copy.deepcopy(self.network).eval()
        convolutions = [item for item in self.network.parameters() if item.ndim > 1]
        others = [item for item in self.network.parameters() if item.ndim <= 1]
        groups = [{"params": convolutions, "weight_decay": config.decay}, {"params": others, "weight_decay": 0.0}]
        self._optimiser = torch.optim.AdamW(groups, config.rate, betas=(0.9, 0.99), fused=True)
        self.step, self._seconds = 0, 0.0
        folder.mkdir(parents=True, exist_ok=True)

    def run(self) -> None:
        """Train to the end of the configured time, with a checkpoint and a line of the log every few minutes.

        Raises
        ------
        ModelError
            If the loss stops being a number.
        """
        config = self.config
        next_line = self._seconds + config.checkpoint_minutes * 60
        sums: dict[str, float] = {}
        steps_before, seconds_before = self.step, self._seconds
        self.network.train()
        with closing(Ahead(self._views, config.batch, config.processes)) as ahead:
            begun = time.monotonic() - self._seconds
            for batch, round_number in ahead.batches(self._size):
                if self._share >= 1:
                    break
                for name, value in self._learn(batch, time.monotonic() - begun).items():
                    sums[name] = sums.get(name, 0.0) + value
                if self._seconds >= next_line:
                    next_line += config.checkpoint_minutes * 60
                    steps = self.step - steps_before
                    # Only the first one's are looked at, but all of them begin the next sums at the same step.
                    line = {name: round(value / steps, 5) for name, value in sums.items()}
                    self._write_line(line, round_number, self._size(), (self._seconds - seconds_before) / steps)
                    sums, steps_before = {}, self.step
                    self.save()
                    seconds_before = time.monotonic() - begun
        self.save()

    def trained(self) -> DepthNet:
        """Return the network with the mean weights."""
        network = self.mean.network if isinstance(self.mean, CoarseNet) else self.mean
        assert isinstance(network, DepthNet)
        return network

    @property
    def _share(self) -> float:
        """How much of its time has passed."""
        return self._seconds / (self.config.minutes * 60)

    def _size(self) -> tuple[int, int]:
        """Return the height and width that it works at now."""
        return self.config.small_size if self._share < self.config.small_share else SIZE

    def _learn(self, batch: Batch, seconds: float = 0.0) -> dict[str, float]:
        """Take one step and return the parts of the loss; `seconds` of the run have passed."""
        config = self.config
        for group in self._optimiser.param_groups:
            group["lr"] = learning_rate(config, self.step, self._share)
        images, labels = (self._moved(torch.from_numpy(array)) for array in batch)
        # The pictures lie in memory as channels_last wants them.
        x = images.permute(0, 3, 1, 2).float().div_(255)
        with torch.autocast(self._device.type, torch.bfloat16, enabled=config.half):
            depth = self.network(x)
        wanted = F.adaptive_avg_pool2d(labels[:, None], depth.shape[2:])
        parts = loss(depth.float(), wanted, config.weights)
        if not bool(torch.isfinite(parts.total)):
            raise ModelError(f"the loss is no longer a number after {self.step} steps; a lower rate may help")
        self._optimiser.zero_grad(set_to_none=True)
        parts.total.backward()
        self._seconds = self._replicas.averaged(self.network.parameters(), seconds)
        nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self._optimiser.step()
        self.step += 1
        follow(self.mean, self.network, min(config.mean, (self.step + 1) / (self.step + 20)))
        return {name: float(value.detach()) for name, value in vars(parts).items()}

    def _moved(self, values: Tensor) -> Tensor:
        """Return values on the device; one with memory of its own takes them while the processor goes on."""
        if self._device.type == "cuda":
            values = values.pin_memory()
        return values.to(self._device, non_blocking=True)

    def _write_line(self, line: dict[str, float], round_number: int, size: tuple[int, int], seconds: float) -> None:
        if self._replicas.rank:
            return
        entry: dict[str, Any] = {
            "minutes": round(self._seconds / 60, 1),
            "step": self.step,
            "round": round_number,
            "size": list(size),
            "seconds_a_batch": round(seconds, 3),
            **line,
        }
        if self._evaluate is not None:
            entry |= {name: round(value, 4) for name, value in self._evaluate(self.mean).items()}
        left = self.config.minutes - self._seconds / 60
        _log.info("%s, %.0f minutes left", json.dumps(entry), left)
        with (self._folder / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")

    def save(self) -> None:
        """Write the checkpoint; a stop in between leaves the last one. Of several processes the first one does."""
        if self._replicas.rank:
            return
        state = {
            "config": asdict(self.config),
            "step": self.step,
            "seconds": self._seconds,
            "network": self.network.state_dict(),
            "mean": self.mean.state_dict(),
            "optimiser": self._optimiser.state_dict(),
        }
        unfinished = self._folder / "checkpoint.part"
        torch.save(state, unfinished)
        unfinished.replace(self._folder / "checkpoint.pt")

    def resume(self) -> None:
        """Go on from the checkpoint in the folder. Order and changes of the views begin anew.

        Raises
        ------
        ModelError
            If it belongs to a network of another shape.
        """
        state = torch.load(self._folder / "checkpoint.pt", map_location=self._device, weights_only=True)
        try:
            self.network.load_state_dict(state["network"])
        except RuntimeError as error:
            raise ModelError(f"the checkpoint in {self._folder} is of a network of another shape") from error
        self.mean.load_state_dict(state["mean"])
        self._optimiser.load_state_dict(state["optimiser"])
        self.step, self._seconds = state["step"], state["seconds"]


def learning_rate(config: Config, step: int, share: float) -> float:
    """Return the rate for a step: a linear start, then half a cosine over the time of the run."""
    begin = min(1.0, (step + 1) / config.warm_up)
    cosine = 0.5 * (1 + math.cos(math.pi * min(share, 1.0)))
    return config.rate * begin * (config.last_rate + (1 - config.last_rate) * cosine)


@torch.no_grad()
def follow(mean: nn.Module, network: nn.Module, kept: float) -> None:
    """Move the mean weights (and statistics) towards the network's by `1 - kept`."""
    for old, new in zip(mean.state_dict().values(), network.state_dict().values(), strict=True):
        if old.dtype.is_floating_point:
            old.lerp_(new, 1 - kept)
        else:
            old.copy_(new)


def seeded_network(shape: Shape, seed: int) -> DepthNet:
    """Return a network with random weights.

    The last normalisation of each block starts at one half: a deep sum of blocks starts out calmer.
    """
    torch.manual_seed(seed)
    network = DepthNet(shape)
    for name, item in network.named_parameters():
        if ".narrow.norm.weight" in name and not name.startswith("to_"):
            nn.init.constant_(item, 0.5)
    return network


def as_batch(images: Any) -> Tensor:
    """Return uint8 (n, h, w, 3) RGB pictures as the network wants them, float32 (n, 3, h, w) in 0..1."""
    return torch.from_numpy(images).permute(0, 3, 1, 2).float().div_(255)


def predictor(network: nn.Module) -> Predict:
    """Return how a network in PyTorch predicts, on the device where it is: a map as large as the picture."""
    device = next(network.parameters()).device

    @torch.no_grad()
    def predict(image_rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
        depth = torch.relu(network(as_batch(image_rgb[None]).to(device)))
        depth = F.interpolate(depth, image_rgb.shape[:2], mode="bilinear", align_corners=False)
        return depth[0, 0].float().cpu().numpy()

    return predict
