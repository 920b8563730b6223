"""The process that measures or examines: `python -m app.pages.child`.

One order comes in on standard input, an object of JSON in a line, with the key "do":
    bench (tasks, models)     measure: tells `progress`, then `finished` or `failed`
    examine (refresh)         look at the machine: tells `progress`, then `finished` or `failed`
The process ends with its order, or when the input ends. In the window's own process the measuring would slow down the
picture, and the picture the measuring.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

from app.processing.teller import Teller, leave_with, own_stdout
from models.errors import VisionError
from pipelines.backends.child import end_with_parent, first_line

Order = dict[str, Any]


def bench(teller: Teller, order: Order) -> None:
    """Measure every model, and the pipelines, on the backends that are available.

    Raises
    ------
    VisionError
        If that is impossible.
    """
    # Here: the other order does without them.
    from pipelines.bench import ModelRun, contenders, run_benchmark
    from pipelines.bench.markdown import markdown
    from pipelines.bench.plot import plot
    from pipelines.bench.verdicts import verdicts
    from pipelines.export import encode_picture
    from pipelines.offline.showcase import BENCH_FRAMES, read_frames
    from pipelines.overlay import OverlayStyle, draw_results

    def progress(step: str, runs: Sequence[ModelRun]) -> None:
        teller.tell("progress", step=step, runs=[run.record() for run in runs])

    progress("backends", ())
    field = contenders()
    style = OverlayStyle()
    benchmark = run_benchmark(
        read_frames(BENCH_FRAMES),
        field,
        lambda result: draw_results(result, style),
        order["tasks"],
        models=order["models"],
        progress=progress,
    )
    teller.tell(
        "finished",
        record=benchmark.record(),
        verdicts=[*verdicts(benchmark.runs), *benchmark.failures],
        markdown=markdown(benchmark),
        chart=base64.b64encode(encode_picture(plot(benchmark), ".png")).decode(),
    )


def examine(teller: Teller, order: Order) -> None:
    """Find out what this machine can do."""
    from app.cli.doctor import as_text
    from pipelines.doctor import examine as look

    diagnosis = look(lambda what: teller.tell("progress", step=what), order["refresh"])
    teller.tell("finished", diagnosis=diagnosis, text=as_text(diagnosis))


def serve(teller: Teller, order: Order) -> None:
    """Do an order."""
    try:
        {"bench": bench, "examine": examine}[order["do"]](teller, order)
    except VisionError as error:
        teller.tell("failed", message=str(error))


def main() -> None:
    """Do the order that the window gives."""
    teller = Teller(own_stdout())
    order = json.loads(first_line())
    end_with_parent()
    leave_with(lambda: serve(teller, order))


if __name__ == "__main__":
    main()
