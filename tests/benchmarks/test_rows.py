"""The table of the benchmarks says what was measured, and says plainly what was missed."""

import pytest

from benchmarks.rows import Row, in_turn, median_ratio, table


def test_a_goal_is_a_lower_or_an_upper_limit():
    assert Row("speed", "", 1.5, 1.5).holds
    assert not Row("speed", "", 1.49, 1.5).holds
    assert Row("cost", "", 0.6, 0.6, at_most=True).holds
    assert not Row("cost", "", 0.61, 0.6, at_most=True).holds


def test_the_table_marks_what_was_missed():
    lines = table([Row("a", "1 ms", 2.0, 1.0), Row("b", "", 70.0, 60.0, "ms", at_most=True)]).splitlines()
    assert lines[2:] == ["| a | 1 ms | 2 x | ≥ 1 x | holds |", "| b |  | 70 ms | ≤ 60 ms | missed |"]


def test_work_takes_turns_and_the_warm_up_is_left_out():
    order = []

    def work(name):
        order.append(name)
        return float(len(order))

    found = in_turn({name: lambda name=name: work(name) for name in "ab"}, rounds=2, warmup=1)
    assert order == ["b", "a", "a", "b", "b", "a"]
    assert found == {"a": [3.0, 6.0], "b": [4.0, 5.0]}


def test_ratios_are_taken_round_by_round():
    """A round in which the whole machine was slow does not count more than another."""
    assert median_ratio([2.0, 40.0, 9.0], [1.0, 20.0, 3.0]) == pytest.approx(2.0)
