"""Tasks run the way that is faster, on a machine that the test makes up."""

from itertools import pairwise

import numpy as np
import pytest

from pipelines.side_by_side import OFTEN, SELDOM, SETTLE, TRIAL, SideBySide, shares


def run(choice: SideBySide, frames: int, together_ms: float, alone_ms: float, seed: int = 0) -> list[bool]:
    """Let frames take so long, give or take a fifth, one in ten three times as long; return how they were run."""
    rng = np.random.default_rng(seed)
    ways = []
    for _ in range(frames):
        ways.append(choice.wanted)
        took = together_ms if choice.wanted else alone_ms
        choice.note(took * rng.uniform(0.8, 1.2) * (3 if rng.random() < 0.1 else 1))
    return ways


def test_it_begins_side_by_side_and_stays_where_that_is_faster():
    ways = run(SideBySide(), 600, together_ms=10, alone_ms=16)
    assert all(ways[: SETTLE + TRIAL])
    trials = ways.count(False)
    assert TRIAL <= trials <= 3 * TRIAL, "a trial now and then, and no more"


def test_it_changes_soon_where_one_thread_is_faster():
    ways = run(SideBySide(), 600, together_ms=34, alone_ms=17)
    assert not any(ways[SETTLE + 2 * TRIAL : SETTLE + 2 * TRIAL + OFTEN - TRIAL])
    assert ways.count(False) > 560


@pytest.mark.parametrize("seed", range(5))
def test_what_changes_later_is_noticed(seed):
    choice = SideBySide()
    run(choice, 400, together_ms=10, alone_ms=16, seed=seed)
    ways = run(choice, SELDOM + 6 * TRIAL, together_ms=34, alone_ms=17, seed=seed)
    assert ways[-60:].count(True) <= TRIAL, "but for a trial"
    ways = run(choice, SELDOM + 6 * TRIAL, together_ms=10, alone_ms=16, seed=seed)
    assert ways[-60:].count(False) <= TRIAL


def test_a_draw_is_no_reason_to_change():
    ways = run(SideBySide(), 1000, together_ms=12, alone_ms=12.1)
    changes = sum(one is not other for one, other in pairwise(ways))
    assert ways.count(True) > 800
    assert changes <= 2 * (1000 // OFTEN + 1)


def test_the_first_frames_say_nothing():
    """They take several times as long as any other."""
    choice = SideBySide()
    for _ in range(SETTLE):
        choice.note(300.0)
    ways = run(choice, 200, together_ms=10, alone_ms=16)
    assert all(ways[-30:])


@pytest.mark.parametrize(
    ("costs", "threads", "expected"),
    [
        ({"face": 6, "segmentation": 3, "depth": 5}, 2, [["face"], ["depth", "segmentation"]]),
        ({"face": 2, "segmentation": 3, "depth": 8}, 2, [["depth"], ["segmentation", "face"]]),
        ({"face": 6, "segmentation": 3, "depth": 5}, 3, [["face"], ["depth"], ["segmentation"]]),
        ({"face": 6, "segmentation": 3, "depth": 5}, 1, [["face", "depth", "segmentation"]]),
        ({"face": 1, "segmentation": 1, "depth": 1}, 2, [["face", "depth"], ["segmentation"]]),
        ({"depth": 4}, 8, [["depth"]]),
    ],
)
def test_the_load_is_shared_evenly(costs, threads, expected):
    assert shares(costs, threads) == expected


def test_tasks_that_cost_nothing_are_not_lost():
    found = shares({"face": 0.0, "segmentation": 0.0, "depth": 0.0}, 2)
    assert sorted(name for share in found for name in share) == ["depth", "face", "segmentation"]
