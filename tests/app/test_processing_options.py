"""What the options of the queue ask of the engine, and which names its files get."""

from pathlib import Path

import pytest

from app.processing.options import (
    NUMBERED,
    TRANSPARENT,
    Outputs,
    ProcessOptions,
    format_name,
    free_outputs,
    from_record,
    has_quality,
    has_sound,
    holds_alpha,
    outputs_for,
    request_for,
    to_record,
)
from app.processing.sweep import sweep
from pipelines.errors import ConfigError, ExportError
from pipelines.offline.place import Place
from pipelines.offline.plan import Job, make_plan


@pytest.mark.parametrize(
    ("name", "options", "number", "video", "results", "layers"),
    [
        ("a/clip.mov", {}, 1, "a/clip.twinlens.mp4", None, None),
        ("a/clip.mov", {"format": ".webm"}, 3, "a/clip-3.twinlens.webm", None, None),
        ("a/clip.mov", {"format": NUMBERED}, 1, "a/clip.twinlens/%06d.png", None, None),
        ("a/clip.mov", {"folder": "b", "results": ".csv"}, 1, "b/clip.twinlens.mp4", "b/clip.twinlens.csv", None),
        ("a/p.JPG", {"format": ".webm"}, 1, "a/p.twinlens.jpg", None, None),
        ("a/p.tif", {}, 2, "a/p-2.twinlens.png", None, None),
        ("a/p.jpg", {"effect": TRANSPARENT, "format": ".webm"}, 1, "a/p.twinlens.png", None, None),
        ("a/c.v2.mkv", {"video": False, "layers": ("mask",)}, 1, None, None, "a/c.v2.twinlens.layers"),
    ],
)
def test_names(name, options, number, video, results, layers):
    outputs = outputs_for(Path(name), ProcessOptions(**options), number)
    assert outputs == Outputs(*(Path(path) if path else None for path in (video, results, layers)))


def test_names_that_are_there_are_not_taken(tmp_path):
    clip = tmp_path / "clip.mp4"
    options = ProcessOptions(results=".jsonl")
    assert free_outputs(clip, options, ()).video.name == "clip.twinlens.mp4"
    (tmp_path / "clip.twinlens.jsonl").write_text("")
    assert free_outputs(clip, options, ()).video.name == "clip-2.twinlens.mp4"
    (tmp_path / "clip-2.twinlens.mp4").symlink_to(tmp_path / "nowhere")
    assert free_outputs(clip, options, ()).results.name == "clip-3.twinlens.jsonl"
    assert free_outputs(clip, ProcessOptions(results=".jsonl", replace=True), ()).video.name == "clip.twinlens.mp4"


def test_what_this_queue_has_written_is_never_replaced(tmp_path):
    options = ProcessOptions(folder=str(tmp_path), replace=True)
    first = free_outputs(Path("a/clip.mp4"), options, ())
    second = free_outputs(Path("b/clip.mov"), options, [str(place) for place in first.places()])
    assert (first.video.name, second.video.name) == ("clip.twinlens.mp4", "clip-2.twinlens.mp4")


def test_numbered_pictures_are_a_folder():
    outputs = outputs_for(Path("a/clip.mp4"), ProcessOptions(format=NUMBERED))
    assert outputs.places() == (Path("a/clip.twinlens"),)


@pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".mov", ".webm", ".gif", NUMBERED])
@pytest.mark.parametrize("alpha", [False, True])
@pytest.mark.parametrize("name", ["clip.mp4", "photo.webp"])
def test_the_engine_takes_every_format_that_can_be_chosen(tmp_path, suffix, alpha, name):
    path = tmp_path / name
    path.write_bytes(b"x")
    options = ProcessOptions(format=suffix, effect=TRANSPARENT if alpha else "none", layers=("depth", "mask"))
    if options.problem():
        assert alpha
        assert not holds_alpha(suffix)
        return
    outputs = free_outputs(path, options, ())
    (job,) = make_plan(request_for(path, options, outputs))
    assert (job.input, job.output, job.layers_dir) == (path, outputs.video, outputs.layers_dir)
    assert job.layers == ("mask", "depth")
    assert job.alpha is alpha


def test_the_picture_for_the_background_is_not_replaced(tmp_path):
    path, background = tmp_path / "photo.jpg", tmp_path / "photo.twinlens.jpg"
    path.write_bytes(b"x")
    background.write_bytes(b"x")
    options = ProcessOptions(effect=f"replace:{background}", replace=True)
    with pytest.raises(ExportError, match=r"photo\.twinlens\.jpg is read by this run"):
        make_plan(request_for(path, options, free_outputs(path, options, ())))


def test_formats_and_what_they_hold():
    assert format_name(".mkv") == "Matroska"
    assert format_name(NUMBERED) == "Numbered pictures"
    assert [has_quality(suffix, False) for suffix in (".mp4", ".webm", ".gif", NUMBERED)] == [True, True, False, False]
    assert not has_quality(".mov", True)
    assert [has_sound(suffix) for suffix in (".mov", ".gif", NUMBERED)] == [True, False, False]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, ""),
        ({"tasks": ()}, "at least one task"),
        ({"video": False}, "at least one thing to write"),
        ({"video": False, "results": ".csv"}, ""),
        ({"layers": ("mask",), "tasks": ("face",)}, "mask"),
        ({"layers": ("overlay",), "tasks": ("face",)}, ""),
        ({"effect": "blur", "tasks": ("face",)}, "Person"),
        ({"effect": TRANSPARENT}, "MP4 holds no transparency"),
        ({"effect": TRANSPARENT, "format": ".webm"}, ""),
    ],
)
def test_wishes_that_contradict_each_other_are_told(options, words):
    problem = ProcessOptions(**options).problem()
    assert bool(problem) is bool(words)
    assert words in problem


def test_options_go_to_another_process_and_back():
    options = ProcessOptions(
        folder="/a",
        format=".webm",
        layers=("mask",),
        tasks=("segmentation",),
        models={"mask": "selfie_square"},
        style={"mask_opacity": 0.5},
        effect=TRANSPARENT,
        replace=True,
    )
    assert from_record(to_record(options)) == options
    assert from_record({"unheard_of": 1}) == ProcessOptions()
    with pytest.raises(ConfigError, match="crf"):
        from_record({"crf": "much"})


def test_only_what_the_dead_process_left_is_swept(tmp_path):
    options = ProcessOptions(format=NUMBERED, results=".csv", layers=("mask",))
    outputs = outputs_for(tmp_path / "clip.mp4", options)
    assert Outputs.from_record(outputs.to_record()) == outputs
    place = Place(
        Job(tmp_path / "clip.mp4", output=outputs.video, layers=("mask",), layers_dir=outputs.layers_dir), None
    )
    for folder in (place.path, place.layers):
        (folder / "mask").mkdir(parents=True)
        (folder / "mask" / "000000.png").write_bytes(b"x")
    (tmp_path / ".twinlens-7-abc.part").write_bytes(b"x")
    kept = tmp_path / ".twinlens-77-abc.part"
    kept.write_bytes(b"x")
    sweep(tmp_path / "clip.mp4", outputs, 7)
    assert list(tmp_path.iterdir()) == [kept]
