"""Going on from a saved state: the same to the bit as without the break, for every task, on real pixels."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from assets import asset_path
from pipelines.config import PipelineConfig
from pipelines.errors import ConfigError
from pipelines.frame import Frame
from pipelines.pipeline import Pipeline
from pipelines.sources.video import VideoSource
from pipelines.state import dump_state, load_state, take_array, take_float, take_int, take_size, take_state, take_states


@pytest.fixture(scope="module")
def frames():
    """A person who comes, goes for a moment, comes back smaller, and then turns to portrait."""
    source = VideoSource(asset_path("demo.mp4"))
    source.open()
    images = [source.read().image_bgr[:, ::1] for _ in range(14)]
    source.close()
    images = [cv2.resize(image, (480, 270), interpolation=cv2.INTER_AREA) for image in images]
    images[5] = images[6] = np.full_like(images[0], 90)
    images[12] = np.ascontiguousarray(images[12][:, 120:320])
    images[13] = np.ascontiguousarray(images[13][:, 120:320])
    return [Frame(image, number, number / 30, "test") for number, image in enumerate(images)]


def values(result):
    """Everything that was found on a frame, as bytes."""
    faces = [
        (face.score, face.box_xyxy.tobytes(), face.landmarks.tobytes(), face.track_id) for face in result.faces.faces
    ]
    depth = result.depth
    return (
        faces,
        result.mask.alpha.tobytes(),
        result.mask.coverage,
        depth.inverse_depth.tobytes(),
        depth.near,
        depth.far,
    )


@pytest.mark.parametrize(("cut", "smooth"), [(1, True), (6, True), (9, True), (13, True), (6, False)])
def test_a_run_that_was_cut_gives_the_same_results(frames, cut, smooth):
    config = PipelineConfig(pipeline="cpu", smooth=smooth, max_faces=3)
    with Pipeline(config) as pipeline:
        expected = [values(pipeline.process(frame)) for frame in frames]
    with Pipeline(config) as first:
        before = [values(first.process(frame)) for frame in frames[:cut]]
        saved = dump_state(first.state())
        # What was saved must not change with what follows.
        for frame in frames[cut:]:
            first.process(frame)
    with Pipeline(config) as second:
        second.restore(load_state(saved))
        after = [values(second.process(frame)) for frame in frames[cut:]]
    assert before + after == expected


def test_another_backend_is_refused(frames):
    with Pipeline(PipelineConfig(pipeline="ort-cpu", tasks=("depth",))) as pipeline:
        pipeline.process(frames[0])
        state = load_state(dump_state(pipeline.state()))
        made_by = dict(state["made_by"]["depth"], backend="ort-webgpu")
        with pytest.raises(ConfigError, match="depth ran on ort-webgpu and would go on on ort-cpu"):
            pipeline.restore({**state, "made_by": {"depth": made_by}})


def test_another_model_is_refused():
    with Pipeline(PipelineConfig(pipeline="ort-cpu", tasks=("depth",))) as pipeline:
        state = pipeline.state()
        made_by = state["made_by"]["depth"]
        changed = {**made_by, "models": dict.fromkeys(made_by["models"], "0" * 64)}
        with pytest.raises(ConfigError, match=r"the model depth_v2.* is not the one that depth ran on"):
            pipeline.restore({**state, "made_by": {"depth": changed}})


def test_values_come_back_as_they_were():
    array = np.array([[0.1, np.nan], [np.inf, -0.0]], np.float32)
    state = {"array": array, "list": [{"x": 0.1 + 0.2}, {"y": array[0]}], "none": None, "size": (3, 4), "n": 7}
    found = load_state(dump_state(state))
    assert found["array"].dtype == np.float32
    assert found["array"].tobytes() == array.tobytes()
    first, second = take_states(found, "list")
    assert take_float(first, "x") == 0.1 + 0.2
    assert take_array(second, "y").tobytes() == array[0].tobytes()
    assert take_array(found, "none") is None
    assert take_size(found, "size") == (3, 4)
    assert take_size(found, "none") is None
    assert take_int(found, "n") == 7


@pytest.mark.parametrize("take", [take_array, take_float, take_int, take_size, take_state, take_states])
def test_a_foreign_value_is_refused(take):
    with pytest.raises(ConfigError, match=r"another version \(key\)"):
        take({"key": "text"}, "key")


def test_a_foreign_kind_of_value_is_not_saved():
    with pytest.raises(TypeError, match="set is not a value"):
        dump_state({"key": {1}})


@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: b"x" * 99])
def test_a_damaged_state_is_refused(damage):
    with pytest.raises(ValueError, match=r"."):
        load_state(damage(dump_state({"array": np.zeros(100, np.float32)})))


def test_restoring_a_state_of_an_empty_pipeline_forgets(frames):
    config = PipelineConfig(pipeline="cpu")
    with Pipeline(config) as pipeline:
        empty = load_state(dump_state(pipeline.state()))
        expected = values(pipeline.process(frames[0]))
        pipeline.process(replace(frames[1], timestamp_s=5.0))
        pipeline.restore(empty)
        assert values(pipeline.process(frames[0])) == expected
