"""Views, their labels, and what a training step gets of them; all on generated pictures with a tiny teacher."""

import random
import time
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.errors import ModelError
from models.training.ahead import Ahead
from models.training.augment import Photographer
from models.training.data import Views, sharpened
from models.training.labels import READY, make_all_shards, make_shards, plan
from models.training.teacher import DETAIL_SIZE, LABEL_SIZE, SIZE, Teacher
from models.training.views import composite, crop, kind
from tests.models.training.makers import save_pictures, save_teacher, scene


@pytest.fixture(scope="module")
def images(tmp_path_factory) -> Path:
    """Three pictures, one with the mask of a person."""
    folder = tmp_path_factory.mktemp("images")
    save_pictures(folder / "train", ["in_0001.jpg", "house_0001.jpg", "human_1.jpg"])
    mask = np.zeros((150, 200), np.uint8)
    cv2.ellipse(mask, (100, 90), (40, 60), 0, 0, 360, 255, -1)
    (folder / "masks").mkdir()
    assert cv2.imwrite(str(folder / "masks/human_1.png"), mask)
    return folder


@pytest.fixture(scope="module")
def cache(images, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    teacher = save_teacher(folder / "teacher.onnx")
    make_all_shards(images, teacher, folder, 2, composites=4, size=20, seed=5)
    return folder


def test_plan_has_every_picture_whole_and_mirrored(images):
    jobs = plan(images, 4, 5)
    names = [(path and path.name, view) for path, view in jobs]
    assert len(set(names)) == len(names)
    assert {(name, view) for name in ("in_0001.jpg", "house_0001.jpg", "human_1.jpg") for view in (0, 1)} <= set(names)
    assert sum(path is None for path, _ in jobs) == 4
    assert plan(images, 4, 5) == jobs != plan(images, 4, 6)


def test_no_more_views_are_labelled_than_asked(images, cache, tmp_path):
    make_shards(images, cache / "teacher.onnx", tmp_path, composites=4, size=4, seed=5, most=6)
    counts = [len(np.load(path)) for path in sorted(tmp_path.glob("*/images.npy"))]
    assert counts == [4, 2]


def test_people_of_the_judged_clips_are_left_out(tmp_path):
    save_pictures(tmp_path / "train", ["asl_eat_1.jpg", "gif_classroom_1.jpg", "gif_bottle_1.jpg"])
    assert {path.name for path, _ in plan(tmp_path, 0, 1)} == {"gif_bottle_1.jpg"}
    with pytest.raises(ModelError, match="no pictures"):
        plan(tmp_path / "nowhere", 0, 1)


def test_shards_hold_views_and_their_labels(cache):
    shards = sorted(path.parent for path in cache.glob(f"*/{READY}"))
    assert [shard.name for shard in shards] == ["000", "001"]
    images = np.load(shards[0] / "images.npy")
    assert images.shape == (20, 192, 320, 3)
    # The stand-in's answer is the mean of red, so the label can be calculated from the picture.
    red = images.reshape(20, 96, 2, 160, 2, 3).mean((2, 4))[..., 0] / 255 - 0.5
    np.testing.assert_allclose(np.load(shards[0] / "plain.npy"), red, atol=2e-3)
    detail = np.load(shards[0] / "detail.npy").astype(np.float32)
    assert np.abs(detail - red).mean() < 0.01
    people = [np.load(shard / "person.npy").reshape(-1, 96 * 160).max(1) for shard in shards]
    assert 0 < np.mean(np.concatenate(people) > 200) < 1


def test_the_closer_look_is_at_the_picture_itself(images, tmp_path, monkeypatch):
    """The larger teacher gets what the picture has, not the student's small view enlarged."""
    seen: dict[tuple[int, int], list[np.ndarray]] = {SIZE: [], DETAIL_SIZE: []}

    class Spy(Teacher):
        def __call__(self, image_rgb):
            seen[self.size].append(image_rgb)
            return super().__call__(image_rgb)

    monkeypatch.setattr("models.training.labels.Teacher", Spy)
    teacher = save_teacher(tmp_path / "teacher.onnx")
    make_shards(images, teacher, tmp_path, composites=2, size=12, seed=5, part=(0, 4))
    assert len(seen[SIZE]) == len(seen[DETAIL_SIZE]) == 12
    for small, large in zip(seen[SIZE], seen[DETAIL_SIZE], strict=True):
        assert large.shape == (*DETAIL_SIZE, 3)
        np.testing.assert_array_equal(cv2.resize(large, (320, 192), interpolation=cv2.INTER_AREA), small)


def test_finished_shards_are_left_alone(images, cache):
    before = {path: path.stat().st_mtime_ns for path in cache.glob("*/*.npy")}
    make_shards(images, cache / "teacher.onnx", cache, composites=4, size=20, seed=5)
    assert {path: path.stat().st_mtime_ns for path in cache.glob("*/*.npy")} == before


def test_several_processes_make_the_same_shards_as_one(images, cache, tmp_path):
    make_all_shards(images, cache / "teacher.onnx", tmp_path, 1, composites=4, size=20, seed=5)
    many, one = ({path.relative_to(to): path.read_bytes() for path in to.glob("*/*")} for to in (cache, tmp_path))
    assert len(many) == 10
    assert many == one


def test_what_keeps_a_process_from_labelling_is_told(images, tmp_path):
    with pytest.raises(ModelError, match=r"the teacher .*nothing\.onnx cannot be read"):
        make_all_shards(images, tmp_path / "nothing.onnx", tmp_path, 2, composites=0, size=20, seed=5)


def test_crops_stay_inside_and_keep_their_least_area():
    rng = random.Random(3)
    image = scene(1, (300, 180))
    for _ in range(200):
        rows, columns = crop(image, rng, 0.3)
        assert 0 <= rows.start < rows.stop <= 180
        assert 0 <= columns.start < columns.stop <= 300
        height, width = rows.stop - rows.start, columns.stop - columns.start
        largest = min(180, 300 * height / width) ** 2 * width / height
        assert height * width >= 0.28 * largest


def test_pasted_people_and_where_they_are(images):
    """The mask of the paste is where the picture differs from one without a person."""
    masks, rooms = [images / "masks/human_1.png"], [images / "train/house_0001.jpg"]
    for seed in range(5):
        image, person = composite(random.Random(seed), rooms, masks, images / "train")
        assert image.shape == (288, 480, 3)
        assert person.shape == LABEL_SIZE
        assert 0.01 < (person > 127).mean() < 0.9


def test_kind_is_the_first_part_of_the_name():
    assert kind(Path("house_bath_1.jpg")) == "house"


def test_batches_are_views_changed_and_cropped_alike(cache):
    views = Views(cache, seed=9, detail=0.5)
    rows, round_number = next(views.batches(16))
    assert round_number == 1
    assert len(set(rows)) == 16
    pictures, labels = views.load(rows, (128, 224))
    assert pictures.shape == (16, 128, 224, 3)
    assert pictures.dtype == np.uint8
    assert labels.shape == (16, 64, 112)
    # Whatever was mirrored or cropped, red and label still belong together (people aside, where the label changes).
    red = cv2.resize(pictures[..., 0].transpose(1, 2, 0).astype(np.float32), (112, 64), interpolation=cv2.INTER_AREA)
    together = [np.corrcoef(red[..., i].ravel(), labels[i].ravel())[0, 1] for i in range(16)]
    assert np.median(together) > 0.9


def test_unchanged_pictures(cache):
    """Without changes each picture is one of the shards', or one mirrored; crops aside."""
    views = Views(cache, seed=9, changed=0)
    rows, _ = next(views.batches(16))
    pictures, _ = views.load(rows, (192, 320))
    sources = [np.load(folder / "images.npy")[row] for folder, row in rows]
    same = [
        np.array_equal(picture, source) or np.array_equal(picture, source[:, ::-1])
        for picture, source in zip(pictures, sources, strict=True)
    ]
    assert sum(same) >= 6
    changed, _ = Views(cache, seed=9, changed=1).load(rows, (192, 320))
    assert sum(np.array_equal(a, b) for a, b in zip(changed, pictures, strict=True)) < sum(same)


def test_a_round_sees_every_view_once(cache):
    views = Views(cache, seed=9)
    batches = views.batches(3)
    first = [next(batches) for _ in range(10)]
    seen = [row for rows, number in first if number == 1 for row in rows]
    assert len(seen) == len(set(seen))


class Idle(Views):
    """Makes no batches itself."""

    def load(self, rows, size):
        return np.zeros((len(rows), *size, 3), np.uint8), np.zeros((len(rows), size[0] // 2, size[1] // 2), np.float32)


@pytest.mark.parametrize("processes", [1, 2])
def test_batches_made_ahead(cache, processes):
    """Other processes make them from the same shards; with one only they are made here until then."""
    deadline = time.monotonic() + 120
    with closing(Ahead(Idle(cache, seed=9, changed=0), 4, processes)) as ahead:
        for (pictures, labels), number in ahead.batches(lambda: SIZE):
            assert processes == 1 or pictures.any()
            assert labels.shape == (4, *LABEL_SIZE)
            assert number >= 1
            if pictures.any() or time.monotonic() > deadline:
                break
    sources = np.concatenate([np.load(path) for path in sorted(cache.glob("*/images.npy"))])
    known = np.concatenate([sources, sources[:, :, ::-1]])
    assert any((picture == known).all((1, 2, 3)).any() for picture in pictures)
    assert labels.any()


def test_processes_that_are_gone_are_not_waited_for(cache, monkeypatch):
    monkeypatch.setattr("models.training.ahead.PATIENCE_S", 0.05)
    with closing(Ahead(Views(cache, seed=9), 4, 2)) as ahead:
        for process in ahead._processes:
            process.kill()
        with pytest.raises(ModelError, match="a process that makes batches has ended"):
            next(ahead.batches(lambda: SIZE))


def test_twins_make_the_same_views_and_each_its_own_changes(cache):
    views = Views(cache, seed=9)
    rows, _ = next(views.batches(8))
    made = [Views(*views.twin(number)).load(rows, SIZE)[0] for number in (0, 0, 1)]
    np.testing.assert_array_equal(made[0], made[1])
    assert (made[0] != made[2]).any()


def test_too_few_views(cache):
    with pytest.raises(ModelError, match=r"views in .* are too few for a batch of 1000"):
        next(Views(cache, seed=1).batches(1000))


def test_no_shards(tmp_path):
    with pytest.raises(ModelError, match="no finished views"):
        Views(tmp_path, seed=1)


def test_photographs_are_repeatable_and_different():
    image = scene(4, (320, 192))
    first, second = ([one(image) for _ in range(20)] for one in (Photographer(3), Photographer(3)))
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
    assert all(taken.shape == image.shape and taken.dtype == np.uint8 for taken in first)
    assert len({taken.tobytes() for taken in first}) > 15
    brightness = [float(taken.mean()) for taken in first]
    assert min(brightness) < 0.6 * image.mean()


def person_and_label(shift: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A person's box, and a teacher's blurred step that lies `shift` pixels off."""
    person = np.zeros(LABEL_SIZE, np.uint8)
    person[20:, 60:100] = 255
    step = np.zeros(LABEL_SIZE, np.float32)
    step[20:, 60 + shift : 100 + shift] = 0.6
    return person, cv2.GaussianBlur(step, (0, 0), 1.0) + 0.2, (person / 255 * 0.6 + 0.2).astype(np.float32)


def test_the_step_moves_onto_the_outline():
    person, label, ideal = person_and_label(1)
    moved = sharpened(label, person)
    band = (slice(40, 80), slice(57, 103))
    assert np.abs(moved - ideal)[band].mean() < 0.4 * np.abs(label - ideal)[band].mean()
    far = (slice(40, 80), slice(110, 160))
    np.testing.assert_array_equal(moved[far], label[far])


def test_what_is_in_front_of_a_person_stays():
    """A table's edge over the person: what is around is nearer, so the mask says nothing about depth."""
    person, label, _ = person_and_label(0)
    np.testing.assert_array_equal(sharpened(1 - label, person), 1 - label)
