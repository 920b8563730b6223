"""Block-sparse constants, on arrays that can be checked by eye."""

import numpy as np
import pytest

from models.convert.sparse import Level, densify


@pytest.mark.parametrize(
    ("values", "shape", "levels", "block_axes", "expected"),
    [
        pytest.param(
            [1, 2, 3, 4, 5, 6],
            (2, 3),
            [Level(0, 2), Level(1, 3)],
            [],
            [[1, 2, 3], [4, 5, 6]],
            id="dense",
        ),
        pytest.param(
            [7, 8, 9],
            (3, 4),
            [Level(0, 3), Level(1, None, segments=[0, 2, 2, 3], indices=[1, 3, 0])],
            [],
            [[0, 7, 0, 8], [0, 0, 0, 0], [9, 0, 0, 0]],
            id="compressed rows",
        ),
        pytest.param(
            [7, 8, 9],
            (4, 3),
            [Level(1, 3), Level(0, None, segments=[0, 2, 2, 3], indices=[1, 3, 0])],
            [],
            [[0, 0, 9], [7, 0, 0], [0, 0, 0], [8, 0, 0]],
            id="columns first",
        ),
        pytest.param(
            [1, 2, 3, 4, 5, 6, 7, 8],
            (4, 4),
            [Level(0, 2), Level(1, None, segments=[0, 1, 2], indices=[1, 0]), Level(2, 2), Level(3, 2)],
            [0, 1],
            [[0, 0, 1, 2], [0, 0, 3, 4], [5, 6, 0, 0], [7, 8, 0, 0]],
            id="blocks of 2x2",
        ),
        pytest.param(
            [1, 2, 3, 4],
            (2, 4),
            [Level(0, 2), Level(1, None, segments=[0, 0, 1], indices=[0]), Level(2, 4)],
            [1],
            [[0, 0, 0, 0], [1, 2, 3, 4]],
            id="blocks of 1x4",
        ),
        pytest.param(
            [], (2, 2), [Level(0, 2), Level(1, None, [0, 0, 0], [])], [], [[0, 0], [0, 0]], id="nothing stored"
        ),
    ],
)
def test_densify(values, shape, levels, block_axes, expected) -> None:
    dense = densify(np.array(values, np.float16), shape, levels, block_axes)
    assert dense.dtype == np.float16
    np.testing.assert_array_equal(dense, expected)
