"""How much of the processor a program takes, by clocks that the test turns and by the real ones."""

import time

import pytest

from pipelines.core_meter import CoreMeter


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clocks():
    return Clock(), Clock()


def test_the_share_is_processor_time_over_time_and_cores(clocks):
    wall, cpu = clocks
    meter = CoreMeter(wall, cpu, count=4)
    shares = []
    for _ in range(20):
        shares.append(meter.read())
        wall.now += 0.25
        cpu.now += 0.75  # three of the four cores
    assert shares[:2] == [None, None]
    assert shares[2:] == [pytest.approx(0.75)] * 18


def test_what_is_longer_ago_than_two_seconds_does_not_count(clocks):
    wall, cpu = clocks
    meter = CoreMeter(wall, cpu, count=2)
    for step in range(40):
        meter.read()
        wall.now += 0.25
        cpu.now += 0.5 if step < 20 else 0.05
    assert meter.read() == pytest.approx(0.1)


def test_a_pause_between_readings_is_not_averaged_over(clocks):
    wall, cpu = clocks
    meter = CoreMeter(wall, cpu, count=1)
    meter.read()
    wall.now, cpu.now = 60.0, 0.0
    assert meter.read() is None
    wall.now, cpu.now = 61.0, 1.0
    assert meter.read() == pytest.approx(1.0)


def test_a_busy_loop_takes_a_core():
    # Seconds of processor time, not of the clock: others may use the machine.
    meter = CoreMeter(wall=time.thread_time, cpu=time.process_time, count=1)
    meter.read()
    end = time.thread_time() + 0.5
    while time.thread_time() < end:
        pass
    assert meter.read() == pytest.approx(1.0, abs=0.05)
