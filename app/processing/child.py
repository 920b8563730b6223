"""The process that does the work: `python -m app.processing.child`.

Orders come in on standard input and news goes out on standard output, an object of JSON a line. Work in a thread of
the window would take the interpreter from it: 13 to 27 times in 8 s an event waited for more than 50 ms, up to 275 ms;
beside this process none did (the demo clip, 2 cores, both in turn, other programs busy). And a decoder that crashes
would take the window down.

Orders, each with the key "do":
    expand (id, paths)                  files of folders: tells `files`
    look (id, path, options)            what a file is, and what an earlier run has left: tells `facts` or `unreadable`
    kept (id, path, options)            what an earlier run has left of it: tells `kept`
    sweep (id, path, outputs, process, options)
                                        remove what a process that was killed has left, but nothing that can be gone on
                                        with; without options everything: tells `swept`
    run (id, path, options, taken)      process a file: tells `planned`, `progress`, then `done`, `failed`, `cancelled`.
                                        Goes on with what an earlier run has left, if that was made the same way
    cancel (id)                         call a file off, also one whose turn has not come
    pause (on)                          hold the work between two frames, or go on
The end of the input calls everything off, but what can be gone on with is kept then, as when a file fails.
"""

from __future__ import annotations

import json
import os
import queue
import re
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Final

from app.cli.process_tools import effect_options
from app.processing.looking import expand, look
from app.processing.options import Outputs, ProcessOptions, free_outputs, from_record, request_for
from app.processing.sweep import sweep
from app.processing.teller import Teller, leave_with, own_stdout
from app.style import style_from
from models.errors import VisionError
from pipelines.config import PipelineConfig
from pipelines.offline.crew import Cancelled
from pipelines.offline.cutout import cut_out
from pipelines.offline.job import Draw, JobReport, Tools
from pipelines.offline.leftover import Leftover, discard, leftover
from pipelines.offline.plan import Job, make_plan
from pipelines.offline.pool import PipelinePool
from pipelines.offline.queue import run_queue
from pipelines.offline.work import CannotGoOn
from pipelines.overlay import EffectKind, apply_effect, draw_results, parse_effect

GRACE_S: Final = 10.0
"""This long after the window is gone the process ends, whatever a driver does."""
_ADVICE: Final = re.compile(r" \(--[^)]*\)")

Order = dict[str, Any]


class Child:
    """Does orders one after the other.

    Parameters
    ----------
    teller : Teller
        Gets the news.
    """

    def __init__(self, teller: Teller) -> None:
        self._teller = teller
        self._orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._current: int | None = None
        self._called_off: set[int] = set()
        self._cancel = threading.Event()
        self._pause = threading.Event()
        self._over = False
        self._pool: PipelinePool | None = None

    def listen(self, stream: IO[bytes]) -> None:
        """Take orders until the stream ends, then call everything off."""
        for line in stream:
            order = json.loads(line)
            match order["do"]:
                case "pause":
                    (self._pause.set if order["on"] else self._pause.clear)()
                case "cancel":
                    self._call_off(order["id"])
                case _:
                    self._orders.put(order)
        with self._lock:
            self._over = True
            self._cancel.set()
        self._orders.put(None)
        # A driver that never returns must not outlive the window.
        threading.Timer(GRACE_S, os._exit, [1]).start()

    def _call_off(self, number: int) -> None:
        with self._lock:
            self._called_off.add(number)
            if number == self._current:
                self._cancel.set()

    def work(self) -> None:
        """Do orders until there are no more."""
        try:
            while (order := self._orders.get()) is not None and not self._over:
                self._do(order)
        finally:
            if self._pool is not None:
                self._pool.close()

    def _do(self, order: Order) -> None:
        number = order["id"]
        match order["do"]:
            case "expand":
                files, problems = expand(order["paths"])
                self._teller.tell("files", id=number, files=files, problems=[_plain(text) for text in problems])
            case "look":
                try:
                    facts = look(Path(order["path"]))
                    self._teller.tell("facts", id=number, kept=kept(order), **facts)
                except VisionError as error:
                    self._teller.tell("unreadable", id=number, message=_plain(str(error)))
            case "kept":
                self._teller.tell("kept", id=number, kept=kept(order))
            case "sweep":
                outputs, keep = Outputs.from_record(order["outputs"]), order["options"] is not None
                sweep(Path(order["path"]), outputs, order["process"], keep)
                self._teller.tell("swept", id=number, kept=kept(order) if keep else None)
            case "run":
                self._run(number, Path(order["path"]), order["options"], order["taken"])

    def _run(self, number: int, path: Path, record: Order, taken: list[str]) -> None:
        with self._lock:
            self._current = number
            if self._over or number in self._called_off:
                self._cancel.set()
            else:
                self._cancel.clear()
        teller = self._teller
        outputs: Outputs | None = None
        try:
            if self._cancel.is_set():
                raise Cancelled
            options = from_record(record)
            draw, options_drawn = drawing(options), drawn_options(options)
            tools = Tools(self._pool_for(options.config()), draw, self._cancel, self._pause, options_drawn)
            outputs = free_outputs(path, options, taken)
            (job,) = make_plan(request_for(path, options, outputs))
            teller.tell("planned", id=number, outputs=outputs.to_record())
            found = leftover(job, outputs.results, tools.pipelines.config, options_drawn)
            if found is not None and found.difference:
                discard(job, outputs.results)
            report = run_queue((job,), tools, Told(teller, number), outputs.results, options.replace)
            if any(isinstance(error, CannotGoOn) for _, error in report.failures):
                discard(job, outputs.results)
                report = run_queue((job,), tools, Told(teller, number), outputs.results, options.replace)
            for _, error in report.failures:
                left = leftover(job, outputs.results, tools.pipelines.config, options_drawn)
                teller.tell("failed", id=number, message=_plain(str(error)), kept=_kept_record(left))
            for done in report.reports:
                teller.tell("done", id=number, outputs=[str(place) for place in outputs.places()], **_record(done))
        except VisionError as error:
            teller.tell("failed", id=number, message=_plain(str(error)))
        except Cancelled:
            if outputs is not None and not self._over:
                sweep(path, outputs, os.getpid())
            teller.tell("cancelled", id=number)
        finally:
            with self._lock:
                self._current = None
                self._called_off.discard(number)

    def _pool_for(self, config: PipelineConfig) -> PipelinePool:
        """Return loaded models: those of the file before, where the same are wanted."""
        if self._pool is None or self._pool.config != config:
            if self._pool is not None:
                self._pool.close()
            self._pool = PipelinePool(config)
        return self._pool


class Told:
    """Progress of one file (see `pipelines.offline.queue.Progress`) as news."""

    def __init__(self, teller: Teller, number: int) -> None:
        self._teller = teller
        self._number = number

    def begin(self, job: Job, number: int, of: int) -> None:
        """Nothing to tell: the file is open in a moment."""

    def opened(self, job: Job, preflight: str) -> None:
        """Told before, when it was looked at."""

    def update(self, job: Job, done: int, expected: int | None) -> None:
        """Tell how far it is."""
        self._teller.tell("progress", id=self._number, done=done, expected=expected)

    def done(self, report: JobReport) -> None:
        """Told when the results file is in its place too."""

    def failed(self, job: Job, error: VisionError) -> None:
        """Told when everything is cleared up."""


def drawing(options: ProcessOptions) -> Draw:
    """Return what makes the picture of a result.

    Raises
    ------
    ConfigError
        If the effect cannot be had.
    """
    if options.alpha:
        return cut_out
    effect = parse_effect(options.effect)
    if effect.kind is not EffectKind.NONE:
        return lambda result: apply_effect(result, effect)
    style = style_from(options.style)
    return lambda result: draw_results(result, style)


def drawn_options(options: ProcessOptions) -> dict[str, str]:
    """Return what decides how the picture of a result is drawn, as `Tools` wants it.

    Raises
    ------
    ConfigError
        If the effect cannot be had.
    """
    effect = {} if options.alpha else effect_options(options.effect)
    return {**effect, "style": json.dumps(dict(options.style), sort_keys=True)}


def kept(order: Order) -> dict[str, Any] | None:
    """Return what a run that broke off has left of a file, for an order that tells its path and the options."""
    try:
        path, options = Path(order["path"]), from_record(order["options"])
        outputs = free_outputs(path, options, ())
        (job,) = make_plan(request_for(path, options, outputs))
        return _kept_record(leftover(job, outputs.results, options.config(), drawn_options(options)))
    except VisionError:
        return None  # options that cannot be used are told when the work starts


def _kept_record(found: Leftover | None) -> dict[str, Any] | None:
    return None if found is None else asdict(found)


def _record(report: JobReport) -> dict[str, Any]:
    return {
        "frames": report.frames or 0,  # known, but for work that is not of this window
        "duration_s": report.duration_s,
        "work_s": report.work_s,
        "resumed": report.resumed,
        "damage": _plain(report.damage),
        "notices": list(report.notices),
    }


def _plain(sentence: str) -> str:
    """Leave out what a sentence advises for the command line."""
    return _ADVICE.sub("", sentence)


def main() -> None:
    """Serve the window that started this process."""
    child = Child(Teller(own_stdout()))
    threading.Thread(target=child.listen, args=(sys.stdin.buffer,), name="orders", daemon=True).start()
    leave_with(child.work)


if __name__ == "__main__":
    main()
