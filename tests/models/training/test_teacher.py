"""The teacher at two sizes, against what its tiny stand-in can be calculated to say."""

import numpy as np
import onnx
import pytest

from models.errors import ModelError
from models.training.teacher import LABEL_SIZE, Teacher
from tests.models.training.makers import save_teacher, scene


@pytest.mark.parametrize("size", [(192, 320), (288, 480)])
def test_depth_before_the_relu_at_half_the_size(tmp_path, size):
    teacher = Teacher(save_teacher(tmp_path / "teacher.onnx"), size)
    image = np.zeros((*size, 3), np.uint8)
    image[: size[0] // 2, :, 0] = 255
    depth = teacher(image)
    assert depth.shape == LABEL_SIZE
    assert depth.dtype == np.float32
    np.testing.assert_allclose(depth[:40], 0.5, atol=1e-6)
    np.testing.assert_allclose(depth[56:], -0.5, atol=1e-6)


def test_pictures_are_rgb_and_stretched(tmp_path):
    teacher = Teacher(save_teacher(tmp_path / "teacher.onnx"))
    image = scene(3, (640, 384))
    red = image.reshape(96, 4, 160, 4, 3).mean((1, 3))[..., 0]
    np.testing.assert_allclose(teacher(image), red / 255 - 0.5, atol=0.004)


def test_a_size_that_does_not_fit(tmp_path):
    path = save_teacher(tmp_path / "teacher.onnx")
    with pytest.raises(ModelError, match="cannot run at 191x320: its strides do not fit"):
        Teacher(path, (191, 320))


def test_a_size_that_is_not_fixed(tmp_path):
    path = save_teacher(tmp_path / "teacher.onnx")
    model = onnx.load(path)
    model.graph.input[0].type.tensor_type.shape.dim[2].dim_param = "height"
    onnx.save(model, path)
    with pytest.raises(ModelError, match="input picture has no fixed height and width"):
        Teacher(path)


def test_no_such_file(tmp_path):
    with pytest.raises(ModelError, match=r"nobody\.onnx cannot be read"):
        Teacher(tmp_path / "nobody.onnx")
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"\x07 not a network")
    with pytest.raises(ModelError, match=r"broken\.onnx cannot be read"):
        Teacher(broken)
