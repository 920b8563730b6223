"""Measure models and whole pipelines on real frames, several backends under the same conditions.

Backends take turns round by round, so that a processor that slows down or another program that wakes up meets all of
them alike. The first rounds are left out: they allocate memory and, on a GPU, compile kernels.
"""

from pipelines.bench.contenders import Contender, contenders
from pipelines.bench.end_to_end import PipelineRun, measure_pipelines
from pipelines.bench.model_runs import ModelRun, measure_model, record_inputs
from pipelines.bench.report import Benchmark, run_benchmark

__all__ = [
    "Benchmark",
    "Contender",
    "ModelRun",
    "PipelineRun",
    "contenders",
    "measure_model",
    "measure_pipelines",
    "record_inputs",
    "run_benchmark",
]
