"""A thread that works beside another one."""

import threading

import pytest

from pipelines.helper import Helper
from tests.patience import PATIENCE_S


@pytest.fixture
def helper():
    one = Helper("helper")
    yield one
    one.close()
    assert "helper" not in {thread.name for thread in threading.enumerate()}


def test_each_piece_of_work_is_done_once_in_the_other_thread(helper):
    for number in range(50):
        helper.begin(lambda number=number: (number, threading.current_thread().name))
        assert helper.result() == (number, "helper")


def test_both_threads_are_at_work_at_the_same_time(helper):
    meeting = threading.Barrier(2)
    helper.begin(lambda: meeting.wait(PATIENCE_S))
    meeting.wait(PATIENCE_S)
    assert helper.result() in (0, 1)


def test_what_goes_wrong_is_raised_where_the_result_is_asked_for_and_forgotten_then(helper):
    helper.begin(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        helper.result()
    helper.begin(lambda: "fine")
    assert helper.result() == "fine"
