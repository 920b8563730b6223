"""Rates and latencies, with a clock that the test moves."""

import numpy as np
import pytest

from pipelines.timing import MISSING, LatencyStats, RateMeter, RollingLatency, StageTimes, format_ms, format_rate


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def ticking(interval_s, count, window_s=2.0):
    clock = Clock()
    meter = RateMeter(window_s, clock)
    for _ in range(count):
        meter.tick()
        clock.now += interval_s
    return meter, clock


@pytest.mark.parametrize("fps", [0.8, 15.0, 29.97, 30.0, 59.94, 240.0])
def test_rate_counts_intervals_not_events(fps):
    meter, _ = ticking(1.0 / fps, 200)
    assert meter.rate() == pytest.approx(fps, rel=1e-9)


def test_two_ticks_make_one_interval():
    meter, _ = ticking(1 / 30, 2)
    assert meter.rate() == pytest.approx(30.0)


def test_no_rate_from_nothing_or_a_single_event():
    assert RateMeter().rate() == 0.0
    meter, _ = ticking(0.1, 1)
    assert meter.rate() == 0.0


def test_a_silent_window_reads_zero():
    meter, clock = ticking(1 / 30, 60)
    assert meter.rate() > 0
    clock.now += 2.1
    assert meter.rate() == 0.0
    assert meter.count == 60


def test_rate_follows_a_change_within_the_window():
    meter, clock = ticking(1 / 60, 300)
    for _ in range(40):
        meter.tick()
        clock.now += 0.1
    assert meter.rate() == pytest.approx(10.0, rel=0.05)


def test_warm_up_is_left_out_but_kept():
    rolling = RollingLatency(window=10, warmup=3)
    for latency_ms in (500.0, 80.0, 40.0):
        rolling.add(latency_ms)
        assert rolling.stats() is None
    for latency_ms in (1.0, 2.0, 3.0):
        rolling.add(latency_ms)
    stats = rolling.stats()
    assert stats is not None
    assert (stats.count, stats.p50, stats.mean) == (3, 2.0, 2.0)
    assert rolling.first_ms == 500.0


def test_percentiles_equal_numpys():
    samples = [float(value) for value in np.random.default_rng(1).gamma(2.0, 3.0, 250)]
    stats = LatencyStats.of(samples)
    assert stats is not None
    for name, q in (("p50", 50), ("p90", 90), ("p95", 95), ("p99", 99)):
        assert getattr(stats, name) == pytest.approx(np.percentile(samples, q))


def test_no_samples_give_no_figure():
    assert LatencyStats.of([]) is None


def test_a_stage_entered_twice_adds_up_and_counts_when_it_raises(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("pipelines.timing.time.perf_counter", lambda: now[0])
    times = StageTimes()
    with times.stage("inference"):
        now[0] += 0.004
    with pytest.raises(RuntimeError), times.stage("inference"):
        now[0] += 0.002
        raise RuntimeError
    with times.stage("decode"):
        now[0] += 0.001
    assert times.ms == pytest.approx({"inference": 6.0, "decode": 1.0})
    assert times.total_ms == pytest.approx(7.0)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, MISSING),
        (float("nan"), MISSING),
        (0.0, "0.0"),
        (9.94, "9.9"),
        (9.96, "10"),
        (116.2, "116"),
        (1204.4, "1204"),
    ],
)
def test_rates(value, text):
    assert format_rate(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, MISSING), (0.04, "0.0"), (8.61, "8.6"), (123.44, "123.4"), (999.94, "999.9"), (1234.5, "1234")],
)
def test_milliseconds(value, text):
    assert format_ms(value) == text
