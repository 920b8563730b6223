"""Several processes that train one network together, each on batches of its own.

On a processor two threads of one process are hardly faster than one with maps as small as these; two processes that
average their gradients after each step are nearly twice as fast.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, distributed, nn

from models.errors import ModelError

PATIENCE: Final = timedelta(minutes=10)
"""How long one waits for another: the first one judges the network now and then."""


class Replicas:
    """One of several processes.

    Parameters
    ----------
    rank : int
        Its number, from 0. The first one writes the log and the checkpoints.
    count : int
        How many there are.
    """

    def __init__(self, rank: int = 0, count: int = 1) -> None:
        self.rank, self.count = rank, count

    def join(self, meeting: Path) -> None:
        """Wait for the others, at a file that does not exist before.

        Raises
        ------
        ModelError
            If this PyTorch cannot exchange gradients.
        """
        if self.count == 1:
            return
        if not distributed.is_available():
            raise ModelError("this PyTorch has no torch.distributed, which --replicas needs")
        distributed.init_process_group(
            "gloo", init_method=f"file://{meeting}", rank=self.rank, world_size=self.count, timeout=PATIENCE
        )

    def leave(self) -> None:
        """Let go of the others."""
        if self.count > 1:
            distributed.destroy_process_group()

    def agree(self, network: nn.Module) -> None:
        """Give every process the first one's weights and statistics."""
        if self.count > 1:
            for value in network.state_dict().values():
                distributed.broadcast(value, 0)

    def averaged(self, parameters: Iterable[nn.Parameter], seconds: float) -> float:
        """Replace the gradients by their mean over all processes, and return the mean of `seconds`.

        Raises
        ------
        ModelError
            If one of the others has ended.
        """
        if self.count == 1:
            return seconds
        gradients = [item.grad for item in parameters if item.grad is not None]
        # Rows of a channels_last gradient lie in another order, the same one everywhere.
        flat = torch.cat([*(item.reshape(-1) for item in gradients), torch.tensor([seconds])])
        try:
            distributed.all_reduce(flat)
        except RuntimeError as error:
            raise ModelError("one of the processes that train together has ended") from error
        flat /= self.count
        start = 0
        for item in gradients:
            item.copy_(_part(flat, start, item))
            start += item.numel()
        return float(flat[-1])


def _part(flat: Tensor, start: int, like: Tensor) -> Tensor:
    return flat[start : start + like.numel()].view(like.shape)


def start_others(target: Callable[..., None], count: int, *arguments: Any) -> list[Any]:
    """Start `target(rank, *arguments)` for the ranks from 1 on, in processes that end with this one."""
    context = multiprocessing.get_context("spawn")
    # Not daemons: they start processes that make batches.
    others = [context.Process(target=target, args=(rank, *arguments)) for rank in range(1, count)]
    for process in others:
        process.start()
    return others


def end_others(others: list[Any], patience_s: float) -> None:
    """Wait for processes that are done, and end those that are not after a while."""
    for process in others:
        process.join(patience_s)
        if process.is_alive():
            process.terminate()
            process.join()
