"""Queues and stages: order, back pressure, and no thread left whichever stage fails."""

import threading

import pytest

from pipelines.offline.crew import Cancelled, Crew, Fifo

LIMIT_S = 120.0
"""A wait that runs into this is a hang."""


def test_fifo_keeps_order_and_gives_what_is_inside_after_closing():
    fifo = Fifo(3)
    for item in "abc":
        fifo.put(item)
    fifo.close()
    assert list(fifo) == ["a", "b", "c"]
    assert list(fifo) == []


def test_fifo_needs_room():
    with pytest.raises(ValueError, match="at least 1"):
        Fifo(0)


def test_put_waits_until_there_is_room():
    fifo = Fifo(1)
    fifo.put(1)
    second = threading.Event()

    def producer():
        fifo.put(2)
        second.set()
        fifo.close()

    thread = threading.Thread(target=producer)
    thread.start()
    assert not second.wait(0.05)
    assert list(fifo) == [1, 2]
    assert second.wait(LIMIT_S)
    thread.join(LIMIT_S)


@pytest.mark.parametrize("end", ["producer", "consumer"])
def test_cancel_wakes_whichever_end_is_blocked(end):
    fifo = Fifo(1)
    if end == "producer":
        fifo.put(0)
    raised = threading.Event()

    def blocked():
        try:
            if end == "producer":
                fifo.put(1)
            else:
                next(iter(fifo))
        except Cancelled:
            raised.set()

    thread = threading.Thread(target=blocked)
    thread.start()
    fifo.cancel()
    assert raised.wait(LIMIT_S)
    thread.join(LIMIT_S)
    with pytest.raises(Cancelled):
        fifo.put(2)


def chain(crew, items, fail_at=None, error=None, endless=False):
    """Three stages; `fail_at` is the stage that raises after its fifth item."""
    first, second, out = crew.fifo(), crew.fifo(), []

    def check(stage, number):
        if stage == fail_at and number == 5:
            raise error

    def produce():
        number = 0
        while endless or number < items:
            check("produce", number)
            first.put(number)
            number += 1
        first.close()

    def double():
        for number in first:
            check("double", number)
            second.put(2 * number)
        second.close()

    def consume():
        for number in second:
            check("consume", number // 2)
            out.append(number)

    for stage in (produce, double, consume):
        crew.add(stage)
    return out


def offline_threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("offline")]


def test_every_item_passes_every_stage_in_order():
    crew = Crew()
    out = chain(crew, 200)
    crew.run(threading.Event(), lambda: None)
    assert out == list(range(0, 400, 2))
    assert not offline_threads()


@pytest.mark.parametrize("stage", ["produce", "double", "consume"])
@pytest.mark.parametrize("error", [ZeroDivisionError("a bug"), KeyboardInterrupt()], ids=["bug", "interrupt"])
def test_a_stage_that_raises_never_hangs_the_others(stage, error):
    crew = Crew(depth=1)
    out = chain(crew, 1000, stage, error)
    with pytest.raises(type(error)):
        crew.run(threading.Event(), lambda: None)
    assert len(out) <= 6
    assert not offline_threads()


def test_the_first_error_is_the_one_that_is_raised():
    crew = Crew(depth=1)
    fifo = crew.fifo()

    def produce():
        try:
            for number in range(100):
                fifo.put(number)
        except Cancelled:
            raise ValueError("while cleaning up") from None

    def consume():
        next(iter(fifo))
        raise KeyError("the cause")

    crew.add(produce)
    crew.add(consume)
    with pytest.raises(KeyError, match="the cause"):
        crew.run(threading.Event(), lambda: None)


def test_cancel_from_outside_ends_endless_work():
    crew = Crew()
    cancel = threading.Event()
    out = chain(crew, 0, endless=True)

    def tick():
        if out:
            cancel.set()

    with pytest.raises(Cancelled):
        crew.run(cancel, tick)
    assert not offline_threads()


def test_an_error_in_the_waiting_thread_ends_the_stages():
    crew = Crew()
    chain(crew, 0, endless=True)

    def tick():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        crew.run(threading.Event(), tick)
    assert not offline_threads()
