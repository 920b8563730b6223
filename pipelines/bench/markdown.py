"""A benchmark for people to read."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.bench.end_to_end import PipelineRun
from pipelines.bench.model_runs import ModelRun
from pipelines.bench.report import Benchmark
from pipelines.bench.verdicts import verdicts
from pipelines.machine import APP, machine_info
from pipelines.timing import MISSING


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]


def markdown(benchmark: Benchmark, notes: Sequence[str] = ()) -> str:
    """Return a benchmark as a Markdown document.

    Parameters
    ----------
    benchmark : Benchmark
        What was measured.
    notes : sequence of str
        Sentences for the end.
    """
    machine = machine_info()
    lines = [
        "# Twinlens: measured on this machine",
        "",
        f"{APP}, {machine['cpu']}, {machine['cores']} cores, {machine['os']}, Python {machine['python']}, "
        f"ONNX Runtime {machine['onnxruntime']}.",
        "",
        "## All tasks and the drawing",
        "",
        *_end_to_end(benchmark.end_to_end),
        "",
        "## Each model",
        "",
        *_models(benchmark.runs),
        "",
        "Latency of one run on inputs from real frames, in milliseconds; the first runs are left out. Speed-up and "
        "difference are against `cpu`, measured in turn on the same inputs.",
    ]
    sentences = [*verdicts(benchmark.runs), *benchmark.failures, *notes]
    if sentences:
        lines += ["", "## Notes", "", *(f"- {sentence}" for sentence in sentences)]
    return "\n".join(lines) + "\n"


def _end_to_end(runs: Sequence[PipelineRun]) -> list[str]:
    rows = []
    for run in runs:
        tasks = ", ".join(f"{name} {stats.p50:.2f}" for name, stats in run.tasks.items())
        backends = ", ".join(dict.fromkeys(run.backends.values()))
        frame = run.frame
        rows.append(
            [
                *(run.pipeline, backends, f"{run.size_wh[0]}x{run.size_wh[1]}", f"{1e3 / frame.p50:.1f}"),
                *(f"{frame.p50:.2f}", f"{frame.p95:.2f}", f"{run.draw.p50:.2f}", tasks, f"{run.load_ms:.0f}"),
            ]
        )
    header = ["pipeline", "backend", "frame", "frames/s", "ms p50", "ms p95", "drawing ms", "tasks ms", "load ms"]
    return table(header, rows)


def _models(runs: Sequence[ModelRun]) -> list[str]:
    rows = []
    for run in runs:
        report = run.report
        placement = ", ".join(f"{provider} {count}" for provider, count in report.placement.items())
        speedup = MISSING if run.speedup_vs_cpu is None else f"{run.speedup_vs_cpu:.2f}x"
        difference = MISSING if run.max_abs_diff_vs_cpu is None else f"{run.max_abs_diff_vs_cpu:.2g}"
        device = f"{report.device} (software)" if report.software else report.device
        rows.append(
            [
                *(run.task, run.model, run.pipeline, report.backend, device, f"{run.latency.p50:.2f}"),
                *(f"{run.latency.p90:.2f}", f"{run.latency.p99:.2f}", speedup, difference, placement),
                *(str(report.threads), f"{report.load_ms:.0f}"),
            ]
        )
    header = ["task", "model", "pipeline", "backend", "device", "p50", "p90", "p99", "speed-up", "difference"]
    return table([*header, "nodes", "threads", "load ms"], rows)
