"""The clip behind the source "demo": what the models find in it, and that it is what make_demo.py paints."""

import cv2
import numpy as np
import pytest

from assets import asset_path
from assets.demo_layers import load_layers
from assets.make_demo import FRAMES, RATE, SIZE_WH, person_mask, person_scale, render
from pipelines.config import PipelineConfig
from pipelines.pipeline import Pipeline
from pipelines.sources.video import VideoSource

STRIDE = 10
NEAR = 0.6
"""Inverse depth between the backdrop's (about 0.24) and the person's (about 1.0)."""


@pytest.fixture(scope="module")
def layers():
    return load_layers()


@pytest.fixture(scope="module")
def clip():
    source = VideoSource(asset_path("demo.mp4"))
    info = source.open()
    frames = []
    while (frame := source.read()) is not None:
        frames.append(frame)
    source.close()
    assert source.truncated == ""
    return info, frames


@pytest.fixture(scope="module")
def found(clip):
    """Results on every tenth frame, each for itself."""
    config = PipelineConfig(tasks=("face", "segmentation", "depth"), pipeline="cpu", smooth=False, parallel=False)
    with Pipeline(config) as pipeline:
        return [pipeline.process(frame) for frame in clip[1][::STRIDE]]


def test_size_rate_and_length(clip):
    info, frames = clip
    assert info.size_wh == SIZE_WH == (1280, 720)
    assert info.fps == RATE == 30
    assert len(frames) == info.frame_count == FRAMES
    assert info.duration_s == pytest.approx(5.0, abs=0.001)
    assert [frame.timestamp_s for frame in frames] == pytest.approx(np.arange(FRAMES) / RATE, abs=0.001)
    assert asset_path("demo.mp4").stat().st_size < 2_000_000


def test_the_end_leads_to_the_start(clip):
    frames = [frame.image_bgr for frame in clip[1]]
    steps = [cv2.absdiff(frame, frames[(i + 1) % FRAMES]).mean() for i, frame in enumerate(frames)]
    assert 0 < steps[-1] <= np.percentile(steps[:-1], 95)
    assert min(steps) > 0.3, "a frame repeats the one before"


def test_landmarks_do_not_jump_where_it_loops(clip):
    around = [*clip[1][-4:], *clip[1][:4]]
    with Pipeline(PipelineConfig(tasks=("face",), pipeline="cpu", smooth=False)) as pipeline:
        faces = [pipeline.process(frame).faces.faces for frame in around]
    points = np.array([face[0].landmarks[:, :2] for face in faces])
    steps = np.linalg.norm(np.diff(points, axis=0), axis=2).mean(axis=1)
    assert steps[3] <= 1.5 * np.median(steps) + 0.3


def test_one_face_in_every_frame_looked_at(found):
    assert [len(result.faces.faces) for result in found] == [1] * len(found)
    assert min(result.faces.faces[0].score for result in found) > 0.9


def test_she_moves(found):
    points = np.array([result.faces.faces[0].landmarks for result in found])
    path_px = np.linalg.norm(np.diff(points[:, 1, :2], axis=0), axis=1).sum()
    assert path_px > 60
    eyes = points[:, 263, :2] - points[:, 33, :2]
    tilt_deg = np.degrees(np.arctan2(eyes[:, 1], eyes[:, 0]))
    assert np.ptp(tilt_deg) > 3
    size = np.linalg.norm(eyes, axis=1)
    assert size.max() / size.min() > 1.25
    assert np.corrcoef(size, _scales(found))[0, 1] > 0.97


def test_the_mask_is_the_person(found, layers):
    overlaps = []
    for result in found[::3]:
        truth = person_mask(layers, result.frame.index) > 0.5
        mask = result.mask.alpha > 127
        overlaps.append((truth & mask).sum() / (truth | mask).sum())
        assert 0.2 < result.mask.coverage < 0.6
    assert np.mean(overlaps) > 0.93
    assert min(overlaps) > 0.88


def test_depth_follows_her(found, layers):
    face, near, overlaps = [], [], []
    for result in found:
        depth = result.depth.inverse_depth
        size_wh = (depth.shape[1], depth.shape[0])
        truth = cv2.resize(person_mask(layers, result.frame.index), size_wh, interpolation=cv2.INTER_AREA)
        x0, y0, x1, y1 = (result.faces.faces[0].box_xyxy * size_wh[0] / SIZE_WH[0]).astype(int)
        face.append(np.median(depth[y0:y1, x0:x1]))
        is_near, is_her = depth > NEAR, truth > 0.5
        near.append(is_near.mean())
        overlaps.append((is_near & is_her).sum() / (is_near | is_her).sum())
        assert face[-1] > 2 * np.median(depth[truth < 0.01])
    assert np.mean(overlaps) > 0.93
    assert min(overlaps) > 0.87
    # The network's scale is relative: what she covers of the map grows with her in full, her own value only somewhat.
    assert np.corrcoef(near, _scales(found))[0, 1] > 0.85
    assert np.corrcoef(face, _scales(found))[0, 1] > 0.4


def test_the_clip_is_what_the_script_paints(clip, layers):
    for index in (0, 71, 149):
        assert cv2.PSNR(render(layers, index), clip[1][index].image_bgr) > 34


def test_the_motion_is_periodic(layers):
    assert np.abs(render(layers, FRAMES).astype(int) - render(layers, 0)).max() <= 1


@pytest.mark.parametrize("index", [0, 38, 75, 113])
def test_she_is_not_cut_off_and_nothing_is_bare(layers, index):
    mask = person_mask(layers, index)
    assert mask[:8].max() == 0
    assert mask[:, :40].max() == 0
    assert mask[:, -40:].max() == 0
    assert mask[-1].max() > 0.99
    # Dark at the sides, but a picture everywhere: no bars, no black.
    image = render(layers, index)
    for edge in (image[:, :8], image[:, -8:], image[:8]):
        assert edge.mean() > 30
        assert edge.std() > 2


def _scales(found):
    return [person_scale(result.frame.index) for result in found]
