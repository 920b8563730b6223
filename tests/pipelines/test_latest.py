"""The mailbox with one place."""

import threading

from pipelines.latest import LatestSlot
from tests.patience import PATIENCE_S


def test_the_newest_item_wins_and_losses_are_counted():
    slot = LatestSlot()
    assert [slot.put(item) for item in "abc"] == [False, True, True]
    assert slot.take(0) == "c"
    assert slot.dropped == 2
    assert slot.take(0) is None


def test_an_item_is_handed_out_once():
    slot = LatestSlot()
    slot.put(1)
    assert slot.take(0) == 1
    assert slot.take(0.01) is None
    assert slot.put(2) is False
    assert slot.dropped == 0


def test_take_waits_for_put():
    slot = LatestSlot()
    got = []
    thread = threading.Thread(target=lambda: got.append(slot.take(PATIENCE_S)))
    thread.start()
    slot.put("late")
    thread.join(PATIENCE_S)
    assert got == ["late"]


def test_close_wakes_the_waiter_and_refuses_later_items():
    slot = LatestSlot()
    got = []
    thread = threading.Thread(target=lambda: got.append(slot.take()))
    thread.start()
    slot.close()
    thread.join(PATIENCE_S)
    assert got == [None]
    slot.put("ignored")
    assert slot.take(0) is None
    assert slot.is_closed


def test_every_item_is_either_taken_or_counted_as_dropped():
    slot = LatestSlot()
    taken = []

    def consume():
        while (item := slot.take(PATIENCE_S)) is not None:
            taken.append(item)
            if item == 999:
                return

    thread = threading.Thread(target=consume)
    thread.start()
    for item in range(1000):
        slot.put(item)
    thread.join(PATIENCE_S)
    assert len(taken) + slot.dropped == 1000
    assert taken == sorted(taken)
    assert taken[-1] == 999
