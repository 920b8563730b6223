"""Nothing that a run reads is replaced by it, and no output by another one."""

from pathlib import Path

import pytest

from pipelines.errors import ConfigError, ExportError
from pipelines.offline.collisions import check_apart
from pipelines.offline.jobs import Request
from pipelines.offline.plan import make_plan


@pytest.fixture
def make(tmp_path, monkeypatch):
    """Make empty files in an empty folder to run in."""
    monkeypatch.chdir(tmp_path)

    def made(*names):
        for name in names:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).touch()
        return tuple(Path(name) for name in names)

    return made


@pytest.mark.parametrize(
    ("inputs", "options"),
    [
        (["a.mp4"], {"report": Path("a.mp4")}),
        (["a.mp4", "b.mp4"], {"out": Path("o"), "report": Path("sub/../b.mp4")}),
        (["a.mp4"], {"out": Path("back.mp4"), "also_read": (Path("back.mp4"),)}),
        (["a.mp4"], {"results": Path("back.csv"), "also_read": (Path("back.csv"),)}),
        (["L/mask/000001.png"], {"video": False, "layers": ("mask",), "layers_dir": Path("L")}),
        (["L/mask/000123.png"], {"video": False, "layers": ("mask",), "layers_dir": Path("link")}),
        (["a.gif"], {"out": Path("p%04d.png"), "also_read": (Path("p0007.png"),)}),
    ],
    ids=["report", "report of many", "background", "background and results", "layer", "layer by a link", "numbered"],
)
def test_what_is_read_is_not_replaced(make, inputs, options):
    Path("sub").mkdir()
    paths = make(*inputs)
    make(*map(str, options.get("also_read", ())))
    Path("link").symlink_to("L")
    with pytest.raises(ExportError, match=r"is the input itself|is read by this run"):
        make_plan(Request(paths, overwrite=True, **options))


@pytest.mark.parametrize(
    "options",
    [
        {"results": Path("r.jsonl"), "report": Path("r.jsonl")},
        {"out": Path("o.mp4"), "report": Path("sub/../o.mp4")},
        {"out": Path("overlay/%06d.png"), "layers": ("overlay",), "layers_dir": Path()},
        {"layers": ("landmarks",), "layers_dir": Path("L"), "report": Path("L/landmarks/000000.json")},
    ],
    ids=["report and results", "report and video", "numbered pictures and layer", "report and layer"],
)
def test_two_outputs_have_two_places(make, options):
    Path("sub").mkdir()
    with pytest.raises(ConfigError, match="is named for two outputs"):
        make_plan(Request(make("a.mp4"), overwrite=True, **options))


def test_layers_of_inputs_of_the_same_name(make):
    request = Request(make("a/x.mp4", "b/x.mp4"), video=False, layers=("mask",), layers_dir=Path("L"))
    with pytest.raises(ConfigError, match="is named for two outputs"):
        make_plan(request)


def test_neighbours_are_no_collision(make):
    """Other files in the folders of the outputs, and outputs that are links to one another, are left in peace."""
    paths = make("L/mask/a.jpg", "p0001.jpg")
    make("r.csv", "o")
    Path("o.json").hardlink_to("r.csv")
    plan = make_plan(
        Request(
            paths,
            out=Path("out"),
            layers=("mask", "depth"),
            layers_dir=Path("L"),
            results=Path("r.csv"),
            report=Path("o.json"),
            overwrite=True,
        )
    )
    assert len(plan) == 2
    check_apart([Path("nowhere.mp4")], [Path("nowhere.csv")])
