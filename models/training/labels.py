"""A cache of views with their labels, so that the slow teacher looks at each view once.

A shard is a folder: `images.npy` uint8 (n, 192, 320, 3) RGB; `plain.npy` and `detail.npy` float16 (n, 96, 160), the
teacher's inverse depth at its own and at the larger size; `person.npy` uint8 (n, 96, 160), the share of a person, all
zero where there is nobody or nobody looked; and an empty file `ready` once it is complete. All are memory-mapped:
25 000 views take 6.9 GB.
"""

from __future__ import annotations

import logging
import multiprocessing
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from models.errors import ModelError
from models.manifest import weights_dir
from models.training.pictures import read_colour, read_grey, resized
from models.training.teacher import DETAIL_SIZE, LABEL_SIZE, SIZE, Teacher
from models.training.views import CROPS, OTHER_CROPS, composite, crop, kind, sized

PEOPLE: Final = frozenset({"ccp", "face", "human", "gif", "vid", "coco"})
"""Collections that show people; elsewhere the segmentation might take a dog or a coat for one."""
CLIPS_HELD_OUT: Final = ("asl_", "gif_classroom", "gif_head-pose")
"""Pictures whose people and rooms are in the clips that the network is judged on; they are left out."""
READY: Final = "ready"
_PASTED: Final = "pasted"
_log = logging.getLogger(__name__)

Job = tuple[Path | None, int]
"""A picture (or None for a pasted one) and the number of its view: 0 is the whole picture, 1 the same mirrored."""


def plan(images: Path, composites: int, seed: int) -> list[Job]:
    """List every view to make, in a random order, so that any part of them is a fair sample.

    Raises
    ------
    ModelError
        If the folder has no pictures.
    """
    found = sorted((images / "train").glob("*.jpg"))
    pictures = [path for path in found if not path.name.startswith(CLIPS_HELD_OUT)]
    if not pictures:
        raise ModelError(f"no pictures (train/*.jpg) are in {images}")
    jobs: list[Job] = [(path, view) for path in pictures for view in range(2 + CROPS.get(kind(path), OTHER_CROPS))]
    if any((images / "masks").glob("*.png")):
        jobs += [(None, view) for view in range(composites)]
    random.Random(seed).shuffle(jobs)
    return jobs


def make_shards(
    images: Path,
    teacher: Path,
    cache: Path,
    *,
    composites: int,
    size: int,
    seed: int,
    most: int | None = None,
    part: tuple[int, int] = (0, 1),
) -> None:
    """Make the shards that are not there yet.

    Parameters
    ----------
    images : Path
        Folder with train/*.jpg and, for pasted people, masks/*.png.
    teacher : Path
        The teacher's ONNX file.
    cache : Path
        Where the shards go.
    composites : int
        How many views show a pasted person.
    size : int
        Views in a shard.
    seed : int
        The same seed gives the same views.
    most : int, optional
        How many views at most: a fair sample of all.
    part : tuple of int
        (i, n) makes every n-th shard from the i-th on, for several processes at once.

    Raises
    ------
    ModelError
        If there are no pictures, or the teacher cannot be used.
    """
    jobs = plan(images, composites, seed)[:most]
    labeller = _Labeller(images, teacher)
    for number, start in enumerate(range(0, len(jobs), size)):
        folder = cache / f"{number:03d}"
        if number % part[1] != part[0] or (folder / READY).exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        chosen = jobs[start : start + size]
        arrays = {
            "images": _new(folder, "images", np.uint8, (len(chosen), *SIZE, 3)),
            "plain": _new(folder, "plain", np.float16, (len(chosen), *LABEL_SIZE)),
            "detail": _new(folder, "detail", np.float16, (len(chosen), *LABEL_SIZE)),
            "person": _new(folder, "person", np.uint8, (len(chosen), *LABEL_SIZE)),
        }
        for row, view in enumerate(labeller.views(chosen, random.Random(seed * 1000 + number))):
            for name, values in view.items():
                arrays[name][row] = values
        for array in arrays.values():
            array.flush()
        (folder / READY).touch()
        _log.info("shard %d of %d: %d views", number + 1, -(-len(jobs) // size), len(chosen))


def make_all_shards(images: Path, teacher: Path, cache: Path, processes: int, **options: int | None) -> None:
    """Make the shards that are not there yet in several processes, the same ones as in one.

    Parameters
    ----------
    images, teacher, cache : Path
        See `make_shards`.
    processes : int
        How many; with 1 it is done here.
    **options : int
        `composites`, `size`, `seed` and `most` of `make_shards`.

    Raises
    ------
    ModelError
        If there are no pictures, or the teacher cannot be used.
    """
    if processes == 1:
        make_shards(images, teacher, cache, **options)  # type: ignore[arg-type]
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, initializer=_begin) as pool:
        parts = [
            pool.submit(make_shards, images, teacher, cache, part=(number, processes), **options)  # type: ignore[arg-type]
            for number in range(processes)
        ]
        for part in parts:
            part.result()


def _begin() -> None:
    """In a new process: log as this one does, one thread each."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    cv2.setNumThreads(1)


def _new(folder: Path, name: str, dtype: Any, shape: tuple[int, ...]) -> np.memmap[Any, Any]:
    return np.lib.format.open_memmap(folder / f"{name}.npy", "w+", dtype, shape)


class _Labeller:
    """Makes a view and asks the teachers about it."""

    def __init__(self, images: Path, teacher: Path) -> None:
        self._pictures = images / "train"
        self._masks = sorted((images / "masks").glob("*.png"))
        rooms = sorted(self._pictures.glob("house_*.jpg"))
        objects = sorted(self._pictures.glob("in_*.jpg"))
        self._backgrounds = [group for group in (rooms, objects, sorted(self._pictures.glob("*.jpg"))) if group]
        self._plain, self._detail = Teacher(teacher), Teacher(teacher, DETAIL_SIZE)
        self._segment = _person_segmenter()

    def views(self, jobs: list[Job], rng: random.Random) -> Iterator[dict[str, NDArray[Any]]]:
        for path, number in jobs:
            if path is None:
                background = self._backgrounds[0 if rng.random() < 0.7 else min(1, len(self._backgrounds) - 1)]
                image, person = composite(rng, background, self._masks, self._pictures)
            else:
                image, person = self._picture(path, number, rng)
            large = np.ascontiguousarray(image[:, :, ::-1])
            rgb = resized(large, SIZE)
            yield {"images": rgb, "plain": self._plain(rgb), "detail": self._detail(large), "person": person}

    def _picture(self, path: Path, number: int, rng: random.Random) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        image = read_colour(path)
        mask_path = self._pictures.parent / "masks" / f"{path.stem}.png"
        mask = read_grey(mask_path) if mask_path.exists() else None
        if number > 1:
            part = crop(image, rng)
            image, mask = image[part], None if mask is None else mask[part]
        if number == 1 or (number > 1 and rng.random() < 0.5):
            image, mask = image[:, ::-1], None if mask is None else mask[:, ::-1]
        image = sized(np.ascontiguousarray(image))
        if mask is not None:
            person = resized(mask, LABEL_SIZE)
        elif kind(path) in PEOPLE:
            person = self._segment(image)
        else:
            person = np.zeros(LABEL_SIZE, np.uint8)
        return image, person


def _person_segmenter() -> Any:
    """Return a function from a picture, uint8 (h, w, 3) BGR, to the share of a person, uint8 `LABEL_SIZE`."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    path = weights_dir() / "selfie_landscape.cpu.onnx"
    session = onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])
    (entry,) = session.get_inputs()
    height, width = entry.shape[1:3]

    def segment(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        tensor = resized(image_bgr, (height, width))[None]
        mask = session.run(None, {entry.name: tensor})[0][0, 0]
        return resized((mask * 255).round().astype(np.uint8), LABEL_SIZE)

    return segment
