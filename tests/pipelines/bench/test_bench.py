"""The benchmark with backends whose speed and output are known."""

import numpy as np
import pytest

from models.errors import ModelError
from models.manifest import load_manifest
from pipelines.backends import SessionReport, get_backend
from pipelines.bench import Contender, contenders, measure_model, model_runs, record_inputs, run_benchmark
from pipelines.bench import contenders as contenders_function
from pipelines.bench.model_runs import INPUTS_KEPT
from pipelines.config import PipelineConfig
from pipelines.errors import BackendError
from pipelines.frame import Frame


class Clock:
    """Time that passes in fake sessions only: measuring must not depend on what else the machine does."""

    now = 0.0

    @classmethod
    def perf_counter(cls):
        return cls.now


@pytest.fixture
def clock(monkeypatch):
    monkeypatch.setattr(model_runs, "time", Clock)


class FakeSession:
    """Takes `ms` for a run and returns a constant."""

    def __init__(self, backend, manifest, threads):
        self.backend, self.manifest = backend, manifest
        self.report = SessionReport(
            manifest.name, backend.id, "cpu", "fake device", "fp32", threads, {"FakeProvider": 7}, 12.5
        )
        self.runs = 0
        backend.sessions.append(self)
        self.closed = False

    def run(self, image):
        assert not self.closed
        self.runs += 1
        self.backend.order.append(self.backend.id)
        if self.runs == self.backend.fail_at:
            raise BackendError(f"{self.backend.id} lost its device")
        Clock.now += self.backend.ms / 1e3
        # One buffer for all runs, as runtimes with bound outputs have.
        return {
            spec.name: np.full((1, 2), self.backend.value + image[0, 0, 0, 0], np.float32)
            for spec in self.manifest.outputs
        }

    def close(self):
        self.closed = True


class FakeBackend:
    def __init__(self, backend_id, kind, ms=0.2, value=1.0, order=None, fail_at=None, refuses=False):
        self.id, self.kind, self.ms, self.value = backend_id, kind, ms, value
        self.order = [] if order is None else order
        self.fail_at, self.refuses = fail_at, refuses
        self.sessions = []

    def open(self, manifest, threads=1):
        if self.refuses:
            raise ModelError(f"{manifest.name} has no file for {self.id}")
        return FakeSession(self, manifest, threads)


INPUTS = [np.full((1, 144, 256, 3), value, np.uint8) for value in range(3)]
KEY = ("segmentation", "selfie_landscape")


def measure(*field, **options):
    return measure_model(KEY, INPUTS, field, **{"warmup": 2, "samples": 8, **options})


def test_speed_and_agreement_are_relative_to_the_cpu(clock):
    order = []
    cpu = FakeBackend("fake-cpu", "cpu", ms=2.0, value=1.0, order=order)
    gpu = FakeBackend("fake-gpu", "gpu", ms=0.5, value=1.25, order=order)
    runs, failures = measure(Contender("cpu", cpu), Contender("gpu", gpu))
    assert failures == []
    assert [run.pipeline for run in runs] == ["cpu", "gpu"]
    assert runs[0].speedup_vs_cpu == 1.0
    assert runs[0].max_abs_diff_vs_cpu == 0.0
    assert runs[0].latency.p50 == pytest.approx(2.0)
    assert runs[1].speedup_vs_cpu == pytest.approx(4.0)
    assert runs[1].max_abs_diff_vs_cpu == 0.25
    assert [run.latency.count for run in runs] == [8, 8]
    # Turn by turn, not one after the other.
    assert order[:20] == ["fake-cpu", "fake-gpu"] * 10
    assert all(session.closed for backend in (cpu, gpu) for session in backend.sessions)


def test_the_entry_has_the_documented_keys(clock):
    (run,), _ = measure(Contender("cpu", FakeBackend("fake-cpu", "cpu")), threads=2)
    record = run.record()
    assert list(record) == [
        *("task", "model", "pipeline", "backend", "device", "software", "precision", "threads", "batch", "warmup"),
        *("samples", "latency_ms", "fps", "speedup_vs_cpu", "placement", "max_abs_diff_vs_cpu", "load_ms"),
    ]
    assert list(record["latency_ms"]) == ["p50", "p90", "p99", "mean"]
    assert record["fps"] == pytest.approx(1e3 / record["latency_ms"]["p50"], rel=0.01)
    assert (record["threads"], record["batch"], record["warmup"], record["samples"]) == (2, 1, 2, 8)
    assert record["placement"] == {"FakeProvider": 7}
    assert record["load_ms"] == 12.5


def test_without_a_cpu_nothing_is_claimed(clock):
    (run,), _ = measure(Contender("gpu", FakeBackend("fake-gpu", "gpu")))
    assert run.speedup_vs_cpu is None
    assert run.max_abs_diff_vs_cpu is None


@pytest.mark.parametrize("trouble", [{"refuses": True}, {"fail_at": 5}], ids=["refuses", "fails"])
def test_a_backend_that_cannot_does_not_stop_the_others(clock, trouble):
    cpu, gpu = FakeBackend("fake-cpu", "cpu"), FakeBackend("fake-gpu", "gpu", **trouble)
    runs, failures = measure(Contender("cpu", cpu), Contender("gpu", gpu))
    assert [run.pipeline for run in runs] == ["cpu"]
    assert len(failures) == 1
    assert "fake-gpu" in failures[0]
    assert all(session.closed for session in (*cpu.sessions, *gpu.sessions))


def test_a_slow_backend_is_measured_with_fewer_runs(clock):
    cpu, gpu = FakeBackend("fake-cpu", "cpu", ms=5), FakeBackend("fake-gpu", "gpu", ms=1495)
    runs, _ = measure(Contender("cpu", cpu), Contender("gpu", gpu), warmup=10, samples=100)
    # A round takes 1.5 s: the warm-up ends after 5 s, the measuring after 10 s.
    assert {(run.warmup, run.samples, run.latency.count) for run in runs} == {(4, 7, 7)}
    assert runs[1].speedup_vs_cpu == pytest.approx(5 / 1495)


def test_inputs_are_what_the_task_gives_its_model():
    rng = np.random.default_rng(1)
    frames = [Frame(rng.integers(0, 256, (90, 160, 3), dtype=np.uint8), number, number / 25) for number in range(20)]
    inputs = record_inputs(frames, PipelineConfig(tasks=("segmentation",)), get_backend("ort-cpu"))
    assert list(inputs) == [("segmentation", "selfie_landscape")]
    pictures = inputs["segmentation", "selfie_landscape"]
    assert len(pictures) == INPUTS_KEPT
    shape = load_manifest("selfie_landscape").input.shape
    assert all(picture.shape == tuple(shape) and picture.dtype == np.uint8 for picture in pictures)
    assert not (pictures[0] == pictures[1]).all()


def test_whole_pipelines_are_measured_on_real_models():
    frames = [Frame(np.full((72, 128, 3), 10 * number, np.uint8), number, number / 25) for number in range(8)]
    drawn = []
    benchmark = run_benchmark(
        frames,
        contenders(["cpu"]),
        lambda result: drawn.append(result.frame.index),
        ("segmentation", "depth"),
        warmup=2,
        samples=3,
    )
    record = benchmark.record()
    assert list(record) == ["app", "machine", "runs", "end_to_end", "failures"]
    assert record["failures"] == []
    assert record["machine"]["gpu"] is None
    assert {(run["task"], run["pipeline"], run["backend"]) for run in record["runs"]} == {
        ("segmentation", "cpu", "ort-cpu"),
        ("depth", "cpu", "ort-cpu"),
    }
    assert all(run["max_abs_diff_vs_cpu"] == 0.0 and run["latency_ms"]["p50"] > 0 for run in record["runs"])
    (whole,) = record["end_to_end"]
    assert whole["samples"] == 6
    assert whole["frame_size"] == [128, 72]
    assert set(whole["tasks"]) == {"segmentation", "depth"}
    assert whole["frame_ms"]["p50"] >= whole["latency_ms"]["p50"]
    assert drawn == list(range(8))


def test_by_default_everything_available_takes_part():
    field = contenders_function()
    assert field[0].pipeline == "cpu"
    assert field[0].backend.kind == "cpu"
    assert len({item.backend.id for item in field}) == len(field)
    assert all(item.backend.availability().available for item in field)


def test_a_backend_is_not_compared_with_itself():
    with pytest.raises(BackendError, match="named twice"):
        contenders(["cpu", "ort-cpu"])
