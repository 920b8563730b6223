"""Tiles cover the picture; the schedule bounds the cost."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.geometry import Square
from pipelines.tasks.face_search import DIVISIONS, TILE_OVERLAP, SearchSchedule, tiles

WHOLE = Square.letterbox(500, 375)


def spans(squares: list[Square], axis: int) -> list[tuple[float, float]]:
    centers = sorted({(square.center_x, square.center_y)[axis] for square in squares})
    half = squares[0].side / 2
    return [(center - half, center + half) for center in centers]


@given(st.integers(128, 4000), st.integers(1, 4000))
def test_tiles_cover_the_picture_and_overlap(long: int, short: int) -> None:
    width, height = (long, short) if long > short else (short, long)
    for size in ((width, height), (height, width)):
        for division in DIVISIONS:
            side = max(size) / division
            mine = [square for square in tiles(*size) if square.side == side]
            if side < 64:
                assert not mine
                continue
            for axis in (0, 1):
                rows = spans(mine, axis)
                assert rows[0][0] <= 1e-6
                assert rows[-1][1] >= size[axis] - 1e-6
                for (_, end), (start, _) in itertools.pairwise(rows):
                    assert end - start >= TILE_OVERLAP * side - 1e-6


@pytest.mark.parametrize(("size", "count"), [((500, 375), 6 + 12 + 20), ((127, 100), 0), ((1, 1), 0), ((64, 64), 0)])
def test_number_of_tiles(size: tuple[int, int], count: int) -> None:
    assert len(tiles(*size)) == count


def test_the_first_frame_is_searched_thoroughly_and_again_after_reset() -> None:
    schedule = SearchSchedule()
    everything = (WHOLE, *tiles(500, 375))
    assert schedule.squares((500, 375), 0, 2, False) == everything
    assert schedule.squares((500, 375), 0, 2, False) != everything
    schedule.reset()
    assert schedule.squares((500, 375), 0, 2, False) == everything


def after_first(tracked: int, wanted: int, frames: int, urgent: bool = False) -> list[tuple[Square, ...]]:
    schedule = SearchSchedule()
    schedule.squares((500, 375), 0, wanted, False)
    return [schedule.squares((500, 375), tracked, wanted, urgent) for _ in range(frames)]


def test_nothing_is_searched_when_all_faces_are_tracked() -> None:
    assert after_first(2, 2, 20) == [()] * 20
    assert after_first(3, 2, 5, urgent=True) == [()] * 5


def test_nobody_in_view_means_the_whole_and_every_tile_in_turn() -> None:
    plan = after_first(0, 2, 38)
    assert all(len(squares) == 2 and squares[0] == WHOLE for squares in plan)
    assert {squares[1] for squares in plan} == set(tiles(500, 375))


def test_somebody_in_view_and_room_for_more_costs_half_a_detection_a_frame() -> None:
    plan = after_first(1, 2, 200)
    assert max(len(squares) for squares in plan) == 1
    assert np.mean([len(squares) for squares in plan]) == pytest.approx(0.5)
    searched = [square for squares in plan for square in squares]
    assert searched.count(WHOLE) == 20
    assert set(searched) == {WHOLE, *tiles(500, 375)}


def test_after_a_loss_the_whole_of_every_frame_is_searched() -> None:
    assert after_first(1, 2, 5, urgent=True) == [(WHOLE,)] * 5


def test_a_lost_face_is_looked_for_at_once() -> None:
    schedule = SearchSchedule()
    schedule.squares((500, 375), 0, 2, False)
    for _ in range(7):
        schedule.squares((500, 375), 2, 2, False)
    assert schedule.squares((500, 375), 1, 2, False) == (WHOLE,)


def test_a_small_picture_has_no_tiles_to_take_turns() -> None:
    schedule = SearchSchedule()
    whole = (Square.letterbox(64, 64),)
    assert [schedule.squares((64, 64), 0, 2, False) for _ in range(3)] == [whole] * 3
