"""What the jobs of `twinlens process` share: models and the drawing, as the options ask for."""

from __future__ import annotations

import argparse
import hashlib
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pipelines.config import PipelineConfig
from pipelines.errors import ConfigError
from pipelines.offline.comparison import Comparison
from pipelines.offline.cutout import cut_out
from pipelines.offline.pool import PipelinePool
from pipelines.offline.tools import Draw, Tools
from pipelines.overlay import EffectKind, OverlayStyle, apply_effect, draw_results, parse_effect


@contextmanager
def opened_tools(
    config: PipelineConfig, effect: str, alpha: bool, compare: tuple[str, str] | None, cancel: threading.Event
) -> Iterator[Tools]:
    """Yield what the jobs of a process share, and release it after them. Made of values that another process can get.

    Parameters
    ----------
    config : PipelineConfig
        What to compute.
    effect : str
        As given on the command line.
    alpha : bool
        The background is transparent.
    compare : tuple of str or None
        The two pipelines to run instead of one.
    cancel : Event
        Calls the work off.

    Raises
    ------
    VisionError
        If a pipeline of a comparison cannot run it.
    """
    if compare is not None:
        with Comparison(config, *compare) as pair:
            yield Tools(pair, pair.draw, cancel, options={"--compare": ",".join(compare)})
    else:
        with PipelinePool(config) as pool:
            yield Tools(pool, drawing(effect, config.tasks, alpha), cancel, options=effect_options(effect))


def effect_options(effect_text: str) -> dict[str, str]:
    """Return what decides how an effect looks: its text, and the contents of its picture.

    Raises
    ------
    ConfigError
        If there is no such effect.
    """
    picture = parse_effect(effect_text).picture_bgr
    options = {"--effect": effect_text}
    if picture is not None:
        options["picture behind the person"] = f"SHA-256 {hashlib.sha256(picture.tobytes()).hexdigest()[:16]}"
    return options


def check_comparison(args: argparse.Namespace) -> None:
    """Refuse what a comparison cannot be combined with.

    Raises
    ------
    ConfigError
        If there is such an option.
    """
    if args.pipeline is not None:
        raise ConfigError("--compare names both pipelines: leave out --pipeline")
    if args.effect != "none" or args.alpha:
        raise ConfigError("--compare shows the results of both pipelines: leave out --effect and --alpha")


def shown_tasks(effect_text: str, tasks: Sequence[str], alpha: bool) -> tuple[str, ...]:
    """Return the tasks, of those that are asked for, whose results the picture shows. Parameters as for `drawing`."""
    if alpha:
        return ("segmentation",)
    effect = parse_effect(effect_text)
    if effect.kind is EffectKind.NONE:
        return tuple(tasks)
    return tuple(task for task in tasks if task in effect.used_tasks)


def drawing(effect_text: str, tasks: Sequence[str], alpha: bool = False) -> Draw:
    """Return what makes the picture: the results drawn on the frame, the frame with an effect, or the person alone.

    Parameters
    ----------
    effect_text : str
        The effect as given on the command line.
    tasks : sequence of str
        Tasks that run.
    alpha : bool
        The background is transparent.

    Raises
    ------
    ConfigError
        If there is no such effect, it needs a task that is off, or there is no background for it.
    """
    effect = parse_effect(effect_text)
    if alpha:
        if effect.kind is not EffectKind.NONE:
            raise ConfigError(f"--alpha leaves no background for the effect {effect.kind.value}")
        return cut_out
    missing = [task for task in effect.tasks if task not in tasks]
    if missing:
        raise ConfigError(f"the effect {effect.kind.value} needs the task {missing[0]}")
    if effect.kind is EffectKind.NONE:
        style = OverlayStyle()
        return lambda result: draw_results(result, style)
    return lambda result: apply_effect(result, effect)
