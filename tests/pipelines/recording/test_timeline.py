"""Times of a recording are those of the frames, without the gaps of jumps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.recording.timeline import FIRST_STEP_S, Timeline


def times(frames):
    line = Timeline()
    return [line.time_s(frame_s, is_new) for frame_s, is_new in frames]


def test_frames_keep_their_distances_whatever_they_begin_with():
    assert times([(7.0, False), (7.5, False), (7.51, False), (9.0, False)]) == pytest.approx([0.0, 0.5, 0.51, 2.0])


def test_a_picture_that_is_drawn_again_is_no_frame():
    assert times([(1.0, False), (1.0, False), (1.1, False)]) == [0.0, None, pytest.approx(0.1)]


def test_a_new_run_follows_by_a_step_whatever_its_times_are():
    for start_s in (0.0, 0.2, 100.0):
        got = times([(0.0, False), (0.2, False), (start_s, True), (start_s + 0.1, False)])
        assert got == pytest.approx([0.0, 0.2, 0.4, 0.5])


def test_time_that_jumps_back_goes_on_by_a_step():
    assert times([(5.0, False), (5.1, False), (1.0, False), (1.1, False)]) == pytest.approx([0.0, 0.1, 0.2, 0.3])


def test_a_second_run_after_a_single_frame_has_a_step_too():
    assert times([(5.0, False), (5.0, True)]) == pytest.approx([0.0, FIRST_STEP_S])


@given(st.lists(st.tuples(st.floats(0, 1e6), st.booleans()), max_size=50))
def test_times_always_increase(frames):
    got = [time_s for time_s in times(frames) if time_s is not None]
    assert got == sorted(got)
    assert got[:1] in ([], [0.0])
