"""Judging a network's file: held-out pictures, recordings, speed, and the sheet to look at."""

import logging
import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.errors import ModelError
from models.training.clips import OnnxNetwork, clip_figures, frames, speed_ratio
from models.training.evaluate import HeldOut, clean_mean, motorcycle
from models.training.judge import main, parse_arguments, rgb, run, sheet, training_pictures
from models.training.metrics import spearman
from tests.models.training.makers import save_pictures, save_teacher, scene


@pytest.fixture(scope="module")
def inputs(tmp_path_factory) -> Path:
    """A folder with held-out pictures, a teacher, and a clip in which a bright disc stands still."""
    folder = tmp_path_factory.mktemp("judge")
    save_pictures(folder / "heldout", ["in_1.jpg", "sk_1.jpg", "face_1.jpg"], first_seed=20)
    save_pictures(folder / "train", ["in_2.jpg"], first_seed=90)
    save_teacher(folder / "teacher.onnx", bias=0)
    writer = cv2.VideoWriter(str(folder / "clip.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (160, 120))
    for level in (150, 200, 250):
        writer.write(cv2.circle(np.full((120, 160, 3), level // 2, np.uint8), (80, 60), 30, (0, 0, level), -1))
    writer.release()
    return folder


def test_the_teacher_agrees_with_itself(inputs):
    held_out = HeldOut(inputs / "heldout", inputs / "teacher.onnx")
    found = held_out.correlations(rgb(OnnxNetwork(inputs / "teacher.onnx")))
    assert list(found) == ["face_1.jpg", "in_1.jpg", "sk_1.jpg"]
    # Enlarging and shrinking again blurs a little.
    assert min(found.values()) > 0.98
    assert max(held_out.errors(rgb(OnnxNetwork(inputs / "teacher.onnx"))).values()) < 0.02


def test_another_map_agrees_less(inputs):
    held_out = HeldOut(inputs / "heldout", inputs / "teacher.onnx")
    upside_down = held_out.correlations(lambda image: -image[:, :, 0].astype(np.float32))
    assert max(upside_down.values()) < -0.9


def test_the_clean_mean_leaves_out_what_leaks():
    assert clean_mean({"in_1.jpg": 0.5, "sk_1.jpg": 0.7, "face_1.jpg": 1.0, "asl_1.jpg": 1.0}) == pytest.approx(0.6)


def test_the_motorcycle_s_own_disparity_is_perfect():
    """A prediction that is the real disparity itself, but for the network's size and zeros where it is unknown."""
    from skimage import data

    _, _, disparity = data.stereo_motorcycle()
    known = np.where(np.isfinite(disparity), disparity, 0).astype(np.float32)
    small = cv2.resize(known, (320, 192), interpolation=cv2.INTER_NEAREST)
    assert motorcycle(lambda _: small) > 0.93
    assert motorcycle(lambda _: -small) < -0.93


def test_planar_and_interleaved_input(inputs):
    image = scene(5, (320, 192))
    network = OnnxNetwork(inputs / "teacher.onnx")
    assert network.size == (192, 320)
    red = image[:, :, 2].reshape(96, 2, 160, 2).mean((1, 3)) / 255
    assert spearman(network(image)[::2, ::2], red) > 0.95


def test_change_from_frame_to_frame(inputs):
    """Brightness scales the map, which the alignment takes out; noise is what remains."""

    class Steady:
        def __call__(self, image: np.ndarray) -> np.ndarray:
            return image[:, :, 2].astype(np.float32) / 255

    class Person:
        def __call__(self, image: np.ndarray) -> np.ndarray:
            red = image[:, :, 2].astype(np.float32) - image[:, :, 0]
            return (red > 40).astype(np.float32)

    figures = clip_figures(inputs / "clip.avi", Steady(), Person())
    assert figures.frames == 3
    assert figures.change < 3
    assert math.isnan(figures.change_still) or figures.change_still < 3
    assert figures.edge_px <= 1.5
    assert figures.edge_found > 0.9


def test_frames_of_a_clip(inputs, tmp_path):
    assert [frame.shape for frame in frames(inputs / "clip.avi", every=2)] == [(120, 160, 3)] * 2
    with pytest.raises(ModelError, match=r"nothing\.avi cannot be opened"):
        next(frames(tmp_path / "nothing.avi"))


def test_speed_of_a_network_and_itself(inputs):
    network = OnnxNetwork(inputs / "teacher.onnx")
    ours, theirs, ratio = speed_ratio(network, network, rounds=40)
    assert ratio == pytest.approx(theirs / ours)
    assert 0.3 < ratio < 3


def test_the_sheet_shows_what_was_chosen(inputs):
    held_out = HeldOut(inputs / "heldout", inputs / "teacher.onnx")
    picture = sheet(held_out, rgb(OnnxNetwork(inputs / "teacher.onnx")), ["sk_1.jpg", "in_1.jpg"])
    assert picture.shape == (136, 4 * 600, 3)
    assert picture[:, :1200].std() > 20
    assert not picture[:, 1200:].any()


def test_everything_is_said(inputs, tmp_path, caplog):
    arguments = [f"--{name}={inputs / 'teacher.onnx'}" for name in ("network", "teacher")]
    arguments += [f"--images={inputs}", f"--sheet={tmp_path / 'sheet.png'}", "--duplicates", str(inputs / "clip.avi")]
    with caplog.at_level(logging.INFO):
        run(parse_arguments(arguments))
    for words in ("held out, clean: correlation", "motorcycle:", "clip.avi, network:", "times as fast"):
        assert words in caplog.text
    assert (tmp_path / "sheet.png").exists()


def test_the_same_figure_on_pictures_that_it_was_trained_with(inputs, caplog, monkeypatch):
    """Of the collections whose held-out pictures are clean, and of no other."""
    for name, value in (("motorcycle", 1.0), ("motorcycle_versions", 1.0), ("speed_ratio", (1.0, 1.0, 1.0))):
        monkeypatch.setattr(f"models.training.judge.{name}", lambda *_, value=value: value)
    arguments = [f"--{name}={inputs / 'teacher.onnx'}" for name in ("network", "teacher")]
    with caplog.at_level(logging.INFO):
        run(parse_arguments([*arguments, f"--images={inputs}", "--training=5"]))
    _, found = caplog.text.split("on pictures that it was trained with:")
    assert float(found.split("in: correlation ")[1].split(" of 1")[0]) > 0.98
    assert "face" not in found.split("worst")[0]


def test_training_pictures_are_a_sample_of_each_collection(tmp_path):
    for name in ("in", "house", "face"):
        for number in range(9):
            (tmp_path / f"{name}_{number}.jpg").touch()
    chosen = training_pictures(tmp_path, {"in", "house", "sk"}, 4)
    assert chosen == training_pictures(tmp_path, {"in", "house", "sk"}, 4)
    assert [path.name.partition("_")[0] for path in chosen] == ["house"] * 4 + ["in"] * 4
    assert len(set(chosen)) == 8
    assert len(training_pictures(tmp_path, {"face"}, 100)) == 9


def test_a_missing_teacher_is_one_line(inputs, monkeypatch, caplog):
    arguments = ["judge", f"--network={inputs / 'teacher.onnx'}", "--teacher=none.onnx", f"--images={inputs}"]
    monkeypatch.setattr("sys.argv", arguments)
    assert main() == 1
    assert "none.onnx cannot be" in caplog.text
