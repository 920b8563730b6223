"""`twinlens models add` and `remove`: a network of the user becomes a model, or one sentence says why not."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from app.__main__ import main
from models.manifest import load_manifest, manifests
from pipelines.backends.fingerprint import model_fingerprint
from pipelines.backends.select import get_backend
from pipelines.backends.trials import ModelTrial, Trial
from pipelines.qualify.sample import sample_picture
from tests.models.foreign import weighted_sum

TEACHER = Path(__file__).parents[2].parent / "shared/depth/teacher.onnx"
ASSETS = Path(__file__).parents[2] / "assets"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where the user's models go; the verdicts of backends are kept apart as well."""
    chosen = tmp_path / "mine"
    monkeypatch.setenv("TWINLENS_MODELS_DIR", str(chosen))
    monkeypatch.setenv("TWINLENS_CACHE_DIR", str(tmp_path / "cache"))
    return chosen


@pytest.fixture
def alone(monkeypatch):
    """No other backend is tried: where those are not the subject they only take time."""
    monkeypatch.setattr("pipelines.adding.backend_ids", lambda: ("ort-cpu",))


@pytest.fixture
def network(tmp_path):
    """Depth = brightness of blue, from 0 to 1."""
    return weighted_sum(tmp_path / "blue one.onnx", weights=(0.0, 0.0, 1.0), shape=(1, 3, 96, 160), out=(1, 96, 160))


def lines(capsys):
    return capsys.readouterr().out.splitlines()


def test_a_slow_backend_is_named_before_it_is_tried(folder, network, monkeypatch, capsys):
    """And when it does not answer, that is its verdict; the model was added all the same."""
    slow = "failed: it did not answer within 180 s"

    def try_slowly(backend, models, progress):
        (manifest,) = models
        progress(manifest.name)
        assert capsys.readouterr().out.splitlines()[-1] == "  ort-webgpu is tried, which may take minutes"
        assert manifest.path.is_file()
        return Trial(device="slow").with_model(manifest.name, ModelTrial(slow, model_fingerprint(manifest)))

    monkeypatch.setattr("pipelines.adding.backend_ids", lambda: ("ort-cpu", "ort-webgpu"))
    monkeypatch.setattr("pipelines.adding.try_backend", try_slowly)
    assert main(["models", "add", str(network), "--task", "depth"]) == 0
    assert lines(capsys) == [f"  ort-webgpu {slow}", "choose it with --model blue_one, or in the window"]


def test_an_added_model_is_listed_verified_chosen_and_removed(folder, network, tmp_path, capsys):
    assert main(["models", "add", str(network), "--task", "depth"]) == 0
    told = lines(capsys)
    assert told[0].startswith("blue_one: added for depth, 160x96, ")
    assert "  ort-cpu   ok" in told
    assert any(line.startswith("  litert-cpu") and "has no litert file" in line for line in told)
    assert any("assumed" in line and "RGB" in line for line in told)
    assert main(["models", "list"]) == 0
    assert any(line.startswith("blue_one") and "(added)" in line for line in lines(capsys))
    assert main(["models", "verify", "blue_one"]) == 0
    assert main(["models", "info", "blue_one"]) == 0
    assert "blue one.onnx" in capsys.readouterr().out

    shot = tmp_path / "shot.png"
    command = ["screenshot", str(ASSETS / "portrait.png"), "--tasks", "depth", "--model", "blue_one", "-o", str(shot)]
    assert main([*command, "--layers", "depth"]) == 0
    layer = cv2.imread(str(tmp_path / "shot-depth.png"), cv2.IMREAD_UNCHANGED)
    blue = cv2.imread(str(ASSETS / "portrait.png"))[..., 0]
    layer = cv2.resize(layer.astype(np.float32), (160, 96), interpolation=cv2.INTER_AREA)
    blue = cv2.resize(blue.astype(np.float32), (160, 96), interpolation=cv2.INTER_AREA)
    assert np.corrcoef(layer.ravel(), blue.ravel())[0, 1] > 0.95

    assert main(["models", "remove", "blue_one"]) == 0
    assert list(folder.iterdir()) == []
    assert main(["models", "remove", "blue_one"]) == 1
    assert "you have not added a model called 'blue_one' (added: none)" in capsys.readouterr().err


def test_process_and_bench_take_an_added_model(folder, alone, network, tmp_path, capsys):
    assert main(["models", "add", str(network), "--task", "depth", "--name", "blue"]) == 0
    results = tmp_path / "r.jsonl"
    command = ["process", str(ASSETS / "demo.mp4"), "--no-video", "--max-frames", "2", "--tasks", "depth"]
    assert main([*command, "--model", "blue", "--pipeline", "cpu", "--results", str(results)]) == 0
    assert len(results.read_text().splitlines()) == 2
    report = tmp_path / "bench.json"
    command = ["bench", "--tasks", "depth", "--model", "blue", "--pipelines", "cpu", "--samples", "3"]
    assert main([*command, "--json", str(report)]) == 0
    assert {run["model"] for run in json.loads(report.read_text())["runs"]} == {"blue"}


def test_a_toml_file_beside_it_describes_the_network(folder, alone, network, capsys):
    network.with_suffix(".toml").write_text('task = "depth"\nname = "described"\ncolor = "BGR"\nlicence = "MIT"\n')
    assert main(["models", "add", str(network), "--title", "From the command line"]) == 0
    manifest = load_manifest("described")
    assert (manifest.title, manifest.licence) == ("From the command line", "MIT")
    assert main(["models", "add", str(network.with_suffix(".toml")), "--name", "again"]) == 0
    assert load_manifest("again").input.size_wh == (160, 96)


def test_names_are_not_taken_twice(folder, alone, network, capsys):
    add = ["models", "add", str(network), "--task", "depth"]
    assert main([*add, "--name", "selfie_square"]) == 1
    assert "comes with the app" in capsys.readouterr().err
    assert main([*add, "--name", "mine"]) == 0
    first = {path.name for path in folder.iterdir()}
    assert main([*add, "--name", "mine"]) == 1
    assert "there is a model called 'mine' already" in capsys.readouterr().err
    assert {path.name for path in folder.iterdir()} == first
    assert main([*add, "--name", "mine", "--color", "BGR", "--overwrite"]) == 0
    assert len(list(folder.iterdir())) == 2
    assert main(["models", "remove", "depth_v2"]) == 1
    assert "comes with the app and stays" in capsys.readouterr().err
    assert main([*add, "--name", "../evil"]) == 1
    assert "'../evil' cannot name a model" in capsys.readouterr().err
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(None, "there is no such file"), (b"a text", "this is no ONNX file"), (b"", "no ONNX file")],
)
def test_what_is_no_network_leaves_nothing(folder, tmp_path, capsys, content, sentence):
    file = tmp_path / "網路 net.onnx"
    if content is not None:
        file.write_bytes(content)
    assert main(["models", "add", str(file), "--task", "depth"]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"twinlens: {file}: ")
    assert sentence in error
    assert error.count("\n") == 1
    assert not folder.exists()


@pytest.mark.parametrize("name", [".", "..", "/"])
def test_a_folder_is_no_network(folder, capsys, name):
    assert main(["models", "add", name, "--task", "depth"]) == 1
    assert capsys.readouterr().err == f"twinlens: {name}: this is a folder, not a file\n"


def test_a_damaged_or_lost_model_is_told_and_the_others_go_on(folder, alone, network, capsys):
    assert main(["models", "add", str(network), "--task", "depth", "--name", "mine"]) == 0
    (file,) = folder.glob("*.onnx")
    file.write_bytes(file.read_bytes()[:-1])
    assert main(["screenshot", str(ASSETS / "portrait.png"), "--model", "mine", "-o", str(folder / "x.png")]) == 1
    assert "checksum differs" in capsys.readouterr().err
    file.unlink()
    assert main(["models", "verify", "mine"]) == 1
    assert "the model file is missing" in capsys.readouterr().err
    (folder / "mine.toml").write_text("broken")
    assert main(["models", "list"]) == 1
    captured = capsys.readouterr()
    assert "depth_v2" in captured.out
    assert "not valid TOML" in captured.err
    assert "depth_v2" in {manifest.name for manifest in manifests("depth")}
    assert main(["models", "remove", "mine"]) == 0


def test_two_models_of_one_kind_or_an_unknown_one(folder, capsys, tmp_path):
    shot = ["screenshot", str(ASSETS / "portrait.png"), "-o", str(tmp_path / "x.png")]
    with pytest.raises(SystemExit) as wrong:
        main([*shot, "--model", "face_mesh", "--model", "face_mesh_468"])
    assert wrong.value.code == 2
    assert "are both for landmarks" in capsys.readouterr().err
    assert main([*shot, "--model", "nothing"]) == 1
    assert "there is no model called 'nothing'" in capsys.readouterr().err


@pytest.mark.media
@pytest.mark.skipif(not TEACHER.is_file(), reason="needs the published network in ../shared/depth")
def test_a_published_network_gives_what_it_gives_by_itself(folder, alone, capsys):
    import onnxruntime as ort

    assert main(["models", "add", str(TEACHER), "--preset", "tcmonodepth", "--name", "published"]) == 0
    picture = sample_picture("depth", (320, 192))
    session = ort.InferenceSession(str(TEACHER), providers=["CPUExecutionProvider"])
    fed = np.ascontiguousarray(picture[..., ::-1].transpose(0, 3, 1, 2), np.float32)
    expected = session.run(None, {session.get_inputs()[0].name: fed})[0]
    found = get_backend("ort-cpu").open(load_manifest("published")).run(picture)["depth"]
    np.testing.assert_allclose(found, expected.reshape(found.shape), atol=1e-5)
