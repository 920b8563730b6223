"""Pictures, and a teacher that can be calculated by hand."""

from pathlib import Path

import cv2
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def save_teacher(path: Path, bias: float = -0.5, size: tuple[int, int] = (192, 320)) -> Path:
    """Write a network with the form of the real one: a map at half the size, ReLU, enlarged.

    Inverse depth is the mean of red over 2x2 pixels, as a share of 255, and `bias`: dark places are below zero. A
    reshape to and fro stands for the channel shuffles whose sizes have to follow the input.
    """
    height, width = size
    weight = np.zeros((1, 3, 2, 2), np.float32)
    weight[0, 0] = 1 / 4 / 255
    constants = {
        "weight": weight,
        "bias": np.array([bias], np.float32),
        "flat": np.array([1, 1, height * width // 4], np.int64),
        "square": np.array([1, 1, height // 2, width // 2], np.int64),
        "scales": np.array([1, 1, 2, 2], np.float32),
    }
    nodes = [
        helper.make_node("Conv", ["picture", "weight", "bias"], ["small"], strides=[2, 2]),
        helper.make_node("Reshape", ["small", "flat"], ["line"]),
        helper.make_node("Reshape", ["line", "square"], ["back"]),
        helper.make_node("Relu", ["back"], ["near"]),
        helper.make_node(
            "Resize", ["near", "", "scales"], ["map"], mode="linear", coordinate_transformation_mode="half_pixel"
        ),
    ]
    graph = helper.make_graph(
        nodes,
        "teacher",
        [helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 3, height, width])],
        [helper.make_tensor_value_info("map", TensorProto.FLOAT, [1, 1, height, width])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return path


def scene(seed: int, size_wh: tuple[int, int] = (200, 150)) -> np.ndarray:
    """Return a picture, uint8 (h, w, 3) BGR: a slope of brightness with a few bright boxes."""
    rng = np.random.default_rng(seed)
    width, height = size_wh
    slope = np.linspace(20, 140, height)[:, None, None] + rng.uniform(-20, 20, (1, 1, 3))
    image = np.broadcast_to(slope, (height, width, 3)).copy()
    for _ in range(5):
        x, y = int(rng.integers(0, width - 40)), int(rng.integers(0, height - 40))
        w, h = rng.integers(15, 60, 2)
        image[y : y + h, x : x + w] = rng.uniform(0, 255, 3)
    noisy = image + rng.normal(0, 4, image.shape)
    return np.clip(cv2.GaussianBlur(noisy, (0, 0), 0.7), 0, 255).astype(np.uint8)


def save_pictures(folder: Path, names: list[str], first_seed: int = 0) -> list[Path]:
    """Write a scene for each name."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / name for name in names]
    for seed, path in enumerate(paths, first_seed):
        assert cv2.imwrite(str(path), scene(seed), [cv2.IMWRITE_JPEG_QUALITY, 95])
    return paths
