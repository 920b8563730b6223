"""What the window remembers: round trips, old and broken files, and disks that refuse."""

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest

from app.i18n.families import _family
from app.settings import RECENT_FILES, VERSION, Settings, SettingsError, from_json, load, save, to_json
from models.errors import VisionError

FULL = Settings(
    source="camera:Front",
    camera_mode="1280x720@30",
    recent=("/videos/ünïcode 人.mp4", "/b"),
    tasks=("face", "depth"),
    pipeline="ort-webgpu",
    models={"landmarks": "face_mesh_468"},
    max_faces=7,
    smooth=False,
    style={"face": "mesh", "mask_opacity": 0.25},
    effect="color:#00b140",
    mirror=False,
    loop=False,
    figures="compact",
    figures_corner="bottom_left",
    figures_on_screenshot=True,
    record_plain=True,
    unfolded=("depth",),
    panel=False,
    strip=False,
    folder="/pictures",
    theme="light",
    language="zh_TW",
    compare="split",
    pipeline_b="litert-cpu",
    processing={"folder": "/out", "layers": ["mask"]},
    places={"media": "/videos"},
    geometry="AdnQywAD",
)


def test_everything_survives_a_round_trip(tmp_path):
    assert all(getattr(FULL, item.name) != getattr(Settings(), item.name) for item in fields(Settings))
    path = tmp_path / "deep" / "settings.json"
    save(FULL, path)
    assert load(path) == (FULL, "")
    assert [item.name for item in path.parent.iterdir()] == ["settings.json"]
    assert json.loads(path.read_text(encoding="utf-8"))["version"] == VERSION


def test_a_file_whose_name_is_no_text_is_remembered(tmp_path):
    """Python's name for bytes that are no UTF-8, as a file of another system may have them."""
    settings = replace(Settings(), source="/v/caf\udce9 人.mp4")
    save(settings, tmp_path / "settings.json")
    assert load(tmp_path / "settings.json") == (settings, "")


def test_no_file_means_defaults(tmp_path):
    assert load(tmp_path / "settings.json") == (Settings(), "")


def test_keys_from_another_time_are_ignored_and_missing_ones_get_defaults():
    text = json.dumps({"version": VERSION, "theme": "dark", "colour_of_the_moon": "grey"})
    assert from_json(text) == replace(Settings(), theme="dark")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"version": 0}',
        '{"version": "2"}',
        pytest.param("[" * 100_000, id="brackets without an end"),
        '{"version": 1, "geometry": "\\ud800"}',
        '{"version": 1, "tasks": []}',
        '{"version": 1, "tasks": ["face", "juggling"]}',
        '{"version": 1, "tasks": ["depth", "face"]}',
        '{"version": 1, "tasks": "face"}',
        '{"version": 1, "max_faces": 0}',
        '{"version": 1, "max_faces": true}',
        '{"version": 1, "max_faces": "2"}',
        '{"version": 1, "theme": "purple"}',
        '{"version": 1, "theme": ["dark"]}',
        '{"version": 1, "figures": 3}',
        '{"version": 1, "figures_corner": "middle"}',
        '{"version": 1, "mirror": 1}',
        '{"version": 1, "recent": [1]}',
        '{"version": 1, "style": {"face": null}}',
        '{"version": 1, "models": {"mask": 4}}',
        '{"version": 1, "pipeline": ""}',
        '{"version": 1, "source": null}',
        '{"version": 1, "compare": "sideways"}',
        '{"version": 1, "pipeline_b": "face="}',
    ],
)
def test_a_broken_file_is_set_aside_and_defaults_are_used(tmp_path, text):
    path = tmp_path / "settings.json"
    path.write_text(text, encoding="utf-8")
    settings, complaint = load(path)
    assert settings == Settings()
    assert "settings.json.broken" in complaint
    assert not path.exists()
    assert (tmp_path / "settings.json.broken").read_text(encoding="utf-8") == text
    save(settings, path)
    assert load(path) == (Settings(), "")


def test_a_file_of_a_later_version_is_not_called_damaged(tmp_path):
    path = tmp_path / "settings.json"
    text = json.dumps({"version": VERSION + 1, "theme": "dark"})
    path.write_text(text, encoding="utf-8")
    settings, complaint = load(path)
    assert settings == Settings()
    assert complaint == (
        "The settings file is of a later version of Twinlens and is kept as settings.json.newer; the defaults are used."
    )
    assert (tmp_path / "settings.json.newer").read_text(encoding="utf-8") == text
    assert not path.exists()


@pytest.mark.parametrize("text", ["{", json.dumps({"version": VERSION + 1})], ids=["damaged", "later"])
@pytest.mark.parametrize("can_be_kept", [True, False])
def test_the_window_has_words_of_its_own_for_what_is_said_of_the_file(tmp_path, monkeypatch, text, can_be_kept):
    path = tmp_path / "settings.json"
    path.write_text(text, encoding="utf-8")

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    if not can_be_kept:
        monkeypatch.setattr(Path, "replace", refuse)
    _, complaint = load(path)
    assert _family(complaint) is not None


def test_the_mark_with_which_some_editors_begin_a_text_is_no_damage(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(to_json(FULL), encoding="utf-8-sig")
    assert load(path) == (FULL, "")


def test_bytes_that_are_no_text_are_set_aside_too(tmp_path):
    path = tmp_path / "settings.json"
    path.write_bytes(b'{"version": 1, "source": "\xff\xfe"}')
    assert load(path)[0] == Settings()
    assert (tmp_path / "settings.json.broken").exists()


def test_a_folder_in_the_place_of_the_file_is_reported(tmp_path):
    (tmp_path / "settings.json").mkdir()
    settings, complaint = load(tmp_path / "settings.json")
    assert settings == Settings()
    assert complaint.startswith("The settings cannot be read")


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(VisionError, match="cannot be made"):
        save(FULL, tmp_path / "file" / "settings.json")


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "settings.json"
    save(FULL, path)
    monkeypatch.setattr("pathlib.Path.write_bytes", _no_space)
    with pytest.raises(VisionError, match="no space left"):
        save(Settings(), path)
    assert load(path) == (FULL, "")
    assert [item.name for item in tmp_path.iterdir()] == ["settings.json"]


def _no_space(self, data):
    raise OSError(28, "No space left on device")


def test_a_wrong_value_cannot_come_into_being():
    with pytest.raises(SettingsError, match="max_faces"):
        replace(Settings(), max_faces=101)


def test_recent_files_are_few_and_each_once():
    settings = Settings()
    for number in range(RECENT_FILES + 3):
        settings = settings.with_recent(f"/{number}")
    settings = settings.with_recent("/5")
    assert settings.recent[:2] == ("/5", f"/{RECENT_FILES + 2}")
    assert len(settings.recent) == RECENT_FILES
    assert len(set(settings.recent)) == RECENT_FILES


def test_the_text_is_for_people_too():
    assert '\n  "theme": "light"' in to_json(FULL)
    assert "人" in to_json(FULL)
