"""The mask makes its pixels when they are wanted, once."""

import gc
import threading
import weakref

import numpy as np
import pytest

from models.results import SegmentationMask
from tests.patience import PATIENCE_S


def test_pixels_are_made_once_when_asked_for():
    made = []

    def make() -> np.ndarray:
        made.append(threading.current_thread().name)
        return np.full((3, 4), 7, np.uint8)

    mask = SegmentationMask(make, 0.25)
    assert mask.coverage == 0.25
    assert made == []
    assert mask.alpha.tolist() == [[7] * 4] * 3
    assert mask.alpha is mask.alpha
    assert made == ["MainThread"]
    with pytest.raises(ValueError, match="read-only"):
        mask.alpha[0, 0] = 1


def test_threads_that_ask_at_the_same_time_get_the_same_pixels():
    begun, go_on, calls = threading.Event(), threading.Event(), []

    def make() -> np.ndarray:
        calls.append(None)
        begun.set()
        assert go_on.wait(PATIENCE_S)
        return np.zeros((2, 2), np.uint8)

    mask, found = SegmentationMask(make, 0.0), []
    threads = [threading.Thread(target=lambda: found.append(mask.alpha)) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert begun.wait(PATIENCE_S)
    go_on.set()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert len(found) == 3
    assert all(pixels is found[0] for pixels in found)
    assert len(calls) == 1


def test_what_the_pixels_are_made_from_is_let_go():
    """It holds the frame: a mask that is kept must not keep the picture as well."""

    class Picture:
        pass

    picture = Picture()
    held = weakref.ref(picture)

    def make(picture: Picture = picture) -> np.ndarray:
        return np.zeros((2, 2), np.uint8)

    mask = SegmentationMask(make, 0.0)
    del picture, make
    gc.collect()
    assert held() is not None
    assert mask.alpha.shape == (2, 2)
    gc.collect()
    assert held() is None


@pytest.mark.parametrize("wrong", [np.zeros((2, 2)), np.zeros((2, 2, 1), np.uint8)])
def test_something_else_is_no_mask(wrong):
    with pytest.raises(ValueError, match="a mask is uint8"):
        SegmentationMask(wrong, 0.0)
    with pytest.raises(ValueError, match="a mask is uint8"):
        _ = SegmentationMask(lambda: wrong, 0.0).alpha
