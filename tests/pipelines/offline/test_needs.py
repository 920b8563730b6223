"""Which tasks run for which outputs."""

from pathlib import Path

import pytest

from pipelines.config import TASKS
from pipelines.offline.jobs import Request
from pipelines.offline.needs import needed_tasks
from pipelines.overlay import parse_effect

CLIP = (Path("clip.mp4"),)


@pytest.mark.parametrize(
    ("wishes", "shown", "needed"),
    [
        ({}, TASKS, TASKS),
        ({}, ("segmentation",), ("segmentation",)),
        ({"tasks": ("segmentation", "depth")}, ("segmentation", "depth"), ("segmentation", "depth")),
        ({"results": Path("r.csv")}, ("segmentation",), TASKS),
        ({"layers": ("landmarks",)}, ("segmentation",), ("face", "segmentation")),
        ({"layers": ("mask",), "video": False}, TASKS, ("segmentation",)),
        ({"layers": ("mask", "depth"), "video": False}, TASKS, ("segmentation", "depth")),
        ({"layers": ("overlay",), "video": False}, ("segmentation",), ("segmentation",)),
        ({"layers": ("mask",), "video": False, "results": Path("r.csv")}, TASKS, TASKS),
    ],
)
def test_what_is_written_decides(wishes, shown, needed):
    assert needed_tasks(Request(CLIP, **wishes), shown) == needed


@pytest.mark.parametrize(
    ("text", "used"),
    [("none", ()), ("blur", ("segmentation",)), ("color:#102030", ("segmentation",)),
     ("bokeh", ("segmentation", "depth"))],
)  # fmt: skip
def test_what_an_effect_makes_use_of(text, used):
    assert parse_effect(text).used_tasks == used
