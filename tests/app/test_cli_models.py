"""`twinlens models`: list, info, verify; a damaged weights folder is told in one sentence."""

import shutil

import pytest

from app.__main__ import main
from models.manifest import load_manifest, manifest_names, weights_dir


@pytest.fixture
def weights_copy(tmp_path, monkeypatch):
    folder = tmp_path / "weights"
    shutil.copytree(weights_dir(), folder)
    monkeypatch.setattr("models.manifest.weights_dir", lambda: folder)
    return folder


def test_list_has_one_line_a_model(capsys):
    assert main(["models", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["MODEL", "TASK", "ROLE", "SIZE", "LICENCE", "TITLE"]
    assert [line.split()[0] for line in lines[1:]] == list(manifest_names())
    assert all("Apache-2.0" in line for line in lines[1:])


def test_info_tells_origin_and_every_file(capsys):
    assert main(["models", "info", "face_mesh"]) == 0
    out = capsys.readouterr().out
    manifest = load_manifest("face_mesh")
    assert manifest.source.sha256 in out
    assert "Apache-2.0" in out
    assert "478" in out
    for file in manifest.files:
        assert file.path.name in out
        assert file.sha256 in out
    assert manifest.litert_note in out


def test_an_unknown_model_lists_the_known_ones(capsys):
    assert main(["models", "info", "yolo"]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("twinlens: there is no model called 'yolo' (known: ")
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_verify_compares_every_file(capsys):
    assert main(["models", "verify"]) == 0
    out = capsys.readouterr().out
    for name in manifest_names():
        for file in load_manifest(name).files:
            assert file.path.name in out


def test_verify_can_be_asked_for_one_model(capsys):
    assert main(["models", "verify", "depth_v2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all("depth_v2" in line for line in lines)


def _flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def _truncate(path):
    path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [(_flip, "checksum differs"), (_truncate, "checksum differs"), (lambda path: path.unlink(), "is missing")],
    ids=["one bit", "truncated", "missing"],
)
def test_damage_is_found_and_the_rest_still_verified(damage, sentence, weights_copy, capsys):
    target = weights_copy / "selfie_square.cpu.onnx"
    damage(target)
    assert main(["models", "verify"]) == 1
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert captured.err.startswith(f"twinlens: {target}: ")
    assert sentence in captured.err
    assert "face_mesh.cpu.onnx" in captured.out
    assert "selfie_square.cpu.onnx" not in captured.out


def test_a_broken_manifest_is_told_in_one_sentence(weights_copy, capsys):
    (weights_copy / "face_mesh.toml").write_text("name = ")
    assert main(["models", "list"]) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "face_mesh.toml: the manifest is not valid TOML" in err


def test_a_missing_action_is_wrong_usage(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["models"])
    assert stop.value.code == 2
