"""Near duplicates between training and held-out pictures are found, and only those."""

import cv2
import numpy as np
import pytest

from models.training.duplicates import near_duplicates
from tests.models.training.makers import save_pictures, scene


@pytest.fixture
def folders(tmp_path):
    training = save_pictures(tmp_path / "train", [f"t{index}.jpg" for index in range(6)])
    held_out = save_pictures(tmp_path / "heldout", ["h0.jpg", "h1.jpg"], first_seed=100)
    return training, held_out


def changed(image: np.ndarray, how: str) -> np.ndarray:
    height, width = image.shape[:2]
    match how:
        case "same":
            return image
        case "mirrored and brighter":
            return cv2.convertScaleAbs(image[:, ::-1], alpha=1.2, beta=15)
        case "half the size":
            return cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        case _:
            return image[height // 10 : -height // 10, width // 10 : -width // 10]


@pytest.mark.parametrize("how", ["same", "mirrored and brighter", "half the size", "cropped"])
@pytest.mark.parametrize("copied", ["into training", "into held out"])
def test_a_copy_is_found(tmp_path, folders, how, copied):
    training, held_out = folders
    source, target = (held_out[0], training[3]) if copied == "into training" else (training[3], held_out[0])
    assert cv2.imwrite(str(target), changed(cv2.imread(str(source)), how))
    (pair,) = near_duplicates(training, held_out)
    assert (pair.held_out, pair.training) == (held_out[0], training[3])
    assert pair.correlation > 0.95


def test_others_are_not(folders):
    training, held_out = folders
    assert near_duplicates(training, held_out) == []
    assert near_duplicates([], held_out) == near_duplicates(training, []) == []


def test_scenes_differ():
    """What the test above relies on: these pictures are no copies of each other."""
    assert not np.array_equal(scene(1), scene(2))
